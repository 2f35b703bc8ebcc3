"""Shapes of the jackpots API at its edge."""

from __future__ import annotations

from datetime import date
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from config.kit.forms import FormSerializer
from jackpots.fold.folding import ruling_limits
from jackpots.fold.replay import hits_in
from jackpots.forms import ApproveForm, PayForm, ReleaseForm, RulingForm, SourceForm, VerifyForm
from jackpots.models import Link, Progressive, Share, Win, is_ended, state_of
from jackpots.order.by_place import placed_of
from jackpots.order.instants import instant_of
from jackpots.queries import own_premises
from jackpots.rulings import rulings
from jackpots.set_up.decommissioning import announced
from jackpots.signs.at_a_win import at_a_win
from jackpots.signs.frames import frame_body
from jackpots.signs.live import live
from jackpots.wins.sources import held, not_covered
from jackpots.wins.story import story
from rules.codec import HIT, hit_to_json
from rules.contract import Hit
from rules.money import format_money
from rules.progressive import encode
from rules.progressive.clusters import Paid


@extend_schema_field(HIT.schema())
class HitField(serializers.JSONField):
    """A hit as `rules.codec` spells it wherever it stands."""


class PotsSerializer(serializers.Serializer[object]):
    name = serializers.CharField(help_text="The level.")
    base = serializers.CharField()
    increment = serializers.CharField()
    reserve = serializers.CharField()
    overflow = serializers.CharField()
    resets = serializers.IntegerField(help_text="How often its meter was won.")


class CorrectionAskedSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField(help_text="Of the request that another person decides on.")
    document = serializers.JSONField(source="payload", help_text="Exactly what is approved.")


class TableLinkSerializer(serializers.ModelSerializer[Link]):
    """A table whose wagers of these kinds feed the progressive and win from it."""

    premises = serializers.CharField(source="table_log.premises.code", read_only=True)
    table = serializers.CharField(source="table_log.table_code", read_only=True)

    class Meta:
        model = Link
        fields = ["premises", "table", "kinds", "takes_rest", "suspended_at", "resumed_at"]


class ProgressiveSerializer(serializers.ModelSerializer[Progressive]):
    host = serializers.CharField(source="host.code", read_only=True)
    final = serializers.SerializerMethodField()
    pots = serializers.SerializerMethodField()
    live = serializers.SerializerMethodField()
    rules = serializers.JSONField(source="config.document", read_only=True)
    armed_rules = serializers.JSONField(
        source="armed_config.document", read_only=True, allow_null=True, default=None
    )
    links = serializers.SerializerMethodField()
    ruling_limit = serializers.SerializerMethodField()
    ruling_daily = serializers.SerializerMethodField()
    ends_after = serializers.SerializerMethodField()
    is_ended = serializers.SerializerMethodField()

    class Meta:
        model = Progressive
        fields = [
            "code",
            "name",
            "host",
            "folded_until",
            "final",
            "pots",
            "live",
            "rules",
            "armed_rules",
            "armed_at",
            "effect_at",
            "silence",
            "links",
            "ruling_limit",
            "ruling_daily",
            "ends_after",
            "is_ended",
        ]

    def get_ends_after(self, progressive: Progressive) -> date | None:
        """The last gaming day on which it is played for, once two people have announced it."""
        found = announced(progressive)
        return None if found is None else found.last_day

    def get_is_ended(self, progressive: Progressive) -> bool:
        """It is decommissioned."""
        return is_ended(progressive)

    def get_final(self, progressive: Progressive) -> dict[str, str]:
        return {m.level: format_money(m.value_micros) for m in progressive.meters.order_by("position")}

    @extend_schema_field(PotsSerializer(many=True))
    def get_pots(self, progressive: Progressive) -> list[dict[str, Any]]:
        """What lies in each level up to `folded_until`: `final` is its base and its increment."""
        levels: list[dict[str, Any]] = encode(state_of(list(progressive.meters.order_by("position"))))[
            "levels"
        ]
        return levels

    def get_live(self, progressive: Progressive) -> dict[str, Any]:
        return frame_body(progressive, live(progressive))

    @extend_schema_field(TableLinkSerializer(many=True))
    def get_links(self, progressive: Progressive) -> Any:
        links = progressive.links.select_related("table_log__premises")
        return TableLinkSerializer(
            links.order_by("table_log__premises__code", "table_log__table_code"), many=True
        ).data

    def get_ruling_limit(self, progressive: Progressive) -> str:
        """What the house adds at most to hits whose order is uncertain, so that nobody waits."""
        return format_money(ruling_limits(progressive)[0])

    def get_ruling_daily(self, progressive: Progressive) -> str:
        """The same in a gaming day of the host."""
        return format_money(ruling_limits(progressive)[1])


class WinSerializer(serializers.ModelSerializer[Win]):
    progressive = serializers.CharField(source="progressive.code", read_only=True)
    table = serializers.CharField(source="table_log.table_code", read_only=True)
    premises = serializers.CharField(source="table_log.premises.code", read_only=True)
    amount = serializers.SerializerMethodField()
    from_pool = serializers.SerializerMethodField()
    from_house = serializers.SerializerMethodField()
    paid = serializers.SerializerMethodField()
    hit = HitField(
        read_only=True,
        help_text="The hand that is paid, as the settlement has it; its wager is the hand's own, of an envy bonus too.",
    )
    place = serializers.DateTimeField(read_only=True)
    told = serializers.DateTimeField(
        source="share.told",
        read_only=True,
        allow_null=True,
        default=None,
        help_text="The moment by the terminal's own clock; null: never told.",
    )
    earliest = serializers.DateTimeField(
        source="share.earliest", read_only=True, allow_null=True, default=None
    )
    latest = serializers.DateTimeField(source="share.latest", read_only=True, allow_null=True, default=None)
    late = serializers.BooleanField(source="share.late", read_only=True, default=True)
    decision = serializers.JSONField(
        source="run.decision", read_only=True, help_text="How the order among hits close to it was decided."
    )
    trace = serializers.JSONField(source="run.trace", read_only=True)
    adjustment = serializers.IntegerField(
        source="adjustment_id",
        read_only=True,
        allow_null=True,
        help_text="The second thought that brought it; null: the fold.",
    )
    replaces = serializers.IntegerField(
        source="replaces_id",
        read_only=True,
        allow_null=True,
        help_text="The win in whose place it stands.",
    )
    parts = serializers.SerializerMethodField()
    rules_version = serializers.IntegerField(source="run.rules_version", read_only=True)
    verified_by = serializers.CharField(
        source="verified_by.username", read_only=True, allow_null=True, default=None
    )
    paid_by = serializers.CharField(source="paid_by.username", read_only=True, allow_null=True, default=None)

    class Meta:
        model = Win
        fields = [
            "id",
            "progressive",
            "premises",
            "table",
            "seat",
            "player",
            "round_id",
            "trigger",
            "cards",
            "hit",
            "level",
            "amount",
            "from_pool",
            "from_house",
            "rule",
            "state",
            "place",
            "told",
            "earliest",
            "latest",
            "late",
            "decision",
            "resolved_at",
            "verified_by",
            "verified_at",
            "paid_by",
            "paid_at",
            "paid",
            "method",
            "trace",
            "adjustment",
            "replaces",
            "parts",
            "rules_version",
        ]

    def get_parts(self, win: Win) -> dict[str, str]:
        """Of a split payment, by way of paying."""
        return {name: format_money(micros) for name, micros in (win.parts or {}).items()}

    def get_amount(self, win: Win) -> str:
        return format_money(win.amount_micros)

    def get_from_pool(self, win: Win) -> str:
        return format_money(win.from_pool_micros)

    def get_from_house(self, win: Win) -> str:
        return format_money(win.from_house_micros)

    def get_paid(self, win: Win) -> str | None:
        return None if win.paid_micros is None else format_money(win.paid_micros)


class WinDetailSerializer(WinSerializer):
    """One win, with what became of it."""

    story = serializers.SerializerMethodField()
    slip = serializers.SerializerMethodField()
    not_covered = serializers.SerializerMethodField()
    held = serializers.SerializerMethodField()
    signs = serializers.SerializerMethodField()

    class Meta(WinSerializer.Meta):
        fields = [*WinSerializer.Meta.fields, "story", "slip", "not_covered", "held", "signs"]

    def get_signs(self, win: Win) -> list[dict[str, Any]]:
        """What each sign reported to have shown: its figure when the hand became public (with frame and time), from
        when on the hand was pending, from when on won; null where it told nothing of it."""
        return [
            {
                "sign": row.display.name,
                "stood": None if row.stood_micros is None else format_money(row.stood_micros),
                "stood_at": None if row.stood is None else row.stood.at,
                "sequence": None if row.stood is None else row.stood.frame.sequence,
                "pending_at": row.pending_at,
                "won_at": row.won_at,
            }
            for row in at_a_win(win)
        ]

    def get_story(self, win: Win) -> list[str]:
        """What became of it, in sentences."""
        return story(win)

    def get_slip(self, win: Win) -> str | None:
        """The number of its slip; null: none was printed."""
        last = win.slips.select_related("premises").first()
        return None if last is None else str(last)

    def get_not_covered(self, win: Win) -> list[str]:
        """Ways of paying that cannot cover it by the books, in sentences; of wins that are approved."""
        return not_covered(win) if win.state == Win.State.APPROVED else []

    def get_held(self, win: Win) -> dict[str, str] | None:
        """By way of paying (`chips`: the table's tray, `cash`: the cage) what the books hold for it, and the level's
        `fund`; of wins that are not paid."""
        if win.state not in Win.OPEN:
            return None
        return {name: format_money(micros) for name, micros in held(win).items()}


class RulingHandSerializer(serializers.Serializer[object]):
    seat = serializers.IntegerField()
    trigger = serializers.CharField()
    hit = HitField(
        help_text="As the settlement has it; `player` only for readers at its table's premises or at the host's."
    )


class RulingHitSerializer(serializers.Serializer[Share]):
    """A hit whose order is not certain: where it stands, and within which interval it happened."""

    round = serializers.IntegerField(source="event.round_id")
    premises = serializers.CharField(source="event.table_log.premises.code")
    table = serializers.CharField(source="event.table_log.table_code")
    hands = serializers.SerializerMethodField()
    moment = serializers.CharField()
    told = serializers.DateTimeField()
    place = serializers.DateTimeField()
    earliest = serializers.SerializerMethodField()
    latest = serializers.SerializerMethodField()
    received = serializers.DateTimeField(source="event.received_at")
    late = serializers.SerializerMethodField()

    @extend_schema_field(RulingHandSerializer(many=True))
    def get_hands(self, share: Share) -> list[dict[str, Any]]:
        return [
            {"seat": hit.wager.seat, "trigger": hit.trigger, "hit": self._shown(hit, share)}
            for hit in hits_in(share).hits
        ]

    def _shown(self, hit: Hit, share: Share) -> dict[str, Any]:
        """Who only takes part with other premises does not see wins here, and so not whose they are."""
        if not {self.context["host"], share.event.table_log.premises_id} & self.context["own"]:
            hit = hit.without_player()
        return hit_to_json(hit)

    def get_earliest(self, share: Share) -> str:
        return instant_of(placed_of(share).earliest).isoformat()

    def get_latest(self, share: Share) -> str:
        return instant_of(placed_of(share).latest).isoformat()

    def get_late(self, share: Share) -> bool:
        return placed_of(share).late


class RulingSerializer(serializers.Serializer[Progressive]):
    """What waits for a ruling. `outcomes` has every order that may be true, the one by place first; `best` is what each
    gets where the cameras cannot tell, of which the house adds `added`."""

    hits = serializers.SerializerMethodField()
    outcomes = serializers.SerializerMethodField()
    best = serializers.SerializerMethodField()
    added = serializers.SerializerMethodField()
    asked = serializers.SerializerMethodField()

    def to_representation(self, instance: Progressive) -> dict[str, Any]:
        self._waiting = rulings.waiting_cluster(instance)
        return super().to_representation(instance)

    @extend_schema_field(RulingHitSerializer(many=True))
    def get_hits(self, progressive: Progressive) -> list[dict[str, Any]]:
        shares = self._waiting.shares if self._waiting else ()
        seen_by = {"own": own_premises(self.context["request"].user), "host": progressive.host_id}
        return [RulingHitSerializer(share, context=seen_by).data for share in shares]

    def get_outcomes(self, progressive: Progressive) -> list[dict[str, Any]]:
        found = rulings.outcomes(self._waiting) if self._waiting else []
        return [
            {
                "rounds": [share.event.round_id for share in outcome.order],
                "paid": [_paid(share, paid) for share, paid in outcome.paid],
                "total": format_money(outcome.total_micros),
            }
            for outcome in found
        ]

    def get_best(self, progressive: Progressive) -> list[dict[str, Any]]:
        found = rulings.best(self._waiting) if self._waiting else []
        return [_paid(share, paid) for share, paid in found]

    def get_added(self, progressive: Progressive) -> str:
        return format_money(self._waiting.decision.added_micros if self._waiting else 0)

    def get_asked(self, progressive: Progressive) -> dict[str, Any] | None:
        """What one person has asked for and another has not decided yet."""
        asked = rulings.waiting_request(progressive)
        if asked is None:
            return None
        return {
            "id": asked.pk,
            "requested_by": asked.requested_by.username,
            "reason": asked.reason,
            **asked.payload,
        }


def _paid(share: Share, paid: Paid) -> dict[str, Any]:
    return {
        "round": share.event.round_id,
        "table": share.event.table_log.table_code,
        "trigger": paid.trigger,
        "level": paid.level,
        "amount": format_money(paid.amount_micros),
    }


class FrozenSerializer(serializers.Serializer[Any]):
    progressive = serializers.CharField(source="progressive.code")
    level = serializers.CharField()
    why = serializers.ListField(child=serializers.CharField())


class ReleaseSerializer(FormSerializer):
    form_class = ReleaseForm


class RuleSerializer(FormSerializer):
    form_class = RulingForm


class VerifySerializer(FormSerializer):
    form_class = VerifyForm


class ApproveSerializer(FormSerializer):
    form_class = ApproveForm


class PaySerializer(FormSerializer):
    form_class = PayForm


class SourceSerializer(FormSerializer):
    form_class = SourceForm
