"""What a manager wants a progressive to be: its rules, its settings and from when on, and every reason why it may not.

A draft is nothing yet. `jackpots.set_up.changes` asks for it and does it; `jackpots.set_up.review` shows it to both
people.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import asdict, dataclass, fields, replace
from datetime import date, datetime
from typing import Any

from django.utils.translation import gettext_noop

from config.kit.gaming_day import day_start
from config.kit.refusals import Fault, Refused, by_rule, wrong
from jackpots.models import Link, Progressive, ProgressiveConfig, state_of
from jackpots.order.links import links_of
from jackpots.set_up.configure import refuse_feeds
from ledger.books import chart
from ledger.books.errors import InvalidEntry
from people.models import Premises
from rules import RuleError
from rules.money import format_money, parse_money
from rules.progressive import ProgressiveRules, check_config, content_hash, decode, encode
from rules.progressive.changes import check_change, check_dated

MONEY = ("pay_alone_limit", "ruling_limit", "ruling_daily", "suspect_stake", "suspect_rate")
TITLES = {
    "name": gettext_noop("name"),
    "silence": gettext_noop("a silent table"),
    "lease_ms": gettext_noop("lease in ms"),
    "skew_ms": gettext_noop("skew in ms"),
    "pay_alone_limit": gettext_noop("one person pays up to"),
    "ruling_limit": gettext_noop("the house adds to an uncertain order up to"),
    "ruling_daily": gettext_noop("and in a gaming day up to"),
    "suspect_stake": gettext_noop("a wager looks wrong above"),
    "suspect_rate": gettext_noop("a table's wagers within a minute look wrong above"),
}


@dataclass(frozen=True)
class Settings:
    """What people set of a progressive beside its rules; amounts as money text, None where the default holds."""

    name: str
    silence: str = Progressive.Silence.HOLD.value
    lease_ms: int = 15_000
    skew_ms: int = 1_000
    pay_alone_limit: str = "0.00"
    ruling_limit: str | None = None
    ruling_daily: str | None = None
    suspect_stake: str | None = None
    suspect_rate: str | None = None

    @classmethod
    def of(cls, progressive: Progressive) -> Settings:
        given = {item.name: getattr(progressive, item.name) for item in fields(cls) if item.name not in MONEY}
        for name in MONEY:
            micros = getattr(progressive, f"{name}_micros")
            given[name] = None if micros is None else format_money(micros)
        return cls(**given)

    def as_columns(self) -> dict[str, Any]:
        given = asdict(self)
        for name in MONEY:
            value = given.pop(name)
            given[f"{name}_micros"] = None if value is None else parse_money(value, name)
        return given

    def differences(self, before: Settings | None) -> list[tuple[str, str, str]]:
        """What changes, in words: name, before, after."""
        old, new = {} if before is None else asdict(before), asdict(self)
        return [
            (TITLES[name], _said(old.get(name)), _said(value))
            for name, value in new.items()
            if before is None or old[name] != value
        ]


def _said(value: object) -> str:
    return gettext_noop("by default") if value is None else str(value)


@dataclass(frozen=True)
class Draft:
    """`progressive`: the one that it changes; none: a new one at `host`. `day`: the gaming day from which other rules
    hold; none: after the next win of a whole meter."""

    code: str
    host: Premises
    rules: ProgressiveRules
    settings: Settings
    progressive: Progressive | None = None
    day: date | None = None

    @property
    def changes_rules(self) -> bool:
        return self.progressive is not None and content_hash(self.rules) != self.progressive.config.sha256

    @property
    def effect_at(self) -> datetime | None:
        return day_start(self.host, self.day) if self.day is not None and self.changes_rules else None

    def payload(self) -> dict[str, Any]:
        """Exactly what the second person approves."""
        found: dict[str, Any] = {
            "progressive": self.code,
            "host": self.host.code,
            "rules_sha256": content_hash(self.rules),
            "rules": encode(self.rules),
            "settings": asdict(self.settings),
        }
        if self.progressive is not None:
            found["before_sha256"] = self.progressive.config.sha256
            found["settings_before"] = asdict(Settings.of(self.progressive))
            found["from_day"] = self.day.isoformat() if self.effect_at is not None and self.day else ""
        return found

    @classmethod
    def from_payload(cls, given: dict[str, Any], progressive: Progressive | None) -> Draft:
        host = Premises.objects.get(code=given["host"]) if progressive is None else progressive.host
        day = given.get("from_day") or None
        return cls(
            given["progressive"],
            host,
            decode(ProgressiveRules, given["rules"]),
            Settings(**given["settings"]),
            progressive,
            None if day is None else date.fromisoformat(day),
        )

    def as_asked(self, given: dict[str, Any]) -> Draft:
        """Beside the progressive as it was then, for whoever looks at it later."""
        if self.progressive is None:
            return self
        was = copy(self.progressive)
        was.config = ProgressiveConfig.objects.get(sha256=given["before_sha256"])
        for name, value in Settings(**given["settings_before"]).as_columns().items():
            setattr(was, name, value)
        return replace(self, progressive=was)


def read_document(given: object) -> ProgressiveRules:
    """The free form: the codec's JSON. Refused with the path of what is wrong."""
    try:
        return decode(ProgressiveRules, given, "document")
    except RuleError as fault:
        text = f"{fault.field}: {fault.message}"
        raise Refused("rule", text, faults=[Fault("document", text, fault.rule)]) from None


# --- Why not ---------------------------------------------------------------------------------------------------


def faults_of(draft: Draft) -> tuple[RuleError, ...]:
    """All that the rules say against it, at once."""
    progressive = draft.progressive
    if progressive is None:
        return check_config(draft.rules)
    if not draft.changes_rules:
        return ()
    state = state_of(list(progressive.meters.order_by("position")))
    before = progressive.config.rules
    found = [*check_change(before, draft.rules), *check_config(draft.rules, state)]
    if draft.day is not None:
        found += check_dated(before, draft.rules)
    return tuple(found)


def refuse(draft: Draft, now: datetime) -> None:
    """Nothing wrong can be asked for, and nothing that has become wrong is done."""
    _refuse_unbookable(draft)
    found = faults_of(draft)
    if found:
        raise by_rule(found)
    if draft.progressive is None:
        if Progressive.objects.filter(code=draft.code).exists():
            raise wrong("code", f"There is a progressive {draft.code} already.")
        return
    if not draft.changes_rules and draft.settings == Settings.of(draft.progressive):
        raise Refused("nothing_changes", f"{draft.progressive} is already as this says.")
    if draft.effect_at is not None and draft.effect_at <= now:
        raise wrong("day", "That gaming day has begun: nothing changes backwards. Name a later one.")
    refuse_links(draft.progressive, draft.rules)


def refuse_links(progressive: Progressive, rules: ProgressiveRules) -> None:
    """By table: what the rulebooks ask of all that a wager feeds must hold with the new rules too."""
    for mine in progressive.links.select_related("table_log"):
        refuse_feeds(with_rules(links_of(mine.table_log).links, progressive, rules))


def with_rules(links: Iterable[Link], progressive: Progressive, rules: ProgressiveRules) -> list[Link]:
    """The links of a table as they would be with other rules of one progressive."""
    return [_with(link, rules) if link.progressive_id == progressive.pk else link for link in links]


def _with(link: Link, rules: ProgressiveRules) -> Link:
    link, progressive = copy(link), copy(link.progressive)
    progressive.config = ProgressiveConfig(document=encode(rules))
    link.progressive = progressive
    return link


def _refuse_unbookable(draft: Draft) -> None:
    """Code and levels are parts of accounts: what the ledger cannot book must not come to play."""
    try:
        chart.pattern_of(chart.progressive(draft.host.code, draft.code, "transit"))
    except InvalidEntry as invalid:
        raise wrong("code", f"{draft.code!r} cannot be a progressive's code: {invalid}") from None
    for level in draft.rules.levels:
        try:
            chart.pattern_of(chart.level(draft.host.code, draft.code, level.name, "base"))
        except InvalidEntry as invalid:
            text = f"{level.name!r} cannot be a level's name: {invalid}"
            raise Refused("rule", text, faults=[Fault("levels", text)]) from None
