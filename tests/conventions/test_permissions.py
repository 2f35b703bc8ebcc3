"""Every URL × role: who gets in, who is turned away, and that reading roles change nothing.

A new route fails here until it has its line in TABLE. Roles are tried one at a time, at one premises; the objects that
the URLs name belong to that premises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib.auth import SESSION_KEY
from django.db import connection, transaction
from django.template import engines
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone
from django.views import defaults

from config.kit.gaming_day import gaming_day
from jackpots.fold.folding import fold
from jackpots.models import Display, TableLog, Win
from jackpots.set_up import changes
from jackpots.set_up.drafts import Draft, Settings
from jackpots.wins.hand_pay import verify
from ledger.models import Entry, Export, GamingDay
from people.alerts import alerts
from people.log_ins import invitations
from people.models import Premises, Role, User
from people.tokens import hash_token
from rules.contract import Hit, Wager
from rules.money import dollars
from tables.floor.notices import tell_inspector
from tables.models import Round
from tables.models import Terminal as TerminalRow
from tables.settle.settlement import ROUND_PARKED, settle_batch
from tests import acts
from tests import door as intake
from tests import log_verbs as event_log
from tests.conventions import counts_and_disputes, people_rows
from tests.conventions.corrected_rows import OF_A_ROUND, of_a_claim
from tests.conventions.documented import unknown_codes
from tests.conventions.jackpot_rows import held_contribution, held_hand
from tests.conventions.watched import WATCHED
from tests.examples import SOAK, by_turns
from tests.floor import Floor, new_round_id, stud_rules
from tests.on_record import add_user, give, vouch
from tests.terminal import PLAIN, Terminal, stud_round

SUPERVISOR, MANAGER, FINANCE = Role.SUPERVISOR, Role.JACKPOT_MANAGER, Role.FINANCE
AUDITOR, ADMINISTRATOR = Role.AUDITOR, Role.ADMINISTRATOR
FLOOR = {SUPERVISOR, MANAGER, FINANCE, AUDITOR}
BOOKS = {FINANCE, AUDITOR}
STAFF = {SUPERVISOR, MANAGER}
ALL = set(Role)

PUBLIC, ANYBODY_LOGGED_IN, TERMINAL = "public", "anybody logged in", "terminal"


@dataclass(frozen=True)
class Rule:
    """Who may call it; `method` and `body` that would do something if it were let through."""

    who: set[Role] | str
    method: str = "get"
    body: dict[str, Any] = field(default_factory=dict)


SLIP = {"kind": "fill", "slip": "7", "amount": "5.00"}
CLEARING = {"other": "lakeside", "we_owe": "0.00", "they_owe": "1.00", "reason": "March"}
RULING = {"kind": "order", "rounds": "1,2", "cameras": "CAM-7 21:04", "reason": "seen"}
CRAPS = {"game": "craps", "rulebook": "nz-1996"}
A_SIGN = {"premises": "harbour", "name": "Wall", "progressives": ["stud"]}
CHECKED = {"hand_confirmed": True, "deck_counted": True}
THOUGHT = {"kind": "reject", "reason": "a card was missing"}
HAND_PAYS = {
    "from_day": "2099-01-01", "unclaimed_days": 7, "expiry_days": 365, "second_thought_days": 30, "reason": "new law",
}  # fmt: skip
ADJUSTED = {"amount": "5.00", "direction": "up", "cause": "addition", "reason": "Christmas"}
ADVANCED = {"wager": "w", "trigger": "flush", "hand_confirmed": True, "deck_counted": True}
SETTLED = {"kind": "written-off", "amount": "1.00", "reason": "gone"}
TRANSFER = {"to_progressive": "next", "to_level": "grand", "reason": "moves"}
END = {"do": "announce", "last_day": "2099-01-01", "targets": {"grand": "next/grand"}, "reason": "moves"}
TABLE: dict[str, list[Rule]] = {
    # The house
    "healthz": [Rule(PUBLIC)],
    "readyz": [Rule(PUBLIC)],
    "metrics": [Rule(PUBLIC)],
    "board-words": [Rule(PUBLIC)],  # words that every page has, in the language of the reader
    "api-schema": [Rule(PUBLIC)],
    "api-docs": [Rule(PUBLIC)],
    # Ledger
    "ledger-days": [Rule(FLOOR)],
    "ledger-day": [Rule(FLOOR)],
    "ledger-day-step": [Rule({FINANCE, SUPERVISOR, MANAGER}, "post")],
    "trial-balance": [Rule(BOOKS)],
    "journal": [Rule(BOOKS)],
    "ledger-entry": [Rule(BOOKS)],
    "dues": [Rule(BOOKS)],
    "clear-dues": [Rule({FINANCE}, "post", CLEARING)],
    "reconciliation": [Rule(BOOKS)],
    "ledger-report": [Rule(BOOKS)],
    "exports": [Rule(BOOKS)],
    "request-export": [Rule({FINANCE}, "post")],
    "download-export": [Rule(BOOKS)],
    "seals": [Rule(BOOKS)],
    "api-days": [Rule(FLOOR)],
    "api-day": [Rule(FLOOR)],
    "api-begin-close": [Rule({FINANCE}, "post")],
    "api-abandon-close": [Rule({FINANCE}, "post", {"reason": "test"})],
    "api-close": [Rule({FINANCE}, "post")],
    "api-carry-over": [Rule({FINANCE, SUPERVISOR, MANAGER}, "post")],
    "api-trial-balance": [Rule(BOOKS)],
    "api-entries": [Rule(BOOKS)],
    "api-entry": [Rule(BOOKS)],
    "api-dues": [Rule(BOOKS), Rule({FINANCE}, "post", CLEARING)],
    "api-seals": [Rule(BOOKS)],
    "api-reports": [Rule(BOOKS)],
    "api-report": [Rule(BOOKS)],
    "api-exports": [Rule(BOOKS), Rule({FINANCE}, "post")],
    "api-export": [Rule(BOOKS)],
    "api-export-file": [Rule(BOOKS)],
    # Jackpots
    "jackpots": [Rule(FLOOR)],
    "jackpot-win": [Rule(FLOOR)],
    "jackpot-ruling": [Rule(FLOOR), Rule(STAFF, "post", RULING)],
    "jackpot-history": [Rule(FLOOR)],
    "jackpot-win-step": [Rule(STAFF, "post", {"note": "seen"})],
    "jackpot-second-thought": [Rule(FLOOR), Rule(STAFF, "post", THOUGHT)],
    "jackpot-held": [Rule(FLOOR), Rule(STAFF, "post", {"reason": "seen"})],
    "jackpot-adjust": [Rule(FLOOR), Rule({MANAGER, FINANCE}, "post", ADJUSTED)],
    "jackpot-advances": [Rule(FLOOR)],
    "jackpot-advance": [Rule(FLOOR), Rule(STAFF, "post", ADVANCED)],
    "api-advances": [Rule(FLOOR)],
    "api-hand-out": [Rule(STAFF, "post", ADVANCED)],
    "jackpot-suspects": [Rule(FLOOR)],
    "jackpot-suspect-step": [Rule(STAFF, "post", {"reason": "seen"})],
    "api-suspects": [Rule(FLOOR)],
    "api-suspect-accept": [Rule(STAFF, "post", {"reason": "seen"})],
    "api-suspect-return": [Rule(STAFF, "post", {"reason": "seen"})],
    "jackpot-recoverables": [Rule(FLOOR)],
    "jackpot-recoverable": [Rule(FLOOR), Rule({MANAGER, FINANCE}, "post", SETTLED)],
    "api-recoverables": [Rule(FLOOR)],
    "api-win-settle": [Rule({MANAGER, FINANCE}, "post", SETTLED)],
    "jackpot-transfer": [Rule(FLOOR), Rule({MANAGER, FINANCE}, "post", TRANSFER)],
    "jackpot-slip": [Rule(STAFF, "post")],
    "jackpot-pack": [Rule({MANAGER, FINANCE, AUDITOR}, "post")],
    "api-pack": [Rule({MANAGER, FINANCE, AUDITOR}, "post")],
    "api-evidence-keys": [Rule(FLOOR)],
    "jackpot-unclaimed": [Rule({MANAGER, FINANCE}, "post", {"reason": "gone"})],
    "jackpot-hand-pays": [Rule(FLOOR), Rule({MANAGER, FINANCE}, "post", HAND_PAYS)],
    "jackpot-winner-step": [Rule({MANAGER, FINANCE}, "post", {"reason": "asked to"})],
    "jackpot-level-release": [Rule({MANAGER, FINANCE}, "post", {"reason": "seen"})],
    "progressives": [Rule(FLOOR)],
    "progressive": [Rule(FLOOR)],
    "progressive-asked": [Rule(FLOOR)],
    "progressive-new": [Rule({MANAGER}), Rule({MANAGER}, "post", {"code": "x"})],
    "progressive-review-new": [Rule({MANAGER}, "post", {"code": "x"})],
    "progressive-change": [Rule({MANAGER}), Rule({MANAGER}, "post", {"name": "x"})],
    "progressive-review": [Rule({MANAGER}, "post", {"name": "x"})],
    "progressive-withdraw": [Rule({MANAGER}, "post", {"reason": "x"})],
    "progressive-end": [Rule(FLOOR), Rule({MANAGER, FINANCE}, "post", END)],
    "progressive-link": [Rule({MANAGER}, "post", {"reason": "x"})],
    "progressive-link-step": [Rule(STAFF, "post", {"reason": "x"})],
    "api-schedules": [Rule(FLOOR)],
    "api-progressive-new": [Rule({MANAGER}, "post", {"code": "x"})],
    "api-progressive-review-new": [Rule({MANAGER}, "post", {"code": "x"})],
    "api-progressive-change": [Rule({MANAGER}, "post", {"name": "x"})],
    "api-progressive-review": [Rule({MANAGER}, "post", {"name": "x"})],
    "api-progressive-withdraw": [Rule({MANAGER}, "post", {"reason": "x"})],
    "api-progressive-links": [Rule({MANAGER}, "post", {"reason": "x"})],
    "api-link-suspend": [Rule(STAFF, "post", {"reason": "x"})],
    "api-link-resume": [Rule(STAFF, "post", {"reason": "x"})],
    "displays": [Rule(ALL)],
    "new-display": [Rule({ADMINISTRATOR, MANAGER}), Rule({ADMINISTRATOR, MANAGER}, "post", A_SIGN)],
    "display-preview": [Rule({ADMINISTRATOR, MANAGER})],
    "display": [Rule(ALL), Rule({ADMINISTRATOR, MANAGER}, "post", A_SIGN)],
    "display-step": [Rule({ADMINISTRATOR, MANAGER}, "post", {"reason": "lost"})],
    "sign": [Rule(PUBLIC)],
    "sign-frames": [Rule(PUBLIC)],
    "api-displays": [Rule(ALL), Rule({ADMINISTRATOR, MANAGER}, "post", A_SIGN)],
    "api-display": [Rule(ALL), Rule({ADMINISTRATOR, MANAGER}, "post", A_SIGN)],
    "api-display-renew": [Rule({ADMINISTRATOR, MANAGER}, "post", {"overlap_hours": 1})],
    "api-display-restrict": [Rule({ADMINISTRATOR, MANAGER}, "post", {"networks": "10.1.0.0/16"})],
    "api-display-revoke": [Rule({ADMINISTRATOR, MANAGER}, "post", {"reason": "lost"})],
    "api-progressives": [Rule(FLOOR)],
    "api-ruling": [Rule(FLOOR), Rule(STAFF, "post", RULING)],
    "jackpot-explain": [Rule(FLOOR)],
    "jackpot-explain-wagers": [Rule(FLOOR)],
    "api-explain": [Rule(FLOOR)],
    "jackpot-hits": [Rule(FLOOR)],
    "jackpot-night": [Rule(FLOOR)],
    "api-night": [Rule(FLOOR)],
    "api-hits": [Rule(FLOOR)],
    "jackpot-referee": [Rule(FLOOR)],
    "api-referee": [Rule(FLOOR)],
    "api-frozen": [Rule(FLOOR)],
    "api-level-release": [Rule({MANAGER, FINANCE}, "post", {"reason": "seen"})],
    "api-level-adjust": [Rule({MANAGER, FINANCE}, "post", ADJUSTED)],
    "api-level-transfer": [Rule({MANAGER, FINANCE}, "post", TRANSFER)],
    "api-progressive-end": [Rule({MANAGER, FINANCE}), Rule({MANAGER, FINANCE}, "post", END)],
    "api-progressive-end-withdraw": [Rule({MANAGER, FINANCE}, "post", {"reason": "x"})],
    "api-progressive-decommission": [Rule({MANAGER, FINANCE}, "post", {"reason": "x"})],
    "api-held-hands": [Rule(FLOOR)],
    "api-held-look": [Rule(STAFF, "post", {"borne": "house"})],
    "api-held-let-in": [Rule(STAFF, "post", {"reason": "seen"})],
    "api-held-dismiss": [Rule(STAFF, "post", {"reason": "seen"})],
    "api-second-thought": [Rule(STAFF, "post", THOUGHT)],
    "api-second-thought-look": [Rule(STAFF, "post", THOUGHT)],
    "api-slip": [Rule(STAFF, "post")],
    "api-win-source": [Rule(STAFF, "post", {"method": "chips", "reason": "no opener"})],
    "api-win-set-aside": [Rule({MANAGER, FINANCE}, "post", {"reason": "gone"})],
    "api-win-expire": [Rule({MANAGER, FINANCE}, "post", {"reason": "gone"})],
    "api-win-claim": [Rule(STAFF, "post", {"reason": "came"})],
    "api-hand-pays": [Rule(FLOOR), Rule({MANAGER, FINANCE}, "post", HAND_PAYS)],
    "api-wins": [Rule(FLOOR)],
    "api-win": [Rule(FLOOR)],
    "api-win-verify": [Rule(STAFF, "post", CHECKED)],
    "api-win-approve": [Rule(STAFF, "post")],
    "api-win-pay": [Rule(STAFF, "post", {"method": "cash"})],
    "api-winner": [Rule(STAFF, "post", {"name": "Mere", "document": "passport 1"})],
    "api-winner-show": [Rule(STAFF | {FINANCE, AUDITOR}, "post")],
    "api-winner-forget": [Rule({MANAGER, FINANCE}, "post", {"reason": "asked to"})],
    # Tables
    "credentials": [Rule({ADMINISTRATOR})],
    "issue-credential": [Rule({ADMINISTRATOR}, "post", {"name": "x"})],
    "credential-step": [Rule({ADMINISTRATOR}, "post", {"reason": "lost"})],
    "set-up-floor": [Rule({ADMINISTRATOR, SUPERVISOR})],
    "new-table": [Rule({ADMINISTRATOR}), Rule({ADMINISTRATOR}, "post", {"code": "CR-09", "reason": "new"})],
    "table-set-up": [Rule(ALL)],
    "table-rules": [Rule({ADMINISTRATOR}), Rule({ADMINISTRATOR}, "post", {"reason": "other odds"})],
    "table-limits": [Rule({SUPERVISOR}), Rule({SUPERVISOR}, "post", {"reason": "busy"})],
    "table-step": [Rule({SUPERVISOR}, "post", {"reason": "over"})],
    "acknowledge-notice": [Rule({SUPERVISOR, AUDITOR}, "post", {"inspector": "17"})],
    "api-new-table": [Rule({ADMINISTRATOR}, "post", {"code": "CR-09", "rules": CRAPS, "reason": "new"})],
    "api-table-rules": [Rule(ALL), Rule({ADMINISTRATOR}, "post", {"rules": {}, "reason": "other odds"})],
    "api-table-limits": [Rule({SUPERVISOR}, "post", {"limits": {}, "reason": "busy"})],
    "api-table-arrange": [Rule({ADMINISTRATOR, SUPERVISOR}, "post", {"pit": "P9", "reason": "moved"})],
    "api-table-withdraw": [Rule({ADMINISTRATOR, SUPERVISOR}, "post", {"reason": "no"})],
    "api-table-show-closing": [Rule({SUPERVISOR}, "post", {"reason": "over"})],
    "api-table-take-closing-back": [Rule({SUPERVISOR}, "post", {"reason": "not over"})],
    "api-table-notices": [Rule(ALL), Rule({SUPERVISOR}, "post", {"kind": "cards", "text": "a new pack"})],
    "api-acknowledge-notice": [Rule({SUPERVISOR, AUDITOR}, "post", {"inspector": "17"})],
    "floor": [Rule(FLOOR)],
    "table": [Rule(FLOOR)],
    "table-hold": [Rule(FLOOR)],
    "try-round": [Rule(ALL)],
    "rules-room": [Rule(ALL)],
    "rules-game": [Rule(ALL)],
    "rules-section": [Rule(ALL)],
    "words": [Rule(ALL)],
    "document": [Rule(ALL)],
    "cited-rule": [Rule(ALL)],
    "dealer": [Rule(PUBLIC)],  # an empty page: what it shows takes the tablet's token
    # Without a name nothing is handed over: it would end the log-in by which the other doors are tried here.
    "table-tablet": [Rule({SUPERVISOR}, "post", {"name": ""})],
    "table-open": [Rule({SUPERVISOR}, "post", {"open": "no"})],
    "table-chips": [Rule({SUPERVISOR}, "post", SLIP), Rule({FINANCE}, "post", SLIP | {"kind": "drop"})],
    "table-leave-out": [Rule(STAFF, "post", {"reason": "dead"})],
    "table-close": [Rule(STAFF, "post", {"reason": "dead"})],
    "table-take-over": [Rule(STAFF, "post", {"reason": "dead"})],
    "round": [Rule(FLOOR)],
    "correct-round": [
        Rule(STAFF),
        Rule(STAFF, "post", {"change": '{"dealt": {}}', "reason": "camera", "do": "ask"}),
    ],
    "round-end": [
        Rule(STAFF),
        Rule(STAFF, "post", {"change": '{"dealt": {}}', "reason": "its screen is dark", "do": "ask"}),
    ],
    "api-look-at-end": [Rule(STAFF, "post", {"change": {"dealt": {}}})],
    "api-end-round": [Rule(STAFF, "post", {"change": {"dealt": {}}, "reason": "its screen is dark"})],
    "round-hands": [Rule(FLOOR), Rule(STAFF, "post", {"borne": "house", "reason": "camera"})],
    "claims": [Rule(FLOOR)],
    "claim": [Rule(FLOOR)],
    "settle-claim": [Rule({SUPERVISOR, FINANCE}, "post", {"how": "chips", "reason": "known"})],
    "give-up-claim": [Rule({SUPERVISOR, FINANCE}, "post", {"reason": "gone"})],
    "api-look-at-correction": [Rule(STAFF, "post", {"change": {"dealt": {}}})],
    "api-correct-round": [Rule(STAFF, "post", {"change": {"dealt": {}}, "reason": "camera"})],
    "api-look-at-hands": [Rule(STAFF, "post", {"borne": "house"})],
    "api-round-hands": [Rule(STAFF, "post", {"borne": "house", "reason": "camera"})],
    "api-claims": [Rule(FLOOR)],
    "api-settle-claim": [Rule({SUPERVISOR, FINANCE}, "post", {"how": "chips", "reason": "known"})],
    "api-give-up-claim": [Rule({SUPERVISOR, FINANCE}, "post", {"reason": "gone"})],
    "round-leave-out": [Rule(STAFF, "post", {"reason": "stuck"})],
    "round-settle-again": [Rule({SUPERVISOR}, "post", {"reason": "mended"})],
    "api-games": [Rule(ANYBODY_LOGGED_IN)],
    "api-try-round": [Rule(ANYBODY_LOGGED_IN, "post", {"game": "sic-bo", "rulebook": "gb-2011"})],
    "api-table-layout": [Rule(TERMINAL)],
    "api-table-tablet": [Rule({SUPERVISOR}, "post", {"name": ""})],
    "api-tables": [Rule(FLOOR)],
    "api-round": [Rule(FLOOR)],
    "api-table-chips": [Rule({SUPERVISOR}, "post", SLIP), Rule({FINANCE}, "post", SLIP | {"kind": "drop"})],
    "api-table-terminals": [Rule({ADMINISTRATOR}), Rule({ADMINISTRATOR}, "post", {"name": "x"})],
    "api-terminal-renew": [Rule({ADMINISTRATOR}, "post", {"overlap_hours": 1})],
    "api-terminal-restrict": [Rule({ADMINISTRATOR}, "post", {"networks": "10.1.0.0/16"})],
    "api-terminal-revoke": [Rule({ADMINISTRATOR}, "post", {"reason": "lost"})],
    "api-table-events": [Rule(TERMINAL, "post", {"events": []})],
    "api-table-round": [Rule(TERMINAL)],
}
OTHER_ROWS = counts_and_disputes.RULES | people_rows.RULES
TABLE |= {name: [Rule(*one) for one in rules] for name, rules in OTHER_ROWS.items()}
STEPS_OF_A_PERSON = ("api-person", "api-ask-role", "api-take-role", "api-ask-link", "api-make-link", "api-unlock",
    "api-end-log-ins", "api-leave")  # fmt: skip
OF_STUD = (
    "progressive", "progressive-change", "progressive-review", "progressive-withdraw", "progressive-link",
    "api-progressive-change", "api-progressive-review", "api-progressive-withdraw", "api-progressive-links",
    "progressive-end", "api-progressive-end", "api-progressive-end-withdraw", "api-progressive-decommission",
)  # fmt: skip
STEPS_OF_A_SIGN = (
    "display",
    "api-display",
    "api-display-renew",
    "api-display-restrict",
    "api-display-revoke",
)
OF_ANY_TERMINAL = ("api-games", "api-try-round")
STEPS_OF_A_TERMINAL = ("api-terminal-renew", "api-terminal-restrict", "api-terminal-revoke")
# To log out leads everybody to the log-in, which is how being turned away looks, and would end the session here.
CASES = [(name, rule) for name, rules in TABLE.items() for rule in rules if name != "logout"]


def routes(resolver: URLResolver | None = None) -> Iterator[URLPattern]:
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            yield from routes(pattern)
        else:
            yield pattern


def test_every_route_has_its_line() -> None:
    assert sorted(str(route.name) for route in routes()) == sorted(TABLE)


@dataclass
class Site:
    floor: Floor
    names: dict[str, dict[str, Any]]
    """By route, what its URL names; all at harbour."""

    def url(self, route: str) -> str:
        return reverse(route, kwargs=self.names.get(route))

    def call(self, client: Client, route: str, rule: Rule) -> Any:
        if rule.method == "get":
            return client.get(self.url(route))
        if route.startswith("api-"):
            return client.post(self.url(route), rule.body, content_type="application/json")
        return client.post(self.url(route), rule.body)


def with_a_win(floor: Floor) -> Win:
    """A settled round at CS-01, a win at CS-02 that waits for its second person, and 1.00 that lakeside owes."""
    table = floor.tables["CS-01"]
    terminal = Terminal(
        "CS-01",
        lambda events: [intake.take(table.pk, event) for event in events],
        lambda n, at: None,
        timezone.now,
    )
    terminal.event("round", uuid4(), stud_round({1: PLAIN[0]}, first_card=timezone.now()))
    link = TableLog.objects.get(table_code="CS-02")
    with transaction.atomic():
        event_log.record_stakes(
            link, round_id := new_round_id(), [Wager("w", "jackpot", dollars(1), 1)], timezone.now()
        )
        event_log.decide(
            link, round_id, [Hit(Wager("w", "jackpot", dollars(1), 1), "flush", "x")], {}, timezone.now()
        )
        elsewhere, lost = TableLog.objects.get(table_code="CS-03"), new_round_id()
        event_log.record_stakes(elsewhere, lost, [Wager("w", "jackpot", dollars(1), 1)], timezone.now())
        event_log.decide(elsewhere, lost, [], {}, timezone.now())
        event_log.close_log(TableLog.objects.get(table_code="CS-01"))
        for each in TableLog.objects.filter(is_open=True):
            event_log.beat(each, timezone.now())
    settle_batch()
    fold(floor.progressive.pk)
    return verify(Win.objects.get().pk, floor.people["grace"], CHECKED)


def set_up_names(floor: Floor) -> dict[str, dict[str, Any]]:
    place: dict[str, Any] = {"premises": "harbour"}
    notice = tell_inspector(floor.tables["CS-02"].pk, floor.people["grace"], "cards", "a new pack")
    of_a_table = "api-table-(rules|limits|arrange|withdraw|show|take|notices)"
    return {
        **dict.fromkeys(("premises-page", "new-table", "api-one-premises", "api-new-table"), place),
        "acknowledge-notice": {**place, "pk": notice.pk},
        "api-acknowledge-notice": {"pk": notice.pk},
        "table-step": {**place, "code": "CS-01", "step": "show-closing"},
        **{route: {**place, "table": "CS-02"} for route in TABLE if re.match(of_a_table, route)},
    }


def of_set_up(floor: Floor) -> dict[str, dict[str, Any]]:
    """What the URLs of setting up name, with a request that waits for its second person."""
    draft = Draft("new", floor.harbour, stud_rules(), Settings("New"))
    asked = changes.request_setup(draft, floor.people["jan"], "asked")
    at_table = {"code": "stud", "table": "CS-01"}
    return {
        **{route: {"code": "stud"} for route in OF_STUD},
        "progressive-asked": {"pk": asked.pk},
        "progressive-link-step": {**at_table, "premises_code": "harbour", "step": "suspend"},
        **{f"api-link-{step}": {**at_table, "at": "harbour"} for step in ("suspend", "resume")},
    }


READ_BY_LINKED = ("jackpot-hits", "api-hits", "jackpot-night", "api-night")
STEPS_OF_A_WIN = (
    "api-slip", "api-win-source", "api-win-set-aside", "api-win-expire", "api-win-claim", "api-second-thought",
    "api-second-thought-look", "jackpot-recoverable", "api-win-settle",
    "api-pack", "jackpot-pack",
)  # fmt: skip
HELD = ("jackpot-held", "api-held-look", "api-held-let-in", "api-held-dismiss")


SUSPECTS = ("api-suspect-accept", "api-suspect-return")


def second_thoughts_and_hand_pays(floor: Floor, win: Win) -> dict[str, dict[str, Any]]:
    return {
        **{route: {"pk": win.pk} for route in (*STEPS_OF_A_WIN, "jackpot-second-thought", "jackpot-slip")},
        **{route: {"pk": held_hand(floor).pk} for route in HELD},
        **{route: {"pk": held_contribution(floor).pk} for route in SUSPECTS},
        "jackpot-suspect-step": {"pk": held_contribution(floor).pk, "step": "return"},
        "jackpot-advance": {"pk": win.share_id},
        "api-hand-out": {"pk": win.share_id},
        "jackpot-unclaimed": {"pk": win.pk, "step": "set-aside"},
        "api-hand-pays": {"premises": "harbour"},
        "jackpot-adjust": {"code": "stud", "level": "grand"},
        "api-level-adjust": {"code": "stud", "level": "grand"},
        "jackpot-transfer": {"code": "stud", "level": "grand"},
        "api-level-transfer": {"code": "stud", "level": "grand"},
    }


def of_the_ledger(
    on_day: dict[str, Any], entry: dict[str, Any], its_export: dict[str, Any]
) -> dict[str, dict[str, Any]]:
    place = {"premises": "harbour"}
    return {
        "ledger-day": on_day,
        "ledger-day-step": {**on_day, "step": "carry"},
        "ledger-entry": entry,
        "ledger-report": {"name": "ledger.journal"},
        "request-export": place,
        "clear-dues": place,
        "api-dues": place,
        "download-export": its_export,
        "api-days": place,
        **{f"api-{step}": on_day for step in ("day", "begin-close", "abandon-close", "close", "carry-over")},
        "api-trial-balance": place,
        "api-entries": place,
        "api-entry": entry,
        "api-seals": place,
        "api-reports": place,
        "api-report": {**place, "name": "ledger.journal"},
        "api-exports": place,
        "api-export": its_export,
        "api-export-file": its_export,
    }


class BarePages:
    """The page of a closed door is one page for all of them, which other tests draw; here its status says it."""

    @staticmethod
    def get_template(name: str) -> Any:
        return engines["django"].from_string(name)


@pytest.fixture
def site(standing_floor: Floor, monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.setattr(defaults, "loader", BarePages)
    """A floor with a round, a win that waits for its second person, an alert, an entry, an export and a sign at
    harbour."""
    floor = standing_floor
    win = with_a_win(floor)
    sign = Display.objects.create(
        premises=floor.harbour, name="Wall", progressive=floor.progressive, token_sha256=hash_token("a-sign")
    )
    vouch(sign)
    alert = alerts.raise_alert(ROUND_PARKED, Round.objects.get(), "It stands still", premises=floor.harbour)
    day = gaming_day(floor.harbour, timezone.now())
    export = Export.objects.create(
        premises=floor.harbour,
        first=day,
        last=day,
        request={},
        request_sha256="e" * 64,
        requested_by=floor.people["fiona"],
    )
    assert win.approval is not None
    assert alert is not None
    kiri = add_user("kiri", name="Kiri", password=None)
    give(user=kiri, premises=floor.harbour, role=Role.SUPERVISOR)
    place: dict[str, Any] = {"premises": "harbour"}
    on_day = {**place, "date": day.isoformat()}
    entry = {**place, "pk": Entry.objects.filter(premises=floor.harbour).first().pk}  # type: ignore[union-attr]
    its_round, its_win = Round.objects.get().pk, {"pk": win.pk}
    its_export = {**place, "pk": export.pk}
    terminal_at = {**place, "table": "CS-01"}
    its_terminal = TerminalRow.objects.get(table__code="CS-02")
    names: dict[str, dict[str, Any]] = {
        **set_up_names(floor),
        **counts_and_disputes.names(floor),
        "invitation": {"token": invitations.make("tests", kiri)},
        "credential-step": {"pk": its_terminal.pk, "step": "revoke"},
        **{step: {"pk": sign.pk} for step in STEPS_OF_A_SIGN},
        "display-step": {"pk": sign.pk, "step": "revoke"},
        "person": {"pk": kiri.pk},
        "person-step": {"pk": kiri.pk, "step": "unlock"},
        **{step: {"pk": kiri.pk} for step in STEPS_OF_A_PERSON},
        **{step: {"pk": its_terminal.pk} for step in STEPS_OF_A_TERMINAL},
        "api-table-terminals": {**place, "table": "CS-02"},
        "api-frozen": {"code": "stud"},
        "api-level-release": {"code": "stud", "level": "grand"},
        "decide-approval": {**place, "pk": win.approval.pk},
        "approval": {"pk": win.approval.pk},
        **{key: {"pk": alert.pk} for key in ("api-alert-acknowledge", "acknowledge-alert")},
        "go": {"reference": f"tables.round:{its_round}"},
        **of_the_ledger(on_day, entry, its_export),
        **of_set_up(floor),
        "jackpot-ruling": {"code": "stud"},
        **{route: {"code": "stud"} for route in ("jackpot-history", *READ_BY_LINKED)},
        "api-ruling": {"code": "stud"},
        **{route: {"code": "stud", "level": "grand"} for route in ("jackpot-explain", "api-explain")},
        "jackpot-explain-wagers": {"code": "stud"},
        "jackpot-win": its_win,
        "jackpot-referee": its_win,
        "api-referee": its_win,
        **second_thoughts_and_hand_pays(floor, win),
        "jackpot-win-step": {**its_win, "step": "approve"},
        "jackpot-winner-step": {**its_win, "step": "forget"},
        **{route: its_win for route in TABLE if route.startswith("api-winner")},
        "jackpot-level-release": {"code": floor.progressive.code, "level": "grand"},
        "sign": {"token": "a-sign"},
        "sign-frames": {"token": "a-sign"},
        **dict.fromkeys(("api-win", "api-win-verify", "api-win-approve", "api-win-pay"), its_win),
        **{route: {**place, "code": "CS-01"} for route in TABLE if re.match("table(-(?!step)|$)", route)},
        **{route: {**place, "pk": its_round} for route in TABLE if re.match("round(-|$)", route)},
        **{route: {"pk": its_round} for route in OF_A_ROUND},
        "correct-round": {**place, "pk": its_round},
        **of_a_claim(floor),
        "dealer": {**place, "code": "CS-01"},
        "rules-game": {"name": "caribbean-stud", "rulebook": "nz-1996"},
        "rules-section": {"name": "nz-1996-VIII"},
        "document": {"name": "floor"},
        **{f"api-table-{what}": terminal_at for what in ("layout", "tablet", "chips", "events")},
        "api-table-round": {**terminal_at, "uid": Round.objects.get().uid},
    }
    return Site(floor, names)


def client_of(role: Role | None, premises: Premises | None) -> Client:
    user = add_user(f"one-{uuid4().hex[:8]}", name="One", password=None)
    if role is not None and premises is not None:
        give(user=user, premises=premises, role=role)
    client = Client(raise_request_exception=False)
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return client


def verdict(answer: Any) -> str:
    """Let in (whatever the verb then said), turned away, or not there for this person."""
    assert answer.status_code < 500 or answer.status_code == 503, answer.content[
        :500
    ]  # 503: /readyz without Redis
    if answer.status_code in (401, 403) or (answer.status_code == 302 and "/login/" in answer.url):
        return "turned away"
    return "not there" if answer.status_code == 404 else "let in"


def expect(wrong: list[str], wanted: set[str], answer: Any, name: str, who: object) -> None:
    if verdict(answer) not in wanted:
        wrong.append(f"{name} as {who}: {verdict(answer)} ({answer.status_code}), not {' or '.join(wanted)}")


def may(rule: Rule) -> list[Role]:
    return [role for role in Role if rule.who in (PUBLIC, ANYBODY_LOGGED_IN) or role in rule.who]


def test_each_role_gets_where_it_may_and_no_further(site: Site) -> None:
    wrong: list[str] = []
    done: set[str] = set()
    clients = {role: client_of(role, site.floor.harbour) for role in Role}
    for number, (name, rule) in enumerate(CASES):
        allowed = may(rule)  # a page takes a hundred times as long as a closed door
        for role in [*(role for role in Role if role not in allowed), *by_turns(number, allowed)]:
            with transaction.atomic(), acts.noted() as recorded:
                answer = site.call(clients[role], name, rule)
                transaction.set_rollback(True)
            expect(wrong, let_in(name) if role in allowed else {"turned away"}, answer, name, role)
            wrong += unknown_codes(name, rule.method, answer)
            if rule.method == "post" and rule.who != PUBLIC and role in allowed and answer.status_code < 400:
                done.add(name)
                wrong += acts.missing(name, recorded)
    assert wrong == []
    assert done >= acts.OF_ONE.keys() | acts.OF_NOBODY.keys()


def let_in(name: str) -> set[str]:
    if name in ("download-export", "api-export-file"):
        return {"let in", "not there"}  # it is not built yet, and says so
    return {"let in"}


# Their URLs name no row of one premises: whoever has the role somewhere gets in, and finds what is theirs alone.
OF_ONES_OWN = {"ledger-report", "issue-credential", "rules-game", "rules-section", "document"}
OF_WHO_TAKES_PART = {
    *("jackpot-ruling", "api-ruling", "api-frozen", "progressive", "jackpot-adjust", "jackpot-history"),
    *("jackpot-explain", "jackpot-explain-wagers", "api-explain", "jackpot-transfer", "progressive-end"),
    *READ_BY_LINKED,
}


def test_a_role_elsewhere_opens_no_door_here(site: Site) -> None:
    """At another premises, which hosts nothing and has a table of its own in the link: every role that the door is open
    to there, and of those that would not get in at home either one by turns."""
    clients = {role: client_of(role, site.floor.lakeside) for role in Role}
    wrong: list[str] = []
    before = fingerprint()
    for number, (name, rule) in enumerate(CASES):
        if name in OF_WHO_TAKES_PART and rule.method == "get":
            continue  # who takes part in a progressive reads what it waits for
        if rule.who not in (PUBLIC, ANYBODY_LOGGED_IN) and name in site.names and name not in OF_ONES_OWN:
            allowed = may(rule)
            for role in [*allowed, *by_turns(number, [role for role in Role if role not in allowed])]:
                answer = site.call(clients[role], name, rule)
                expect(wrong, {"turned away", "not there"}, answer, name, f"{role} elsewhere")
    assert wrong == []
    assert fingerprint() == before


def test_strangers_people_without_a_role_and_terminals(site: Site) -> None:
    stranger, nobody = Client(raise_request_exception=False), client_of(None, None)
    own, other = (
        Client(raise_request_exception=False, headers={"Authorization": f"Bearer {site.floor.tokens[code]}"})
        for code in ("CS-01", "CS-02")
    )
    wrong: list[str] = []
    for name, rule in CASES:
        public = rule.who == PUBLIC
        expect(
            wrong, {"let in" if public else "turned away"}, site.call(stranger, name, rule), name, "stranger"
        )
        wanted = "let in" if public or rule.who == ANYBODY_LOGGED_IN else "turned away"
        if name in ("choose-premises", "go"):
            wanted = "not there"  # none to choose, no row of theirs
        expect(wrong, {wanted}, site.call(nobody, name, rule), name, "somebody without a role")
        wanted = "let in" if public or rule.who == TERMINAL or name in OF_ANY_TERMINAL else "turned away"
        expect(wrong, {wanted}, site.call(own, name, rule), name, "the table's terminal")
        if rule.who == TERMINAL:
            expect(wrong, {"turned away"}, site.call(other, name, rule), name, "another table's terminal")
    assert wrong == []


def fingerprint() -> dict[str, str]:
    """Of every row that people or terminals can change."""
    found = {}
    with connection.cursor() as cursor:
        for label in WATCHED:
            table = apps.get_model(label)._meta.db_table
            cursor.execute(
                f"SELECT coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') FROM {table} t"
            )
            found[label] = cursor.fetchone()[0]
    return found


OTHERS = ("put", "patch", "delete")
"""Each at every address: tests/config/test_problems.py."""


@pytest.mark.parametrize("role", [AUDITOR, ADMINISTRATOR] if SOAK else [AUDITOR])
def test_a_reading_role_changes_nothing(site: Site, role: Role) -> None:
    client = client_of(role, site.floor.harbour)
    person = User.objects.get(pk=client.session[SESSION_KEY])
    wrong: list[str] = []
    before = fingerprint()
    for number, (name, rule) in enumerate(CASES):
        if role in rule.who and ADMINISTRATOR in rule.who and rule.who != ALL:
            continue  # an administrator changes people and tokens; what that leads to is in tests/people
        if (
            SESSION_KEY not in client.session
        ):  # some verbs of one's own end it: those after them are not for strangers
            client.force_login(person, "django.contrib.auth.backends.ModelBackend")
        answer = site.call(client, name, rule)
        if rule.method == "get":
            expect(wrong, let_in(name) if role in may(rule) else {"turned away"}, answer, name, role)
        for method in ("post", *by_turns(number, OTHERS)):
            answer = getattr(client, method)(site.url(name), rule.body, content_type="application/json")
            assert answer.status_code < 500, (name, method)
    assert wrong == []
    assert fingerprint() == before
    assert GamingDay.objects.exclude(state=GamingDay.State.OPEN).count() == 0
