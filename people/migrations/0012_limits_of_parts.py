from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent.parent / "sql"


class Migration(migrations.Migration):

    dependencies = [
        ("people", "0011_turns"),
    ]

    operations = [
        migrations.RunSQL((SQL / "parts_1.sql").read_text()),
    ]
