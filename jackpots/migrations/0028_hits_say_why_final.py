"""The hallmark of fold runs of hits. Older runs have none, so the constraint is not checked of them."""

from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jackpots", "0027_doubts_say_by_what")]

    operations = [
        migrations.AddField(
            model_name="foldrun",
            name="hallmark",
            field=models.CharField(
                max_length=64, null=True, help_text="Of hits, made by the fold: see jackpots.fold.finality."
            ),
        ),
        AddConstraintNotValid(
            model_name="foldrun",
            constraint=models.CheckConstraint(
                condition=~models.Q(kind="hits") | models.Q(hallmark__isnull=False),
                name="fold_run_of_hits_hallmarked",
            ),
        ),
    ]
