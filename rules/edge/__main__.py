"""`python -m rules edge`: arguments, progress on the standard error, random trials."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Any

from rules.cards import parse_cards
from rules.catalogue import all_games
from rules.console import end_with
from rules.edge import jackpot_report, jackpots, questions, report, strategy
from rules.edge.core import Case, Edge, EdgeEntry
from rules.edge.odds_for import odds_for, what_if
from rules.edge.page import page
from rules.edge.registry import all_entries, case_of, edge_of, entries_of, variants
from rules.edge.simulate import simulate
from rules.edge.store import Store, cache_folder
from rules.errors import RuleError
from rules.money import format_money, parse_money
from rules.progressive.codec import decode
from rules.progressive.config import ProgressiveRules
from rules.reading import read_json

SHOWN_AFTER_S = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", help="a game of the catalogue, such as roulette")
    parser.add_argument("--rulebook", default="", help="needed where several rulebooks have the game")
    parser.add_argument(
        "--wager", default="", help="a kind of wager; without it all of the game, a line each"
    )
    parser.add_argument("--selection", help="what is backed: '17', '1-2', '8'")
    tables = parser.add_mutually_exclusive_group()
    tables.add_argument("--paytable", help="a pay table of the rulebook by its name, or slot=name")
    tables.add_argument("--odds", help="a JSON file with own odds: line → '7 to 1', or slot → lines")
    parser.add_argument("--decks", type=int, help="number of packs")
    parser.add_argument("--option", action="append", default=[], metavar="K=V", help="an option of the game")
    parser.add_argument("--json", action="store_true", help="exact fractions, for programs")
    parser.add_argument(
        "--all", action="store_true", help="every wager of every game, with every printed table"
    )
    parser.add_argument("--markdown", action="store_true", help="as the page docs/house-edges.md")
    parser.add_argument("--simulate", type=int, default=0, metavar="N", help="settle N random rounds as well")
    parser.add_argument("--seed", type=int, default=1, help="of the random rounds")
    money = parser.add_argument_group("jackpot wagers")
    money.add_argument("--stake", default="1.00", help="the jackpot wager, 1.00 where nothing is said")
    money.add_argument("--meter", action="append", default=[], metavar="AMOUNT", help="or level=amount")
    money.add_argument("--reset", default="10000.00", help="the seed, where no document says it")
    money.add_argument("--progressive", metavar="FILE", help="the document of a progressive, as JSON")
    money.add_argument("--tables", type=int, default=10)
    money.add_argument("--wagers-an-hour", type=int, default=200, help="jackpot wagers of one table")
    money.add_argument("--others", type=int, default=0, help="other jackpot wagers in every round")
    asked = parser.add_argument_group("further questions")
    asked.add_argument("--show-strategy", action="store_true", help="the best play, and what mistakes cost")
    asked.add_argument("--strategy", metavar="PLAY", help="always=CHOICE, or a JSON file: situation → choice")
    asked.add_argument("--hand", help="hold'em: two cards, such as 'As Kd'; what each choice is worth")
    asked.add_argument("--board", default="", help="with --hand: the cards that lie there")
    asked.add_argument("--want-edge", metavar="PERCENT", help="which odds give the house so much")
    asked.add_argument("--line", default="", help="with --want-edge: the line of the pay table")
    asked.add_argument(
        "--what-if", action="store_true", help="with --odds: also odds that the rulebook forbids"
    )
    asked.add_argument("--table", metavar="FILE", help="JSON list of wager, stake, an_hour: the win an hour")
    asked.add_argument("--hours", type=int, default=1, help="with --table")
    asked.add_argument("--observed", metavar="AMOUNT", help="with --table: what was won; could it be luck?")
    parser.add_argument("--no-cache", action="store_true", help="neither read nor write the disk cache")


def run(arguments: argparse.Namespace) -> int:
    folder = None if arguments.no_cache else own_cache()
    keeper = None if folder is None else Store(folder)
    _check_arguments(arguments)
    if arguments.all:
        return _all(arguments, keeper)
    if not arguments.game:
        raise RuleError("name a game, or ask for --all", field="game")
    if arguments.table:
        return _table(arguments, keeper)
    entries = _entries(arguments)
    one = bool(arguments.wager)
    if any(getattr(arguments, name) for name in ASKED):
        return _asked(arguments, entries, keeper)
    answers: list[dict[str, Any]] = []
    for case in _cases(arguments, entries) if one else _defaults(arguments, entries):
        if case.entry.jackpot and not one and not arguments.json:
            sys.stdout.write(report.by_meter(case))
            continue
        rules = _progressive(arguments, case) if case.entry.jackpot else None
        with Progress(case) as watched:
            edge = edge_of(watched, keeper)
        if rules is not None:
            answers += _jackpot(arguments, edge, rules)
        elif arguments.json:
            told = {"not_allowed": questions.marked(edge.case).strip()} if arguments.what_if else {}
            answers.append(report.as_json(edge) | _simulated(arguments, watched) | told)
        elif one:
            sys.stdout.write(questions.marked(edge.case))
            sys.stdout.write(report.as_text(edge) + _simulated_text(arguments, edge))
        else:
            sys.stdout.write(report.as_line(edge))
    if arguments.json:
        sys.stdout.write(json.dumps(answers[0] if one and len(answers) == 1 else answers, indent=2) + "\n")
    return 0


ASKED = ("show_strategy", "strategy", "hand", "want_edge")
"""Questions about one wager, one at a time."""


NEEDS = {"board": "hand", "line": "want_edge", "what_if": "odds", "observed": "table"}


def _table(arguments: argparse.Namespace, keeper: Store | None) -> int:
    def find(case: Case) -> Edge:
        with Progress(case) as watched:
            return edge_of(watched, keeper)

    document = _read_json(arguments.table)
    played = questions.table_of(arguments.game, _rulebook(arguments), document, find)
    observed = None if arguments.observed is None else parse_money(arguments.observed, "observed")
    if arguments.json:
        _write_json(questions.table_json(played, arguments.hours, observed))
    else:
        sys.stdout.write(questions.table_text(played, arguments.hours, observed))
    return 0


def _asked(arguments: argparse.Namespace, entries: Sequence[EdgeEntry], keeper: Store | None) -> int:
    if len(entries) > 1:
        named = ", ".join(entry.wager for entry in entries)
        raise RuleError(f"say for which wager, with --wager: {named}", field="wager")
    (case,) = _cases(arguments, entries)
    with Progress(case) as watched:
        text, document = _answer(arguments, watched, keeper)
    if arguments.json:
        _write_json(document)
    else:
        sys.stdout.write(text)
    return 0


def _answer(arguments: argparse.Namespace, case: Case, keeper: Store | None) -> tuple[str, dict[str, Any]]:
    if arguments.hand:
        hand, board = (parse_cards(getattr(arguments, name), name) for name in ("hand", "board"))
        worth = strategy.advice(case, hand, board)
        told = {choice: str(value) for choice, value in worth.items()}
        return questions.advice_text(case, worth), {**case.identity(), "worth": told}
    if arguments.want_edge:
        wanted = _percent(arguments.want_edge)
        answer = odds_for(case, wanted, arguments.line, find=lambda one: edge_of(one, keeper))
        return questions.answer_text(answer), questions.answer_json(answer)
    if arguments.show_strategy:
        table = strategy.situations(case), strategy.on_the_flop(case)
        return questions.strategy_text(case, *table), questions.strategy_json(case, *table)
    found = strategy.first_decisions(case)
    given = arguments.strategy
    chosen = given if given.startswith(strategy.ALWAYS) else _read_json(given)
    return questions.own_play(edge_of(case, keeper), found, chosen)


def _percent(text: str) -> Fraction:
    try:
        return Fraction(text.strip().removesuffix("%")) / 100
    except (ValueError, ZeroDivisionError):
        raise RuleError(f"a percentage such as 5 or 2.5, not {text!r}", field="want-edge") from None


def _write_json(document: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(document, indent=2) + "\n")


def _check_arguments(arguments: argparse.Namespace) -> None:
    """What is asked for together, and cannot be answered together, is refused instead of left out."""
    if arguments.simulate < 0:
        raise RuleError(f"a number of rounds, not {arguments.simulate}", field="simulate")
    asked = [name for name in (*ASKED, "table") if getattr(arguments, name)]
    if len(asked) > 1:
        raise RuleError(
            f"one question at a time, not {' and '.join(asked)}", field=asked[1].replace("_", "-")
        )
    for name, needs in NEEDS.items():
        if getattr(arguments, name) and not getattr(arguments, needs):
            told = f"--{name.replace('_', '-')} goes with --{needs.replace('_', '-')}"
            raise RuleError(told, field=name.replace("_", "-"))
    if arguments.all:
        narrow = (
            *ASKED,
            "table",
            "game",
            "rulebook",
            "wager",
            "selection",
            "paytable",
            "odds",
            "decks",
            "option",
            "progressive",
            "meter",
        )
        given = next((name for name in narrow if getattr(arguments, name) not in (None, "", [], False)), None)
        if given:
            raise RuleError(f"--all is every wager of every game; leave {given} out", field=given)


def _progressive(arguments: argparse.Namespace, case: Case) -> ProgressiveRules | None:
    """The document in force, before anything long is computed; None in a list, which names no meter."""
    if arguments.progressive:
        rules = decode(ProgressiveRules, _read_json(arguments.progressive), "progressive")
        jackpots.check_document(case, rules)
        return rules
    return jackpots.book_rules(case, _amount(arguments.reset, "reset")) if arguments.wager else None


def _jackpot(arguments: argparse.Namespace, edge: Edge, rules: ProgressiveRules) -> list[dict[str, Any]]:
    """As JSON to be written, or nothing where it was written as text."""
    meters: dict[str, int] = {}
    for text in arguments.meter:
        level, equals, amount = text.rpartition("=")
        name = level if equals else rules.levels[0].name
        meters[name] = _amount(amount, "meter")
        cap_micros = rules.level(name).cap_micros
        if cap_micros is not None and meters[name] > cap_micros:
            raise RuleError(f"{name} has a cap of {format_money(cap_micros)}", field="meter")
    jackpot = jackpots.Jackpot(edge, rules, _amount(arguments.stake, "stake", least=1), meters)
    speed = (arguments.tables, arguments.wagers_an_hour, arguments.others)
    if arguments.json:
        return [jackpot_report.as_json(jackpot, *speed)]
    sys.stdout.write(jackpot_report.as_text(jackpot, *speed))
    sys.stdout.write(_simulated_text(arguments, edge))
    return []


def _amount(text: str, field: str, *, least: int = 0) -> int:
    micros = parse_money(text, field)
    if micros < least:
        raise RuleError(
            f"must be {'more than nothing' if least else 'nothing or more'}, not {text}", field=field
        )
    return micros


def own_cache() -> Path | None:
    return cache_folder(os.environ)


class Progress:
    """Tells on the standard error that a long enumeration goes on, from two seconds on: how far it is, where it says so
    by itself, and that it is at work where it does not."""

    def __init__(
        self,
        case: Case,
        clock: Callable[[], int] | None = None,
        beat_ms: int = 1000,
        *,
        shown: bool | None = None,
    ) -> None:
        self.name = f"{case.game.name} {case.entry.wager}"
        self.case = case
        self.clock = clock or (lambda: time.monotonic_ns() // 10**9)
        self.beat_ms = beat_ms
        self.shown = sys.stderr.isatty() if shown is None else shown  # a file or a program has no use for it
        self.began = self.clock()
        self.share = "at work"
        self.told = 0
        self.over = Event()

    def __enter__(self) -> Case:
        if not self.shown:
            return self.case
        Thread(target=self._beat, daemon=True).start()
        return replace(self.case, tick=self.tick)

    def __exit__(self, *_: object) -> None:
        self.over.set()
        if self.told:
            done = f"{self.name}: done in {self.clock() - self.began} s"
            sys.stderr.write(f"\r{done:<{len(self.name) + 24}}\n")  # as long as any line that it covers

    def tick(self, done: int, total: int) -> None:
        self.share = f"{100 * done // max(total, 1)}%"
        self._tell()

    def _beat(self) -> None:
        while not self.over.wait(self.beat_ms / 1000):
            self._tell()

    def _tell(self) -> None:
        passed = self.clock() - self.began
        if passed < SHOWN_AFTER_S or passed <= self.told:
            return
        self.told = passed
        sys.stderr.write(f"\r{self.name}: {self.share} after {self.told} s ")
        sys.stderr.flush()


def _rulebook(arguments: argparse.Namespace) -> str:
    if arguments.rulebook:
        return str(arguments.rulebook)
    books = [game.rulebook for game in all_games() if game.name == arguments.game]
    if len(books) == 1:
        return books[0]
    if not books:
        known = sorted({game.name for game in all_games()})
        near = get_close_matches(arguments.game, known, n=3) or known
        raise RuleError(
            f"{arguments.game!r} is not in the catalogue; there is {', '.join(near)}", field="game"
        )
    raise RuleError(f"say which with --rulebook: {', '.join(books)}", field="rulebook")


def _entries(arguments: argparse.Namespace) -> tuple[EdgeEntry, ...]:
    """Those asked for. A pay table or a selection belongs to one wager, which is named unless there is only one."""
    rulebook = _rulebook(arguments)
    entries = entries_of(arguments.game, rulebook, arguments.wager)
    if not arguments.wager and (arguments.odds or arguments.paytable or arguments.selection is not None):
        if len(entries) > 1:
            named = ", ".join(entry.wager for entry in entries)
            raise RuleError(f"say for which wager, with --wager: {named}", field="wager")
        arguments.wager = entries[0].wager
    return entries


def _cases(arguments: argparse.Namespace, entries: Sequence[EdgeEntry]) -> Iterator[Case]:
    (entry,) = entries
    case = case_of(
        entry,
        selection=arguments.selection,
        paytables=None if arguments.what_if else _tables(arguments),
        options=_options(arguments),
        decks=arguments.decks,
    )
    yield _what_if(case, _tables(arguments)) if arguments.what_if else case


def _what_if(case: Case, given: object) -> Case:
    """Odds as they are given, by slot or for the first one."""
    if not isinstance(given, dict) or not case.entry.slots:
        raise RuleError("odds are an object of line → '7 to 1'", field="odds")
    by_slot = given if set(given) <= set(case.entry.slots) else {case.entry.slots[0]: given}
    for slot, lines in by_slot.items():
        case = what_if(case, slot, lines)
    return case


def _defaults(arguments: argparse.Namespace, entries: Sequence[EdgeEntry]) -> Iterator[Case]:
    """A figure for each wager; the packs are for those that depend on them."""
    if arguments.decks is not None and all(entry.decks == (0,) for entry in entries):
        raise RuleError(
            "the packs of this game are not to choose: the rulebook fixes them, or they make no difference",
            field="decks",
        )
    for entry in entries:
        decks = arguments.decks if entry.decks != (0,) else None
        for selection in entry.selections:
            yield case_of(entry, selection=selection, options=_options(arguments), decks=decks)


def _read_json(path: str) -> Any:
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise RuleError(f"cannot be read: {error}", field=path) from None
    return read_json(text, path)


def _tables(arguments: argparse.Namespace) -> object:
    if arguments.odds:
        odds = _read_json(arguments.odds)
        if odds in ({}, [], None):
            raise RuleError("the file names no odds; write line → '7 to 1'", field=arguments.odds)
        return odds
    if arguments.paytable and "=" in arguments.paytable:
        slot, _, name = arguments.paytable.partition("=")
        return {slot: name}
    return arguments.paytable


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    for text in arguments.option:
        name, equals, value = text.partition("=")
        if not equals:
            raise RuleError(f"an option is written name=value, not {text!r}", field="option")
        try:
            chosen[name] = json.loads(value)
        except (ValueError, RecursionError):
            chosen[name] = value
    return chosen


def _simulated(arguments: argparse.Namespace, case: Case) -> dict[str, Any]:
    if not arguments.simulate:
        return {}
    with Progress(case) as watched:
        estimate = simulate(watched, Random(arguments.seed), arguments.simulate)  # noqa: S311 -- no secret
    return {
        "simulated": {
            "rounds": estimate.rounds,
            "seed": arguments.seed,
            "house_edge_percent": report.percent(estimate.house_edge),
            "standard_error_percent": report.percent(estimate.error),
        }
    }


def _simulated_text(arguments: argparse.Namespace, edge: Edge) -> str:
    found = _simulated(arguments, edge.case).get("simulated")
    if not found:
        return ""
    return (
        f"\n  {found['rounds']} random rounds (seed {found['seed']}) settled, each with the same money:"
        f" {found['house_edge_percent']}% ± {found['standard_error_percent']}%\n"
    )


def _all(arguments: argparse.Namespace, keeper: Store | None) -> int:
    def edges() -> Iterator[Edge]:
        for entry in all_entries():
            for case in variants(entry):
                with Progress(case) as watched:
                    yield edge_of(watched, keeper)

    if arguments.markdown:
        for line in page(edges()):
            sys.stdout.write(line + "\n")
    elif arguments.json:
        sys.stdout.write(json.dumps([report.as_json(edge) for edge in edges()], indent=2) + "\n")
    else:
        for edge in edges():
            sys.stdout.write(report.as_line(edge))
    return 0


USAGE = (
    "python -m rules edge GAME [--rulebook BOOK] [--wager W] [--selection S] [--paytable P | --odds FILE]"
    " [--decks N] [--option K=V] [--json]; --help tells all"
)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m rules edge", usage=USAGE, description=__doc__)
    add_arguments(parser)
    arguments = parser.parse_args(argv)
    try:
        return run(arguments)
    except RuleError as error:
        said = json.dumps({"error": error.as_json()}, indent=2) if arguments.json else f"error: {error}"
        sys.stderr.write(said + "\n")
        return 2


if __name__ == "__main__":
    end_with(main)
