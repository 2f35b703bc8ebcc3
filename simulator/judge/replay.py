"""The judge's own replay of a progressive (`fold_again`) against Potline: it must end with Potline's pots, rules,
wins and decisions, whatever people changed on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from rules.errors import RuleError
from rules.money import format_money
from rules.progressive import Hits, Resolution, State, encode
from rules.progressive.clusters import Paid, Ruling
from rules.progressive.fold import Folded, Rulings
from rules.progressive.resolve import Payment
from simulator.judge.amendments import micros
from simulator.judge.fold_again import FOREVER, Tape
from simulator.judge.installation import Evidence, Row
from simulator.judge.second_thoughts import Key, judge_adjustments, judge_due
from simulator.judge.verdict import Verdict


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
    limit = tape.start.until if until is None else micros(until)
    try:
        folded, rulings = _fold_as_ruled(verdict, tape, wins, limit)
    except RuleError as fault:
        verdict.differ("replay", code, f"the log cannot be folded: {fault}")
        return Rulings()
    _left(verdict, tape, folded, rulings, evidence)
    verdict.count("progressives replayed")
    _compare_rules(verdict, tape, folded)
    _compare_pots(verdict, code, folded.progress.state, document)
    rounds = {item.row.round_id for item in tape.items}
    rounds |= {int(each.row["round_id"]) for each in tape.amendments if each.row and each.is_second_thought}
    mine, own = _won(folded), [win for win in wins if win["round_id"] in rounds]
    _compare_wins(verdict, code, mine, [win for win in own if win["adjustment"] is None])
    if tape.amendments:
        due: Counter[Key] = Counter()
        for won in mine:
            due[won.key] += won.payment.amount_micros
        due.update(judge_adjustments(verdict, tape, rulings))
        judge_due(verdict, code, due, own, evidence, document["host"])
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


def _compare_rules(verdict: Verdict, tape: Tape, folded: Folded) -> None:
    """Those in force and those armed are what the opening and the changes since give."""
    code, document, progress = tape.progressive.code, tape.progressive.document, folded.progress
    verdict.count("changes of rules", sum(each.postings is None for each in tape.amendments))
    coming = [each for each in tape.amendments if each.kind == "dated" and each.place >= progress.until]
    armed = coming[0].rules if coming else progress.armed
    for what, ours, theirs in (
        ("rules in force", progress.rules, document["rules"]),
        ("armed rules", armed, document["armed_rules"]),
    ):
        mine = None if ours is None else encode(ours)
        if mine != theirs:
            verdict.differ("rules", code, f"the {what} are not those that two people have put there")


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
    by_number: dict[int, Row] = {win["id"]: win for win in wins}
    names = {"hand": "trigger"}
    for row in rows:
        win = by_number.get(row["win"])
        if win is None:
            verdict.differ("win in the export", f"{code} round {row['round_id']}", "the API does not have it")
            continue
        for part in ("hand", "level", "amount", "from_pool", "from_house", "rule"):
            ours = win[names.get(part, part)]
            verdict.same("win in the export", f"{code}: win {win['id']}", part, ours, row[part])
    verdict.count("wins in the export", len(rows))
