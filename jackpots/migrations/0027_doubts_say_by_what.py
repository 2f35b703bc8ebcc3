"""What a doubt was found by, and its hallmark. Older doubts have neither, so the constraint is not checked of them."""

from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jackpots", "0001_squashed_0026_frame_texts")]

    operations = [
        migrations.AddField(
            model_name="doubt",
            name="found_by",
            field=models.JSONField(
                null=True,
                help_text="The two samples of the clock that contradict each other, and what was known then: how far"
                " the table had vouched and the order was final. None: from before it was kept.",
            ),
        ),
        migrations.AddField(
            model_name="doubt",
            name="hallmark",
            field=models.CharField(
                max_length=64, null=True, help_text="Of all of it, made at the door: the order heeds no other."
            ),
        ),
        AddConstraintNotValid(
            model_name="doubt",
            constraint=models.CheckConstraint(
                condition=models.Q(found_by__isnull=False, hallmark__isnull=False), name="doubt_hallmarked"
            ),
        ),
    ]
