"""Where rows of the floor have their pages, what of them the search finds, and what their approvals would do."""

from __future__ import annotations

import re
from collections.abc import Iterable

from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from config.kit.canonical_json import canonical_json
from jackpots.models import TableLog
from jackpots.queries import READERS
from ledger.models import Entry
from people import access
from people.approvals import tellings
from people.approvals.tellings import Fact, Telling
from people.models import ApprovalRequest, User
from people.pages import references, search
from tables.chips import cage, chips
from tables.chips.count_pages import counts_url
from tables.floor import silence
from tables.models import CORRECT, END, GIVE_UP, CageSlip, Dispute, Round, SeatClaim, Table, TableCount

_OF_TABLE = re.compile(r"(.+?)(?:\s*/\s*|\s+#?\s*|\s*#\s*)(\d{1,18})", re.ASCII)


def _round(reader: User, name: str) -> str | None:
    own = Round.objects.filter(table__premises__in=access.premises_of(reader))
    found = own.filter(pk=references.number(name) or 0).select_related("table__premises").first()
    return reverse("round", args=[found.table.premises.code, found.pk]) if found else None


def _table(reader: User, name: str) -> str | None:
    own = Table.objects.filter(premises__in=access.premises_of(reader))
    found = own.filter(pk=references.number(name) or 0).select_related("premises").first()
    return reverse("table", args=[found.premises.code, found.code]) if found else None


def _log(reader: User, name: str) -> str | None:
    own = TableLog.objects.filter(premises__in=access.premises_of(reader))
    found = own.filter(pk=references.number(name) or 0).select_related("premises").first()
    return reverse("table", args=[found.premises.code, found.table_code]) if found else None


references.register("tables.round", gettext_noop("round"), _round)
references.register("round", gettext_noop("round"), _round)
references.register("tables.table", gettext_noop("table"), _table)
references.register("jackpots.tablelog", gettext_noop("table"), _log)


def _count(reader: User, name: str) -> str | None:
    own = TableCount.objects.filter(table__premises__in=access.premises_of(reader))
    found = own.filter(pk=references.number(name) or 0).select_related("table__premises").first()
    return counts_url(found.table.premises, found.day) if found else None


def _claim(reader: User, name: str) -> str | None:
    own = SeatClaim.objects.filter(table__premises__in=access.premises_of(reader, READERS))
    found = own.filter(pk=references.number(name) or 0).first()
    return reverse("claim", args=[found.pk]) if found else None


def _dispute(reader: User, name: str) -> str | None:
    own = Dispute.objects.filter(table__premises__in=access.premises_of(reader, READERS))
    found = own.filter(pk=references.number(name) or 0).select_related("table__premises").first()
    return reverse("dispute", args=[found.table.premises.code, found.pk]) if found else None


references.register("tables.dispute", gettext_noop("dispute"), _dispute)
references.register("count", gettext_noop("count of a table"), _count)
references.register("tables.seatclaim", gettext_noop("claim"), _claim)
references.register("tables.terminal", gettext_noop("terminal"), lambda reader, name: reverse("credentials"))


@search.register(gettext_noop("Tables"), READERS)
def found_tables(user: User, text: str) -> Iterable[search.Found]:
    rows = Table.objects.filter(premises__in=access.premises_of(user, READERS), code__icontains=text)
    for row in rows.select_related("premises", "config").order_by("code")[: search.MAX_FOUND]:
        about = f"{row.config.game.title}, {row.premises}, {'open' if row.is_open else 'closed'}"
        yield search.Found(
            row.code, about, reverse("table", args=[row.premises.code, row.code]), row.last_heard_at
        )


@search.register(gettext_noop("Rounds"), READERS)
def rounds(user: User, text: str) -> Iterable[search.Found]:
    """`CS-01 / 1042` is the table's own number, a bare number Potline's."""
    rows = Round.objects.filter(table__premises__in=access.premises_of(user, READERS))
    pk = references.number(text.lower().removeprefix("round").strip(" :"))
    of_table = _OF_TABLE.fullmatch(text)
    if pk is not None:
        rows = rows.filter(pk=pk)
    elif of_table:
        rows = rows.filter(table__code__iexact=of_table[1], number=int(of_table[2]))
    else:
        return
    for row in rows.select_related("table__premises").order_by("-pk")[: search.MAX_FOUND]:
        url = reverse("round", args=[row.table.premises.code, row.pk])
        about = f"{row.table.premises}, {gettext(row.get_state_display()).lower()}"
        yield search.Found(
            gettext("Round %(number)s of %(table)s") % {"number": row.number, "table": row.table.code},
            about,
            url,
            row.opened_at,
        )


@search.register(gettext_noop("Slips"), READERS)
def slips(user: User, text: str) -> Iterable[search.Found]:
    """By the number on the paper: an entry's reference is `slip:<table>:<number>`, so the tables are named."""
    own = list(access.premises_of(user, READERS))
    number = text[4:].strip(" :") if text.lower().startswith("slip") else text
    tables = Table.objects.filter(premises__in=own).values_list("code", flat=True)
    wanted = {f"slip:{code}:{number}" for code in tables}
    rows = Entry.objects.filter(premises__in=own, reference__in=wanted).exclude(kind="buy-in")
    for row in rows.select_related("premises").order_by("-pk")[: search.MAX_FOUND]:
        table = row.reference.split(":")[1]
        url = reverse("table", args=[row.premises.code, table])
        yield search.Found(
            gettext("Slip %(number)s: %(kind)s") % {"number": number, "kind": row.kind},
            f"{table}, {row.premises}",
            url,
            row.posted_at,
        )


@search.register(gettext_noop("Slips of the cage"), READERS)
def cage_slips(user: User, text: str) -> Iterable[search.Found]:
    number = text[4:].strip(" :") if text.lower().startswith("slip") else text
    rows = CageSlip.objects.filter(premises__in=access.premises_of(user, READERS), number=number)
    for row in rows.select_related("premises", "approval").order_by("-pk")[: search.MAX_FOUND]:
        about = {"number": row.number, "kind": row.approval.payload["kind"]}
        yield search.Found(
            gettext("Slip %(number)s: %(kind)s") % about,
            str(row.premises),
            reverse("cage", args=[row.premises.code]),
            row.at,
        )


# --- What approvals would do ------------------------------------------------------------------------------------
@tellings.register(*{action.name for action in chips.ACTIONS.values()})
def _slip(request: ApprovalRequest) -> Telling:
    payload = request.payload
    amount = tellings.amount(payload["amount"], request.premises.currency)
    code, kind = payload["table"], payload["kind"]
    told = {
        "opener": gettext("%(amount)s in chips go from the cage to the tray of %(code)s, as its opener.")
        % {"amount": amount, "code": code},
        "fill": gettext("%(amount)s in chips go from the cage to the tray of %(code)s.")
        % {"amount": amount, "code": code},
        "credit": gettext("%(amount)s in chips go from the tray of %(code)s to the cage.")
        % {"amount": amount, "code": code},
        "closer": gettext("%(amount)s in chips go from the tray of %(code)s to the cage, as its closer.")
        % {"amount": amount, "code": code},
        "drop": gettext(
            "The drop box of %(code)s held %(amount)s: it is booked as sold chips, and as cash to the cage."
        )
        % {"code": code, "amount": amount},
    }
    return Telling(
        gettext("%(what)s It is booked at once.") % {"what": told[kind]},
        [
            Fact(gettext("Table"), code, reverse("table", args=[request.premises.code, code])),
            Fact(gettext("Slip"), f"{payload['slip']} ({gettext(kind)})"),
            Fact(gettext("Amount"), amount),
            *[
                Fact(name.capitalize(), payload[name])
                for name in ("denominations", "promotional")
                if name in payload
            ],
            Fact(
                gettext("Gaming day"),
                payload["day"],
                reverse("ledger-day", args=[request.premises.code, payload["day"]]),
            ),
        ],
    )


@tellings.register(cage.MOVE.name)
def _cage(request: ApprovalRequest) -> Telling:
    payload, premises = request.payload, request.premises
    amount = tellings.amount(payload["amount"], premises.currency)
    told = {
        "opening": gettext("The cage opens with %(amount)s of the owner's money, in %(money)s."),
        "funding": gettext("%(amount)s of the owner's money go into the cage, in %(money)s."),
        "drain": gettext("%(amount)s go out of the cage to the owner, in %(money)s."),
    }[payload["kind"]]
    what = told % {"amount": amount, "money": gettext(payload["money"])}
    facts = [
        Fact(gettext("Slip"), f"{payload['slip']} ({gettext(payload['kind'])})"),
        Fact(gettext("Amount"), amount),
        Fact(
            gettext("Gaming day"), payload["day"], reverse("ledger-day", args=[premises.code, payload["day"]])
        ),
        Fact(gettext("Cage"), premises.name, reverse("cage", args=[premises.code])),
    ]
    if "denominations" in payload:
        facts.insert(2, Fact("Denominations", payload["denominations"]))
    return Telling(gettext("%(what)s It is booked at once.") % {"what": what}, facts)


@tellings.register(CORRECT)
def _correction(request: ApprovalRequest) -> Telling:
    payload, currency = request.payload, request.premises.currency
    rounds = payload["versions"]
    told = {
        "owed": gettext("{amount} is owed to {who}"),
        "recoverable": gettext("{amount} is to be recovered from {who}"),
        "nothing": gettext("nothing is open for {who} any more"),
    }
    seats = [
        told[one["what"]].format(
            amount=tellings.amount(one["amount"], currency), who=one["player"] or f"seat {one['seat']}"
        )
        for one in payload["seats"]
    ]
    again = (
        gettext(" %(what)s later rounds are settled again.") % {"what": len(rounds) - 1}
        if len(rounds) > 1
        else ""
    )
    return Telling(
        gettext(
            "Round %(number)s of %(table)s gets a new version, by %(rule)s.%(again)s %(seats)s It is "
            "booked at once."
        )
        % {
            "number": payload["number"],
            "table": payload["table"],
            "rule": payload["rule"],
            "again": again,
            "seats": _sentence(seats),
        },
        [
            Fact(
                gettext("Round"),
                str(payload["number"]),
                reverse("round", args=[payload["premises"], payload["round"]]),
            ),
            *(
                Fact(name.capitalize(), canonical_json(value))
                for name, value in sorted(payload["change"].items())
            ),
            *(
                Fact(
                    gettext("Settled again"),
                    gettext("round %(number)s, version %(version)s")
                    % {"number": one["number"], "version": one["version"]},
                    reverse("round", args=[payload["premises"], one["round"]]),
                )
                for one in rounds[1:20]
            ),
            Fact(gettext("Moves in all"), tellings.amount(payload["moved"], currency)),
        ],
    )


@tellings.register(END)
def _ending(request: ApprovalRequest) -> Telling:
    payload, currency = request.payload, request.premises.currency
    lines = [
        gettext("%(wager)s of %(who)s: %(outcome)s, %(amount)s to the player")
        % {
            "wager": one["wager"],
            "who": one["player"] or gettext("seat %(seat)s") % {"seat": one["seat"]},
            "outcome": one["outcome"],
            "amount": tellings.amount(one["to_player"], currency),
        }
        for one in payload["lines"]
    ]
    ends = gettext("Round %(number)s of %(table)s, whose terminal is gone, ends by %(rule)s.") % payload
    late = gettext("What its terminal still tells of it is not taken.")
    return Telling(
        f"{ends} {_sentence(lines)} {late}",
        [
            Fact(
                gettext("Round"),
                str(payload["number"]),
                reverse("round", args=[payload["premises"], payload["round"]]),
            ),
            *(
                Fact(name.capitalize(), canonical_json(value))
                for name, value in sorted(payload["change"].items())
            ),
            *(Fact(gettext("Jackpot hand"), hit) for hit in payload["hits"]),
            Fact(gettext("Stakes and winnings"), tellings.amount(payload["moved"], currency)),
        ],
    )


def _sentence(parts: list[str]) -> str:
    text = "; ".join(parts) or "no money moves"
    return f"{text[0].upper()}{text[1:]}."


@tellings.register(GIVE_UP)
def _give_up(request: ApprovalRequest) -> Telling:
    payload = request.payload
    amount = tellings.amount(payload["amount"], request.premises.currency)
    who = payload["player"] or f"seat {payload['seat']}"
    told = {
        "expired": gettext("%(amount)s that was owed to %(who)s is the house's: nobody has claimed it.")
        % {"amount": amount, "who": who},
        "written-off": gettext("%(amount)s that %(who)s was overpaid is given up.")
        % {"amount": amount, "who": who},
    }[payload["step"]]
    return Telling(
        told, [Fact(gettext("Claim"), str(payload["claim"]), reverse("claim", args=[payload["claim"]]))]
    )


@tellings.register(
    silence.LEAVE_OUT.name, silence.CLOSE.name, silence.TAKE_OVER.name, silence.LEAVE_OUT_ROUND.name
)
def _about_table(request: ApprovalRequest) -> Telling:
    payload = request.payload
    code = payload["table"]
    told = {
        silence.LEAVE_OUT.name: gettext(
            "Wins no longer wait for %(code)s. Jackpot hands that it tells later are held."
        )
        % {"code": code},
        silence.CLOSE.name: gettext(
            "%(code)s is closed without its terminal's goodbye. Rounds still in it are late then."
        )
        % {"code": code},
        silence.TAKE_OVER.name: gettext(
            "Another terminal runs %(code)s from now on; the old one is heard no more."
        )
        % {"code": code},
        silence.LEAVE_OUT_ROUND.name: gettext("Wins no longer wait for this round of %(code)s.")
        % {"code": code},
    }[request.action]
    facts = [Fact(gettext("Table"), code, reverse("table", args=[payload["premises"], code]))]
    if "round" in payload:
        url = reverse("round", args=[payload["premises"], payload["round"]])
        facts.append(Fact(gettext("Round"), str(payload["number"]), url))
    if payload.get("heard_until"):
        facts.append(Fact(gettext("Heard until"), payload["heard_until"]))
    if payload.get("progressives"):
        facts.append(Fact(gettext("Waiting for it"), ", ".join(payload["progressives"])))
    return Telling(told, facts)
