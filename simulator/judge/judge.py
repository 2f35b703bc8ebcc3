"""The judge at work: looks at Potline before the day, watches it, and compares everything at its end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from rules import RuleError
from rules.progressive import ProgressiveRules, content_hash, decode
from simulator.floor import Plan
from simulator.judge.books import Books, Played
from simulator.judge.event_log import Logs, Progressive, judge_log
from simulator.judge.fold_again import is_opening, tape_of
from simulator.judge.frames import judge_frames
from simulator.judge.hindsight import applied_after
from simulator.judge.installation import Evidence, Installation, Row
from simulator.judge.ledger import judge_ledger
from simulator.judge.replay import judge_progressive
from simulator.judge.rounds import SAMPLE, judge_rounds, lines_by_round
from simulator.judge.sign import Sign
from simulator.judge.transit import judge_advances
from simulator.judge.verdict import Verdict
from simulator.people import Person
from simulator.run import Floor
from simulator.terminal import Clock

PATIENCE_S = 60.0
FIRST_FRAME_S = 20.0


class Judge:
    """`begin` before the first event is sent; `watching` while tables play; `verdict` as often as one likes."""

    def __init__(
        self,
        plan: Plan,
        url: str,
        *,
        username: str,
        password: str,
        signs: tuple[str, ...] = (),
        seed: str = "judge",
    ) -> None:
        self.installation = Installation(plan, Person(url, username, password))
        self.books = Books()
        self.signs = [Sign(url, token) for token in signs]
        self.seed = seed
        self.began = datetime.now(UTC)
        self.tables: dict[str, Row] = {}
        self.progressives: dict[str, Row] = {}

    def begin(self) -> None:
        """What lies in the pots and on the layouts before the judge counts."""
        self.began = datetime.now(UTC)
        self.tables = self.installation.tables()
        missing = sorted({table.name for table in self.installation.plan.tables} - set(self.tables))
        if missing:
            raise ValueError(
                f"Potline has no {', '.join(missing)} that {self.installation.person.username} may see."
            )
        self.progressives = self.installation.progressives()

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Signs are on from before the first wager."""
        tasks = [asyncio.create_task(sign.watch()) for sign in self.signs]
        try:
            async with asyncio.timeout(FIRST_FRAME_S):
                while not all(sign.shown for sign in self.signs):
                    await asyncio.sleep(0.05)
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def verdict(
        self, clocks: dict[str, Clock], patience_s: float = PATIENCE_S, sample: int = SAMPLE
    ) -> Verdict:
        """Reads Potline as it is now, and compares. What workers have not done yet is waited for. `sample`: how many
        rounds are read over the API as well."""
        verdict, doubtful = Verdict(), self.books.in_doubt()
        heard = self.books.rounds(self.tables, self.installation.round)
        played = [each for each in heard if each.uid not in doubtful]
        borrowed = sum(each.borrowed for each in played)
        if borrowed:
            verdict.notes.append(
                f"{borrowed} rounds were under way before; their beginning is Potline's word."
            )
        if doubtful:
            verdict.notes.append(f"{len(doubtful)} rounds of which an event was sent and never answered.")
        for name, event, problem in self.books.refused:
            what = f"{event['kind']} {event['number']}"
            verdict.notes.append(
                f"{name}: {what} was refused: {problem.get('code')}: {problem.get('detail')}"
            )
        for name, (session, number) in self.books.contradictions:
            verdict.differ(
                "answer", f"{name}, session {session}, event {number}", "answered twice, differently"
            )
        evidence = self.installation.evidence(
            self.began, lambda found: _is_complete(played, found), patience_s
        )
        judge_rounds(verdict, self.installation, played, self.tables, evidence, doubtful, self.seed, sample)
        settled = [each for each in played if each.judged and _settles(each)]
        self._jackpots(verdict, heard, settled, evidence, clocks)
        return verdict

    def _jackpots(
        self,
        verdict: Verdict,
        heard: list[Played],
        played: list[Played],
        evidence: Evidence,
        clocks: dict[str, Clock],
    ) -> None:
        progressives = {
            code: Progressive(code, document, evidence.progressives, self._known(code, document, evidence))
            for code, document in evidence.progressives.items()
        }
        logs = Logs.read(heard, played, progressives, evidence)
        for code, progressive in progressives.items():
            before = self.progressives[code]
            judge_log(verdict, played, progressive, logs, clocks, self.began)
            tape = tape_of(progressive, before, logs, evidence, self.began)
            tape.applied_after = applied_after
            verdict.count("progressives from their opening on", int(is_opening(tape)))
            rulings = judge_progressive(verdict, tape, evidence)
            shown = [each for sign in self.signs for each in sign.shown]
            if any(each.frame["progressive"] == code for each in shown):
                for sign in self.signs:
                    judge_frames(verdict, sign.shown, tape, rulings, evidence)
        judge_ledger(verdict, played, progressives, logs, evidence)
        judge_advances(verdict, evidence)

    def _known(self, code: str, document: Row, evidence: Evidence) -> dict[str, Row]:
        """The rules that two people have put there: of the beginning, and each change since."""
        before, host = self.progressives[code], evidence.exports.get(document["host"])
        found = [rules for rules in (before["rules"], before["armed_rules"]) if rules is not None]
        rows = host.rows["jackpots.changes"] if host else []
        found += [json.loads(row["rules"]) for row in rows if row["progressive"] == code]
        return {_hash(rules): rules for rules in found}


def _hash(rules: Row) -> str:
    return content_hash(decode(ProgressiveRules, rules))


def _settles(each: Played) -> bool:
    try:
        each.settlement  # noqa: B018
    except RuleError:
        return False  # `rounds` names it
    return True


def _is_complete(played: list[Played], found: Evidence) -> bool:
    """Every round is booked, every event of the log folded, or it waits for people."""
    lines = lines_by_round(found)
    settled = [each for each in played if each.judged and _settles(each)]
    booked = all((each.table, each.number) in lines for each in settled if each.settlement.lines)
    return booked and all(_is_folded(document, found) for document in found.progressives.values())


def _is_folded(document: Row, found: Evidence) -> bool:
    until, host = document["folded_until"], found.exports.get(document["host"])
    if host is None or found.rulings[document["code"]]["hits"]:
        return True  # people decide when it goes on
    if document["live"]["pending"]:
        return False
    if any(
        row["run"] is None
        for row in host.rows["jackpots.adjustments"]
        if row["progressive"] == document["code"]
    ):
        return False
    places = [row["place"] for row in host.rows["jackpots.events"] if row["progressive"] == document["code"]]
    last = max(map(datetime.fromisoformat, places), default=None)
    return last is None or (until is not None and datetime.fromisoformat(until) > last)


async def play_and_judge(
    playing: Floor,
    judge: Judge,
    *,
    act: Callable[[], Awaitable[None]] | None = None,
    meanwhile: Callable[[], None] = lambda: None,
    patience_s: float = PATIENCE_S,
) -> Verdict:
    """A day of a floor, and the verdict on it. Tables stay on their lines until it is given, so that nobody waits for
    them. `act`: what is played beside, after which the day is over; `meanwhile` is called when all have played, before
    anything is compared."""
    settings, over = playing.settings, asyncio.Event()
    settings.observe.append(judge.books)
    settings.linger = over
    await asyncio.to_thread(judge.begin)
    async with judge.watching():
        day = asyncio.ensure_future(playing.play())
        played = asyncio.ensure_future(playing.played())
        try:
            if act is not None:
                await act()
                settings.rounds = 0
            await asyncio.wait({day, played}, return_when=asyncio.FIRST_COMPLETED)
            if day.done():
                day.result()
            await asyncio.to_thread(meanwhile)
            return await asyncio.to_thread(judge.verdict, settings.clocks, patience_s)
        finally:
            if not played.done():  # something failed: nobody plays on
                played.cancel()
                day.cancel()
            over.set()
            await asyncio.gather(day, played, return_exceptions=True)
