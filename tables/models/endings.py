"""The shape of rounds that people ended because their terminal was gone. Shapes and constraints only; the verb is in
tables.corrections.endings, and what was played is in the round, as a terminal would have told it."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from config.kit.triggers import firm, sealed
from people.models import ApprovalRequest, User
from tables.models.floor import Round

END = "tables.end_round"
"""The act, as the trigger looks for its approval."""


class RoundEnding(models.Model):
    """One act: a round under way was ended by people, as the first event of a session of their own."""

    round = models.OneToOneField(Round, on_delete=models.PROTECT, related_name="ending")
    session = models.PositiveIntegerField(
        help_text="In which it was told: the terminal's own was over with it."
    )
    rule = models.CharField(max_length=200, help_text="By which rule it is ended.")
    reason = models.TextField()
    asked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    approval = models.OneToOneField(
        ApprovalRequest,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        help_text="None: by one person.",
    )
    moved_micros = models.BigIntegerField(help_text="All stakes and winnings of the round.")
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["pk"]
        indexes = [sealed.stamp_index("round_ending")]
        constraints = [
            models.CheckConstraint(
                condition=Q(moved_micros__gte=0) & ~Q(reason="") & ~Q(rule=""), name="round_ending_says_why"
            )
        ]
        triggers = [
            *sealed.triggers("round_ending", at="at"),
            firm.Trigger(
                name="round_ending_lawful",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                declare=[("ended", "record")],
                func=f"""
                    SELECT r.state, l.is_open, t.premises_id INTO ended FROM tables_round r
                        JOIN tables_table t ON t.id = r.table_id JOIN jackpots_tablelog l ON l.id = t.table_log_id
                        JOIN tables_tableevent e ON e.table_id = t.id AND e.session = NEW.session AND e.number = 1
                            AND e.round_id = r.id AND e.kind = 'result'
                        WHERE r.id = NEW.round_id;
                    IF NOT FOUND OR ended.state IN ('open', 'locked') THEN
                        RAISE EXCEPTION 'round % was not ended by people in session %', NEW.round_id, NEW.session
                            USING ERRCODE = 'check_violation', CONSTRAINT = 'round_ending_told';
                    END IF;
                    IF NEW.approval_id IS NULL THEN
                        IF ended.is_open OR NEW.moved_micros > coalesce((
                                SELECT h.correct_alone_micros FROM jackpots_handpayrules h
                                JOIN people_premises m ON m.id = h.premises_id
                                WHERE h.premises_id = ended.premises_id
                                    AND h.from_day <= (statement_timestamp() AT TIME ZONE m.time_zone
                                                       - make_interval(hours => m.rollover_hour))::date
                                ORDER BY h.from_day DESC, h.id DESC LIMIT 1), 0) THEN
                            RAISE EXCEPTION 'a second person approves the end of such a round'
                                USING ERRCODE = 'check_violation', CONSTRAINT = 'round_ending_by_two';
                        END IF;
                    ELSIF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id
                            AND a.state = 'used' AND a.action = '{END}'
                            AND a.requested_by_id = NEW.asked_by_id
                            AND (a.payload_json::jsonb ->> 'round')::bigint = NEW.round_id) THEN
                        RAISE EXCEPTION 'no approval of a second person was used for the end of this round'
                            USING ERRCODE = 'check_violation', CONSTRAINT = 'round_ending_by_two';
                    END IF;
                    RETURN NEW;
                """,  # noqa: S608 (only the name of an act is interpolated)
            ),
        ]

    def __str__(self) -> str:
        return f"end of {self.round}"
