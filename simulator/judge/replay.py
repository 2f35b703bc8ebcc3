"""The judge's own replay of a progressive: its log in the order of places through `rules.progressive.fold`.

What was staked and hit comes from the judge's books; where it stands from the house's log, which `event_log` has held
against the true moments. It begins with the pots as the API told them before the first round, and must end with the
house's pots, wins and decisions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from rules.codec import hit_from_json, wager_from_json
from rules.contract import Wager
from rules.errors import RuleError
from rules.money import format_money, parse_money
from rules.progressive import Hits, ProgressiveRules, Resolution, State, decode, opening_state, split
from rules.progressive.clusters import HitRound, Paid, Ruling, Standing
from rules.progressive.fold import Folded, Limits, Progress, Rulings, fold
from rules.progressive.order import Contribution, Return
from rules.progressive.places import Placed
from rules.progressive.resolve import Payment
from simulator.judge.event_log import LogRow, Logs, Progressive, entered, hits_on, slice_of, staked
from simulator.judge.house import Evidence, Row
from simulator.judge.verdict import Verdict

FOREVER = 1 << 62
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def micros(at: datetime) -> int:
    return (at - EPOCH) // timedelta(microseconds=1)


@dataclass(frozen=True)
class Item:
    """A row of the log as the rules take it: standing where it stands, or the hits of a round."""

    row: LogRow
    standing: tuple[Standing, ...] = ()
    hit: HitRound | None = None

    @property
    def place(self) -> int:
        return micros(self.row.at("place"))


@dataclass
class Tape:
    """What a progressive had in its log since the judge began to look, and where it began."""

    progressive: Progressive
    start: Progress
    limits: Limits
    items: list[Item] = field(default_factory=list)

    def fold(
        self, items: Iterable[Item], limit: int, rulings: Rulings, start: Progress | None = None
    ) -> Folded:
        chosen = list(items)
        return fold(
            start or self.start,
            [item.hit for item in chosen if item.hit is not None],
            [each for item in chosen for each in item.standing],
            limit,
            rulings,
            self.limits,
        )


def tape_of(progressive: Progressive, before: Row, logs: Logs) -> Tape:
    until = before["folded_until"]
    start = Progress(
        decode(ProgressiveRules, before["rules"]),
        decode(State, {"levels": before["pots"]}),
        0 if until is None else micros(datetime.fromisoformat(until)),
        armed=None if before["armed_rules"] is None else decode(ProgressiveRules, before["armed_rules"]),
    )
    document = progressive.document
    limits = Limits(parse_money(document["ruling_limit"]), parse_money(document["ruling_daily"]))
    tape = Tape(progressive, start, limits)
    for row in logs.rows.get(progressive.code, []):
        if micros(row.at("place")) >= start.until:
            tape.items.append(_item(row, progressive, logs))
    return tape


def _item(row: LogRow, progressive: Progressive, logs: Logs) -> Item:
    if row.kind == "hits":
        return Item(row, hit=_hit_round(row, progressive, logs))
    slices, table = progressive.slices(row.table), _table(row)
    standing = []
    for wager in _wagers(row, progressive, logs):
        if not slices.get(wager.kind):
            continue
        if row.kind == "stakes":
            name = f"{row.table}:{row.row['number']}:{wager.id}"
            parts = split(wager.stake, progressive.rules.levels, slice_of(wager.stake, slices[wager.kind]))
            event: Contribution | Return = Contribution(name, parts)
        else:
            event = Return(f"{row.table}:{row.body['origin']}:{wager.id}", rule=row.body["rule"])
        standing.append(Standing(micros(row.at("place")), table, row.round_id, event))
    return Item(row, tuple(standing))


def _wagers(row: LogRow, progressive: Progressive, logs: Logs) -> list[Wager]:
    """By the judge's own books where it has them; a round of before it looked is taken as the log has it."""
    each = logs.rounds.get(row.round_id)
    if each is not None and each.judged and row.kind == "stakes":
        return staked(each, progressive.slices(row.table))
    return [wager_from_json(wager) for wager in row.body["wagers"]]


def _hit_round(row: LogRow, progressive: Progressive, logs: Logs) -> HitRound:
    each, kinds = logs.rounds.get(row.round_id), progressive.slices(row.table)
    if each is not None and each.judged:
        hits = Hits(str(row.round_id), hits_on(each, progressive, kinds), entered(each, kinds))
    else:
        won = (hit_from_json(hit) for hit in row.body["hits"])
        took_part = (wager_from_json(wager) for wager in row.body["entered"])
        hits = Hits(
            str(row.round_id),
            tuple(
                hit for hit in won if hit.trigger in progressive.rules.triggers and hit.wager.kind in kinds
            ),
            tuple(wager for wager in took_part if wager.kind in kinds),
        )
    place, earliest, latest, received = (
        micros(row.at(name)) for name in ("place", "earliest", "latest", "received_at")
    )
    moment = Placed(place, earliest, latest, received, row.row["late"] == "true")
    lock = micros(datetime.fromisoformat(row.body["lock"]["place"]))
    return HitRound(_table(row), row.round_id, moment, lock, hits)


def _table(row: LogRow) -> str:
    """Tables stand in the order of their premises' codes, then of their own."""
    return row.table.replace("/", "\0", 1)


# -------------------------------------------------------------------------------------------------------- judging


@dataclass(frozen=True)
class Won:
    """A payment of the replay."""

    round_id: int
    payment: Payment
    decision: str

    @property
    def key(self) -> tuple[int, int, str, str, str]:
        return (
            self.round_id,
            self.payment.seat,
            self.payment.wager.player,
            self.payment.trigger,
            self.payment.level,
        )

    @property
    def said(self) -> dict[str, str]:
        paid = self.payment
        return {
            "amount": format_money(paid.amount_micros),
            "from_pool": format_money(paid.from_pool_micros),
            "from_house": format_money(paid.from_house_micros),
            "rule": paid.rule,
            "decision": self.decision,
        }


def judge_progressive(verdict: Verdict, tape: Tape, evidence: Evidence) -> Rulings:
    """Wins, decisions and pots; gives what people have ruled, as far as the order needed them."""
    code, document = tape.progressive.code, tape.progressive.document
    wins = [win for win in evidence.wins if win["progressive"] == code]
    until = document["folded_until"]
    limit = tape.start.until if until is None else micros(datetime.fromisoformat(until))
    try:
        folded, rulings = _fold_as_ruled(verdict, tape, wins, limit)
    except RuleError as fault:
        verdict.differ("replay", code, f"the log cannot be folded: {fault}")
        return Rulings()
    _left(verdict, tape, folded, rulings, evidence)
    verdict.count("progressives replayed")
    _compare_pots(verdict, code, folded.progress.state, document)
    rounds = {item.row.round_id for item in tape.items}
    _compare_wins(verdict, code, _won(folded), [win for win in wins if win["round_id"] in rounds])
    _compare_export(verdict, wins, evidence, document["host"], code)
    return rulings


def _fold_as_ruled(verdict: Verdict, tape: Tape, wins: list[Row], limit: int) -> tuple[Folded, Rulings]:
    """Where the judge cannot tell the order either, people's word is taken: it is in the decision of their wins."""
    rulings = Rulings()
    decisions = {str(win["round_id"]): win["decision"] for win in wins}
    while True:
        folded = tape.fold(tape.items, limit, rulings)
        waiting = folded.waiting
        names = [] if waiting is None else [hit.name for hit in waiting.order]
        ruled = decisions.get(names[0]) if names else None
        if not names or ruled is None or set(ruled["order"]) != set(names):
            return folded, rulings
        verdict.count("orders that people have ruled")
        if ruled["kind"] == "best":
            more = replace(rulings, best=rulings.best | set(names))
        else:
            order = ruled["order"]
            pairs = tuple(Ruling(a, b) for i, a in enumerate(order) for b in order[i + 1 :])
            more = replace(rulings, pairs=rulings.pairs + pairs)
        if more == rulings:
            return folded, rulings
        rulings = more


def _left(verdict: Verdict, tape: Tape, folded: Folded, rulings: Rulings, evidence: Evidence) -> None:
    """Nothing is left to fold at the end of a day, but behind hits whose order the judge cannot tell either."""
    left = [item for item in tape.items if item.place >= folded.progress.until]
    if not left:
        return
    code = tape.progressive.code
    waiting = tape.fold(tape.items, FOREVER, rulings).waiting
    ours = [] if waiting is None else sorted(hit.number for hit in waiting.order)
    theirs = sorted(hit["round"] for hit in evidence.rulings[code]["hits"])
    if not theirs and not ours:
        verdict.differ("not folded", code, f"{len(left)} events of the log, the first {left[0].row.name}")
    elif verdict.same("ruling", code, "what waits for people", ours, theirs):
        behind = f"{len(left)} events of the log stand behind them"
        verdict.notes.append(
            f"{len(ours)} hits on {code} wait for people to say in which order they fell; {behind}."
        )


def _won(folded: Folded) -> list[Won]:
    found: list[Won] = []
    for stretch in folded.stretches:
        for event, outcome in zip(stretch.events, stretch.history.outcomes, strict=True):
            if not isinstance(event, Hits) or not isinstance(outcome, Resolution):
                continue
            decision = stretch.decision
            several = decision is not None and len(decision.order) > 1
            for payment in outcome.payments:
                more = _added(event.name, payment, decision.added if decision else ())
                payment = replace(
                    payment,
                    amount_micros=payment.amount_micros + more,
                    from_house_micros=payment.from_house_micros + more,
                )
                kind = decision.kind.value if several and decision else ""
                found.append(Won(int(event.name), payment, kind))
    return found


def _added(name: str, payment: Payment, added: Iterable[Paid]) -> int:
    whose = (name, payment.wager.id, payment.hit.wager.id, payment.trigger, payment.level)
    return sum(paid.amount_micros for paid in added if paid.whose == whose)


def _compare_pots(verdict: Verdict, code: str, state: State, document: Row) -> None:
    for level, pots in zip(state.levels, document["pots"], strict=True):
        about = f"{code} {level.name}"
        for pot in ("base", "increment", "reserve", "overflow"):
            ours = format_money(getattr(level, f"{pot}_micros"))
            verdict.same("pot", about, pot, ours, pots[pot])
        verdict.same("pot", about, "times won", level.resets, pots["resets"])
        verdict.same("meter", about, "final", format_money(level.meter_micros), document["final"][level.name])
        verdict.count("meters")
        verdict.add(f"on the meter of {about}", level.meter_micros)


def _key(win: Row) -> tuple[int, int, str, str, str]:
    return win["round_id"], win["seat"], win["player"], win["trigger"], win["level"]


def _compare_wins(verdict: Verdict, code: str, ours: list[Won], theirs: list[Row]) -> None:
    by_key: dict[tuple[int, int, str, str, str], list[Row]] = {}
    for win in theirs:
        by_key.setdefault(_key(win), []).append(win)
    for won in ours:
        about = f"{code}: {won.payment.trigger} of seat {won.payment.seat} in round {won.round_id}"
        found = by_key.get(won.key, [])
        if not found:
            verdict.differ("lost win", about, f"{won.said['amount']} is due, and there is no win")
            continue
        win = found.pop(0)
        verdict.count("wins")
        verdict.add(f"won from {code}", won.payment.amount_micros)
        decision = (win["decision"] or {}).get("kind", "")
        for part, value in won.said.items():
            verdict.same(
                "win", f"{about} (win {win['id']})", part, value, (win | {"decision": decision})[part]
            )
    for left in [win for found in by_key.values() for win in found]:
        verdict.differ("win too many", f"{code}: win {left['id']}", f"{left['amount']} for {left['trigger']}")
    if [won.key for won in ours] != [_key(win) for win in theirs] and {won.key for won in ours} == set(
        by_key
    ):
        order = ", ".join(str(win["id"]) for win in theirs)
        verdict.differ("order of wins", code, f"{order} are not in the order of the replay")


def _compare_export(verdict: Verdict, wins: list[Row], evidence: Evidence, host: str, code: str) -> None:
    """The report of wins says what the API says."""
    if host not in evidence.exports:
        return
    rows = [row for row in evidence.exports[host].rows["jackpots.wins"] if row["progressive"] == code]
    by_key: dict[tuple[int, int, str, str, str], Row] = {_key(win): win for win in wins}
    names = {"hand": "trigger"}
    for row in rows:
        key = (int(row["round_id"]), row["seat"], row["player"] or "", row["hand"], row["level"])
        win = by_key.get(key)
        if win is None:
            verdict.differ("win in the export", f"{code} round {row['round_id']}", "the API does not have it")
            continue
        for part in ("hand", "level", "amount", "from_pool", "from_house", "rule"):
            ours = win[names.get(part, part)]
            verdict.same("win in the export", f"{code}: win {win['id']}", part, ours, row[part])
    verdict.count("wins in the export", len(rows))


def is_opening(tape: Tape) -> bool:
    return tape.start.state == opening_state(tape.start.rules)
