"""Where rows of the jackpots have their pages, what of them the search finds, and what their approvals would do."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from jackpots.models import Display, Freeze, Link, Progressive, Share, Win
from jackpots.queries import READERS, visible_progressives, visible_wins
from jackpots.rulings import rulings
from jackpots.set_up import changes
from jackpots.set_up.drafts import Draft, Settings
from jackpots.wins import freezes, hand_pay, sources
from ledger.books import holdings
from ledger.books.balances import balances
from people import access
from people.approvals import tellings
from people.approvals.tellings import Fact, Telling
from people.models import ApprovalRequest, User
from people.pages import references, search
from rules.money import format_money, parse_money, say
from rules.progressive.changes import in_words


def _win(reader: User, name: str) -> str | None:
    pk = references.number(name)
    return None if pk is None else reverse("jackpot-win", args=[pk])


def _progressive(reader: User, name: str) -> str | None:
    pk, own = references.number(name), visible_progressives(reader)
    found = own.filter(pk=pk).first() if pk is not None else own.filter(code=name).first()
    return f"{reverse('jackpots')}#p-{found.code}" if found else None


def _share(reader: User, name: str) -> str | None:
    own = Share.objects.filter(progressive__in=visible_progressives(reader))
    found = own.filter(pk=references.number(name) or 0).select_related("progressive").first()
    return reverse("jackpot-ruling", args=[found.progressive.code]) if found else None


def _display(reader: User, name: str) -> str | None:
    own = Display.objects.filter(premises__in=access.premises_of(reader))
    found = own.filter(pk=references.number(name) or 0).first()
    return reverse("display", args=[found.pk]) if found else None


def _of_progressive(model: type[Freeze] | type[Link]) -> references.Find:
    def find(reader: User, name: str) -> str | None:
        own = model.objects.filter(progressive__in=visible_progressives(reader))
        found = own.filter(pk=references.number(name) or 0).select_related("progressive").first()
        return f"{reverse('jackpots')}#p-{found.progressive.code}" if found else None

    return find


references.register("jackpots.win", gettext_noop("win"), _win)
references.register("win", gettext_noop("win"), _win)
references.register("jackpots.progressive", gettext_noop("progressive"), _progressive)
references.register("progressive", gettext_noop("progressive"), _progressive)
references.register("jackpots.share", gettext_noop("hit"), _share)
references.register("jackpots.display", gettext_noop("sign"), _display)
references.register("jackpots.freeze", gettext_noop("freeze"), _of_progressive(Freeze))
references.register("jackpots.link", gettext_noop("link"), _of_progressive(Link))


@search.register(gettext_noop("Wins"), READERS)
def found_wins(user: User, text: str) -> Iterable[search.Found]:
    """By number (`win 7` or `7`), or the newest of a hand (`royal flush`)."""
    pk = references.number(text.lower().removeprefix("win").strip(" :"))
    rows = visible_wins(user)
    rows = rows.filter(pk=pk) if pk is not None else rows.filter(trigger=text.lower().replace(" ", "-"))
    for win in rows.order_by("-pk")[: search.MAX_FOUND]:
        currency = win.progressive.host.currency
        about = f"{format_money(win.amount_micros)} {currency}, {gettext(win.get_state_display()).lower()}"
        title = gettext("Win %(win)s: %(trigger)s at %(table_code)s, seat %(seat)s") % {
            "win": win.pk,
            "trigger": win.trigger.replace("-", " "),
            "table_code": win.table_log.table_code,
            "seat": win.seat,
        }
        yield search.Found(title, about, reverse("jackpot-win", args=[win.pk]), win.resolved_at)


@search.register(gettext_noop("Progressives"), READERS)
def progressives(user: User, text: str) -> Iterable[search.Found]:
    rows = visible_progressives(user)
    for row in (rows.filter(name__icontains=text) | rows.filter(code__icontains=text)).order_by("name")[
        : search.MAX_FOUND
    ]:
        yield search.Found(
            row.name,
            gettext("hosted by %(host)s") % {"host": row.host},
            f"{reverse('jackpots')}#p-{row.code}",
        )


# --- What approvals would do ------------------------------------------------------------------------------------
CONFIRMED = {
    "hand_confirmed": gettext_noop("hand confirmed"),
    "deck_counted": gettext_noop("deck counted"),
    "surveillance_reference": gettext_noop("surveillance reference"),
    "evidence": gettext_noop("evidence"),
}


@tellings.register(hand_pay.APPROVE)
def _pay(request: ApprovalRequest) -> Telling:
    payload = request.payload
    win = Win.objects.select_related("progressive__host", "table_log__premises", "run", "verified_by").get(
        pk=payload["win"]
    )
    currency, hand = win.progressive.host.currency, win.trigger.replace("-", " ")
    amount = tellings.amount(payload["amount"], currency)
    checked = ", ".join(
        gettext(CONFIRMED.get(name, name)) for name, value in win.verification.items() if value
    )
    facts = [
        Fact(
            gettext("Win"),
            gettext("%(hand)s, seat %(seat)s") % {"hand": hand, "seat": win.seat},
            reverse("jackpot-win", args=[win.pk]),
        ),
        *([Fact(gettext("Cards"), cards=tuple(win.cards))] if win.cards else []),
        Fact(gettext("Table"), f"{win.table_log.table_code}, {win.table_log.premises}", _table_url(win)),
        Fact(gettext("Round"), str(win.round_id), references.address_of(f"tables.round:{win.round_id}")),
        Fact(gettext("Amount"), amount),
        Fact(gettext("Rule"), win.rule),
        Fact(
            gettext("Verified by"),
            f"{win.verified_by}: {checked or gettext('nothing noted')}"
            if win.verified_by
            else gettext("nobody yet"),
        ),
    ]
    for step in win.run.trace:
        if step.get("meter_before") != step.get("meter_after"):
            facts.append(
                Fact(
                    gettext("Meter"),
                    gettext("%(meter_before)s before, %(meter_after)s after: %(text)s")
                    % {
                        "meter_before": say(parse_money(step["meter_before"])),
                        "meter_after": say(parse_money(step["meter_after"])),
                        "text": step["text"],
                    },
                )
            )
    return Telling(
        gettext(
            "%(amount)s from %(level)s of %(progressive)s may be paid to seat %(seat)s of "
            "%(table_code)s, once."
        )
        % {
            "amount": amount,
            "level": win.level.replace("-", " "),
            "progressive": win.progressive.name,
            "seat": win.seat,
            "table_code": win.table_log.table_code,
        },
        facts,
    )


def _table_url(win: Win) -> str:
    return references.address_of(f"jackpots.tablelog:{win.table_log_id}")


@tellings.register(sources.UNHELD.name)
def _unheld(request: ApprovalRequest) -> Telling:
    payload, currency = request.payload, request.premises.currency
    parts = [
        gettext("%(amount)s out of %(what)s")
        % {"amount": tellings.amount(micros, currency), "what": holdings.in_words(code)}
        for code, micros in payload["out_of"].items()
    ]
    told = gettext("Win %(win)s may be paid with %(parts)s, though the books do not have so much there.")
    return Telling(
        told % {"win": payload["win"], "parts": ", ".join(parts)},
        [
            Fact(gettext("Win"), str(payload["win"]), reverse("jackpot-win", args=[payload["win"]])),
            Fact(gettext("Paid in all"), tellings.amount(payload["paid"], currency)),
            *(
                Fact(gettext("By the books"), f"{holdings.in_words(code)}: {say(micros)}")
                for code, micros in balances(payload["out_of"]).items()
            ),
        ],
    )


@tellings.register(changes.CREATE.name)
def _new_progressive(request: ApprovalRequest) -> Telling:
    draft = Draft.from_payload(request.payload, None)
    words = [*in_words(draft.rules).items()]
    words += [(name, after) for name, _, after in draft.settings.differences(None)]
    return Telling(
        gettext(
            "%(name)s is set up at %(host)s: its meters stand at their seeds, in house money. It takes part in play "
            "once tables are linked to it."
        )
        % {"name": draft.settings.name, "host": draft.host},
        [
            Fact(gettext("Code"), draft.code),
            *(Fact(name.capitalize(), text, of_rules=True) for name, text in words),
        ],
    )


@tellings.register(changes.CHANGE.name)
def _changed_progressive(request: ApprovalRequest) -> Telling:
    """What differs from how it stood when it was asked for, before and after."""
    payload = request.payload
    found = Progressive.objects.select_related("host", "config").get(code=payload["progressive"])
    draft = Draft.from_payload(payload, found)
    were, become = in_words(found.config.rules), in_words(draft.rules)
    rules = [(name, were.get(name, ""), words) for name, words in become.items() if were.get(name) != words]
    rules += [(name, words, "") for name, words in were.items() if name not in become]
    settings = draft.settings.differences(Settings(**payload["settings_before"]))
    if not rules:
        sentence = gettext("Its settings change at once.")
    elif draft.effect_at:
        sentence = gettext("Other rules hold from gaming day %(day)s; other settings hold at once.") % {
            "day": draft.day
        }
    else:
        sentence = gettext(
            "Other rules hold after the next win of a whole meter; other settings hold at once."
        )
    return Telling(
        sentence,
        [
            Fact(gettext("Progressive"), found.name, references.address_of(f"progressive:{found.code}")),
            *(
                Fact(
                    name.capitalize(),
                    f"{before or 'nothing'} before, {after or 'nothing'} after",
                    of_rules=True,
                )
                for name, before, after in [*rules, *settings]
            ),
        ],
    )


@tellings.register(freezes.RELEASE.name)
def _release(request: ApprovalRequest) -> Telling:
    payload = request.payload
    level = payload["level"].replace("-", " ")
    return Telling(
        gettext("Wins of %(level)s are paid again. What froze it since stays.") % {"level": level},
        [
            Fact(
                gettext("Progressive"),
                payload["progressive"],
                references.address_of(f"progressive:{payload['progressive']}"),
            ),
            Fact(gettext("Level"), level),
            *(Fact(gettext("It was frozen because"), why) for why in payload["why"]),
        ],
    )


@tellings.register(rulings.RULE.name)
def _rule(request: ApprovalRequest) -> Telling:
    payload = request.payload
    best = payload["kind"] == "best"
    facts = [
        Fact(
            gettext("Progressive"),
            payload["progressive"],
            reverse("jackpot-ruling", args=[payload["progressive"]]),
        ),
        Fact(gettext("By the cameras"), payload["cameras"]),
    ]
    facts += [
        Fact(
            gettext("Hit") if best else gettext("%(place)s. hit") % {"place": place},
            gettext("%(what)s at %(table)s of %(premises)s, round %(round)s")
            % {
                "what": ", ".join(hit["hands"]),
                "table": hit["table"],
                "premises": hit["premises"],
                "round": hit["round"],
            },
            references.address_of(f"tables.round:{hit['round']}"),
        )
        for place, hit in enumerate(payload["hits"], 1)
    ]
    currency = request.premises.currency
    facts += [
        Fact(
            gettext("It pays"),
            gettext("%(amount)s from %(level)s for %(hand)s at %(table)s")
            % {
                "amount": tellings.amount(each["amount"], currency),
                "level": each["level"],
                "hand": each["hand"],
                "table": each["table"],
            },
        )
        for each in payload["pays"]
    ]
    told = (
        gettext("Each winner has the best that any order gives.")
        if best
        else gettext("The hits count in this order, for good.")
    )
    return Telling(told, facts)
