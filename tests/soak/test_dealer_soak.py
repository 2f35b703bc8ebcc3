"""Every game of the catalogue plays one golden round through the dealer's page: a table with the round's own rules, a
tablet, chips, cards and decisions by tapping, and the lines that are booked are those of the rulebook."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from people.models import Premises, User
from rules import find_game, round_from_json, settle
from rules.money import format_money
from rules.schema import catalogue_entry
from rules.trial import try_round
from tables.door.auth import TABLET_COOKIE
from tables.floor.opening import CONFIG_FIELDS, create_table, open_table
from tables.floor.terminals import hand_over_tablet
from tables.models import Round, Table
from tests.live import LiveProcesses
from tests.rules import golden
from tests.tables.test_try_page import TAP

pytestmark = pytest.mark.browser


def one_of_each_game() -> list[golden.Golden]:
    """The first that stands alone, with the wagers that a dealer takes."""
    alone = (
        next(each for each in golden.goldens(path) if "carried" not in each.round) for path in golden.files()
    )
    return [as_a_dealer_takes_it(each) for each in alone]


def as_a_dealer_takes_it(each: golden.Golden) -> golden.Golden:
    """Without jackpot wagers, as these tables feed none, and without those that may not lie at "no more bets": some
    golden rounds have such, to say how they are settled all the same."""
    game = find_game(each.round["game"], each.round["rulebook"])
    rules = {name: each.round[name] for name in CONFIG_FIELDS if name in each.round}
    kept = [wager for wager in each.round["wagers"] if not game.kinds[wager["kind"]].jackpot]
    while True:
        first = [wager for wager in kept if game.kinds[wager["kind"]].stage == game.stages[0]]
        named = [
            re.match(r"wagers\[(\d+)\]", fault.field)
            for fault in try_round({**rules, "wagers": first}).faults
        ]
        refused = [first[int(found[1])]["id"] for found in named if found]
        if not refused:
            return replace(each, round={**each.round, "wagers": kept})
        kept = [wager for wager in kept if wager["id"] not in refused]


def table_for(each: golden.Golden, number: int) -> Table:
    harbour, sefa = Premises.objects.get(code="harbour"), User.objects.get(username="supervisor")
    rules = {name: each.round[name] for name in CONFIG_FIELDS if name in each.round}
    return open_table(create_table("test", harbour, f"G-{number:02d}", rules).pk, sefa)


def play(page: Page, address: str, each: golden.Golden, table: Table) -> dict[str, Any]:
    token = hand_over_tablet(User.objects.get(username="supervisor"), table.pk, f"T{table.code}")
    cookie = {"name": TABLET_COOKIE, "value": token, "url": f"{address}/api/v1/"}
    page.context.add_cookies([cookie])  # type: ignore[list-item]
    page.goto(f"{address}/dealer/harbour/{table.code}/")
    page.evaluate("localStorage.clear()")
    page.reload()
    expect(page.locator("[data-live=yes]")).to_be_visible()
    entry = catalogue_entry(find_game(each.round["game"], each.round["rulebook"]))
    found: dict[str, Any] = page.evaluate(TAP, [each.round, entry, True])
    return found


def differs(each: golden.Golden, table: Table) -> str:
    """What Potline has booked beside what the rulebook gives: outcomes, winnings and rules."""
    round = Round.objects.get(table=table)
    if round.state != Round.State.SETTLED:
        return f"is {round.state}: {round.error}"
    booked = sorted((line.kind, line.outcome, line.rule) for line in round.lines.all())
    settled = settle(round_from_json(each.round))
    due = sorted((line.wager.kind, line.outcome.value, line.rule) for line in settled.lines)
    paid, owed = (
        sum(line.winnings_micros for line in round.lines.all()),
        sum(line.winnings for line in settled.lines),
    )
    if booked != due:
        return f"booked {booked} instead of {due}"
    return "" if paid == owed else f"pays {format_money(paid)} instead of {format_money(owed)}"


def test_every_game_is_dealt_by_hand(page: Page, processes: LiveProcesses) -> None:
    processes.manage("load_demo")
    address, _ = processes.start_web()
    processes.start_worker()
    page.set_viewport_size({"width": 1180, "height": 820})
    played, wrong = one_of_each_game(), []
    for number, each in enumerate(played, 1):
        table = table_for(each, number)
        try:
            found = play(page, address, each, table)
        except Exception as error:
            wrong.append(f"{each}: {str(error).splitlines()[0]}")
            continue
        fault = differs(each, table) if found["booked"] else f"not booked; {found['words']}"
        if fault:
            wrong.append(f"{each}: {fault}")
    page.goto("about:blank")  # it would go on asking a Potline that is gone
    assert not wrong, "\n".join(wrong)
    assert len(played) == 48
