"""What is done for each entry of a document of the floor: made where it is new, changed where a table may change, and
refused where what is there already is otherwise and has a page of its own (premises, progressives, links, signs).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from typing import Any

from django.db import transaction

from config.kit.refusals import FORM, Fault, Refused
from jackpots.fold import adjusting
from jackpots.log import games
from jackpots.models import Display, Progressive
from jackpots.order import server_clock
from jackpots.set_up import drafts
from jackpots.set_up.configure import create_progressive
from jackpots.set_up.drafts import Draft, Settings
from jackpots.set_up.forms import SettingsForm
from jackpots.signs.displays import create_display
from jackpots.signs.forms import DisplayForm, filled_in
from people import tokens
from people.approvals import approvals
from people.models import ApprovalRequest, Premises, User
from people.premises.premises import PremisesFacts, add_premises, open_premises
from rules import RuleError
from rules.progressive.written import read_rules
from tables.floor import changes, set_up
from tables.floor.document import NEW_TERMINAL, changed, is_kept, rules_of, whole_display, whole_link
from tables.floor.document_form import FIELDS, missing, tidy
from tables.floor.opening import create_table, link_table, refuse_links
from tables.floor.terminals import issue_token, restrict_terminal
from tables.models import Table, TableChange

BY_DOCUMENT = "floor document"
ARRANGED = ("pit", "seats", "reserved_for", "device_error_ms")
"""What a table that is there changes at once."""


def nobody_knows(name: str) -> str:
    return tokens.new_token()


@dataclass
class By:
    """Who does it, the second person of a request or whoever runs the machine, and what is done."""

    actor: User | str
    document: dict[str, Any]
    there: dict[str, Any]
    """What there was before."""
    request: ApprovalRequest | None = None
    trial: bool = False
    """It is taken back."""
    token_of: Callable[[str], str] = nobody_knows
    """The token of a new terminal (`hill/RO-01/left`) or sign (`hill/Main wall`)."""
    _premises: dict[str, Premises] = field(default_factory=dict)
    _progressives: dict[str, Progressive] = field(default_factory=dict)
    _games: dict[int, set[tuple[str, str]]] = field(default_factory=dict)

    def premises(self, code: str) -> Premises:
        if code not in self._premises:
            found = Premises.objects.filter(code=code).first()
            self._premises[code] = self._known("premises", code, found)
        return self._premises[code]

    def progressive(self, code: str) -> Progressive:
        if code not in self._progressives:
            found = Progressive.objects.select_related("host", "config").filter(code=code).first()
            self._progressives[code] = self._known("progressives", code, found)
        return self._progressives[code]

    def games_of(self, progressive: Progressive) -> set[tuple[str, str]]:
        """Game and rulebook of each table that is linked to it; one that has ended takes no tables."""
        if progressive.pk not in self._games:
            adjusting.refuse_ended(progressive)
            rows = Table.objects.filter(table_log__links__progressive=progressive)
            names = ("config__document__game", "config__document__rulebook")
            self._games[progressive.pk] = set(rows.values_list(*names))
        return self._games[progressive.pk]

    def _known(self, section: str, code: str, found: Any) -> Any:
        if found is None and code in self.document.get(section, {}):
            raise _Follows
        if found is None:
            none = "are no premises" if section == "premises" else "is no progressive"
            raise Refused("document", f"there {none} {code!r}, and the document makes none")
        return found


class _Follows(Exception):
    """Refused only because something before it was, which is told."""


def faults_of_entry(section: str, name: str, given: Any, by: By) -> list[Fault]:
    """Does it; what is refused of it. In a trial nothing of what is refused stays, so that the next can be tried."""
    what = f"{section} {name}"
    try:
        with transaction.atomic() if by.trial else nullcontext():
            _DO[section](name, tidy(section, given), by)
    except RuleError as fault:
        return [Fault(what, str(fault), fault.rule)]
    except Refused as refused:
        if refused.code == FORM and refused.faults:
            return [Fault(what, f"{fault.field}: {fault.message}", fault.rule) for fault in refused.faults]
        return [Fault(what, refused.sentence)]
    except _Follows:
        return []
    return []


def _is_new(section: str, name: str, given: Any, by: By) -> bool:
    """Whether it must be made; refused where it is there and the document wants it otherwise."""
    stands = by.there[section].get(name)
    if stands is None:
        _refuse_missing(section, given)
        return True
    lines = changed(section, stands, given)
    if lines:
        raise Refused("document", f"it is there otherwise: change it on its own page ({'; '.join(lines)})")
    return False


def _refuse_missing(section: str, given: Any) -> None:
    lacks = missing(given, FIELDS[section]) if isinstance(given, dict) else []
    if lacks:
        raise Refused("document", "; ".join(lacks))


def _premises(code: str, given: dict[str, Any], by: By) -> None:
    if not _is_new("premises", code, given, by):
        return
    facts = PremisesFacts(code=code, **given)
    if by.request is None:
        add_premises(by.actor, **asdict(facts))
    else:
        open_premises(by.request, facts)


def _progressive(code: str, given: dict[str, Any], by: By) -> None:
    if not _is_new("progressives", code, given, by):
        return
    host, rules = by.premises(given["host"]), read_rules(given["rules"])
    draft = Draft(code, host, rules, _settings(given))
    drafts.refuse(draft, server_clock.read().now)
    create_progressive(by.actor, host, code, rules=rules, **draft.settings.as_columns())


def _settings(given: dict[str, Any]) -> Settings:
    """As staff would have filled them in."""
    form = SettingsForm(asdict(Settings(given["name"])) | given.get("settings", {}))
    if not form.is_valid():
        raise Refused(
            FORM, "", faults=[Fault(f"settings.{at}", str(told[0])) for at, told in form.errors.items()]
        )
    return form.settings()


# --- Tables -----------------------------------------------------------------------------------------------------
def _table(name: str, given: dict[str, Any], by: By) -> None:
    at, _, code = name.partition("/")
    premises = by.premises(at)
    if name in by.there["tables"]:
        table = changes.locked(Table.objects.get(premises=premises, code=code).pk)
        _change(table, given, by)
    else:
        _refuse_missing("tables", given)
        config, chips = set_up.check_rules(premises, given["rules"], given.get("chips"))
        set_up.check_seats(config.game, given.get("seats"))
        set_up.check_device_error(given.get("device_error_ms"))
        where = {key: given[key] for key in ARRANGED if given.get(key) is not None}
        table = create_table(by.actor, premises, code, config, chips=chips, **where)
    _add_links(name, table, given, by)
    _add_terminals(name, table, given, by)


def _change(table: Table, given: dict[str, Any], by: By) -> None:
    """Of a table that is there: where it stands at once, its rules by a change that is shown first if it is worse."""
    was = {name: getattr(table, name) for name in ARRANGED}
    wanted = was | {name: given[name] for name in ARRANGED if name in given}
    if wanted != was:
        set_up.put(table, by.actor, **wanted, reason="" if by.request is None else by.request.reason)
    rules = rules_of(table.config.document, given)
    set_up.refuse_other_game(table, rules)
    config, chips = set_up.check_rules(table.premises, rules, given.get("chips", table.chips))
    if config == table.config and chips == table.chips:
        return
    refuse_links(config, table.table_log)
    if by.request is None:
        if by.trial:
            return  # who wants it is not known yet
        text = f"what {table} pays takes two people: have it filed by one of them (--as)"
        raise Refused("two_people", text)
    changes.plan(
        table,
        TableChange.Kind.RULES,
        config,
        asked_by=by.request.requested_by,
        approved_by=approvals.decider(by.request),
        reason=by.request.reason,
        chips=chips,
    )


def _add_links(name: str, table: Table, given: dict[str, Any], by: By) -> None:
    """Those that it has not yet; first those that take what the rates leave of a wager."""
    stands = by.there["tables"].get(name, {}).get("links", {})
    wanted = {code: whole_link(link) for code, link in given.get("links", {}).items()}
    for code, link in sorted(wanted.items(), key=lambda each: each[1]["takes_rest"] is False):
        if code in stands:
            if changed("tables", {"links": stands}, {"links": {code: given["links"][code]}}):
                raise Refused(
                    "document", f"the link to {code} is there otherwise: see the progressive's page"
                )
            continue
        progressive = by.progressive(code)
        played, mine = by.games_of(progressive), (table.config.game.name, table.config.game.rulebook)
        if played - {mine} and not link["unequal_odds"]:
            _refuse_unequal(table, progressive, link["kinds"])
        link_table(by.actor, table, progressive, link["kinds"], takes_rest=link["takes_rest"])
        played.add(mine)


def _refuse_unequal(table: Table, progressive: Progressive, kinds: list[str]) -> None:
    played = games.TableGame(table.config.game, table.config.document["options"])
    why = games.unequal_odds(progressive, played, kinds)
    if why:
        text = f'One meter, other chances: {why}. Say "unequal_odds": true only if your authority allows it.'
        raise Refused("unequal_odds", text)


def _add_terminals(name: str, table: Table, given: dict[str, Any], by: By) -> None:
    """Those that it has not yet; those that it has are held to these addresses."""
    is_there = name in by.there["tables"]
    known = {each.name: each for each in table.terminals.all() if is_kept(each)} if is_there else {}
    for terminal, held in given.get("terminals", {}).items():
        if terminal not in known:
            token = by.token_of(f"{name}/{terminal}")
            issue_token(BY_DOCUMENT, table, terminal, token=token, **NEW_TERMINAL | held)
            continue
        row = known[terminal]
        was = {"networks": row.networks, "must_sign": row.must_sign}
        if was | held != was:
            restrict_terminal(BY_DOCUMENT, row.pk, expires_at=row.expires_at, **was | held)


# --- Signs ------------------------------------------------------------------------------------------------------
def _display(name: str, shows: str | dict[str, Any], by: By) -> None:
    if not _is_new("displays", name, shows, by):
        return
    at, _, sign = name.partition("/")
    premises, whole = by.premises(at), whole_display(shows)
    if Display.objects.filter(premises=premises, name=sign).exists():
        raise Refused("document", "a sign of this name was revoked: choose another name")
    for code in whole["progressives"]:
        by.progressive(code)
    networks = whole.pop("networks", [])
    what: dict[str, Any] = {"setup": _set_up(sign, whole)}
    if isinstance(shows, str):
        what = {"progressive": by.progressive(shows)}
    create_display(BY_DOCUMENT, premises, sign, **what, networks=networks, token=by.token_of(name))


def _set_up(sign: str, whole: dict[str, Any]) -> dict[str, Any]:
    """As staff would have filled it in."""
    form = DisplayForm(filled_in(whole, sign))
    if not form.is_valid():
        raise Refused(FORM, "", faults=[Fault(at, str(told[0])) for at, told in form.errors.items()])
    setup: dict[str, Any] = form.cleaned_data["setup"]
    return setup


_DO: dict[str, Callable[[str, Any, By], None]] = {
    "premises": _premises,
    "progressives": _progressive,
    "tables": _table,
    "displays": _display,
}
