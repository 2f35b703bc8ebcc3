"""An audit record names how what it is about may let somebody in from then on (people.on_record.standing)."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("people", "0012_limits_of_parts")]

    operations = [
        migrations.AddField(
            model_name="auditrecord",
            name="standing",
            field=models.JSONField(
                editable=False,
                help_text="How what it is about may let somebody in from now on: see people.on_record.standing.",
                null=True,
            ),
        ),
        migrations.AddIndex(
            model_name="auditrecord",
            index=models.Index(
                condition=models.Q(("standing__isnull", False)), fields=["subject", "-id"], name="audit_standing"
            ),
        ),
    ]
