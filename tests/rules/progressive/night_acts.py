"""What people of a simulated night take it into their heads to do, and when: chances only. Whether it can be done, and
what it comes to, is in `night_people`."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

from rules.money import CENT
from rules.progressive import LevelState, ProgressiveRules, State
from rules.progressive.clocks import SECOND
from rules.progressive.clusters import HitRound
from rules.progressive.config import Reseed
from tests.rules.progressive.night_people import OVERFLOWS, PeopleServer, others, prices_of

START = 1_000 * SECOND
MIDNIGHT = START + 45 * SECOND
"""A gaming day begins there: dated rules hold from then on, and what the house adds is counted anew."""
DOLLAR = 100 * CENT
ACTS = (
    "arm", "date", "withdraw", "transit", "pay", "think", "think", "late", "adjust", "transfer", "limit", "",
)  # fmt: skip
"""What people of a progressive do every four seconds, if it can be done; prizes are handed out at any time."""


def capped(
    rules: ProgressiveRules, opening: State, caps: tuple[int, ...], chance: Random
) -> tuple[ProgressiveRules, State]:
    """Half of the meters have a cap, not far above what is in them: a night is short."""
    if chance.random() < 0.5:
        return rules, opening
    (level,), (state,) = rules.levels, opening.levels
    above = min(state.increment_micros, caps[0] * DOLLAR)
    level = replace(
        level,
        cap_micros=level.seed_micros + chance.choice(caps) * DOLLAR,
        secondary_bp=chance.choice([None, 0, 1_000, 2_500]),
        overflow=chance.choice(OVERFLOWS),
        reseed=chance.choice([Reseed.WON, Reseed.BELOW_SEED]),
    )
    return replace(rules, levels=(level,)), State((LevelState(state.name, state.base_micros, above),))


class Will:
    """What happens next. A night has its server, its people's own chances, and counts what was done."""

    server: PeopleServer
    will: Random
    seen: Counter[str]
    truth: dict[str, int]
    changes_rules: bool
    """Where other rules are armed no prize is handed out before its turn."""

    def act(self, name: str) -> None:
        """Something that people do of a progressive, or nothing."""
        if self.will.random() < 0.7:
            self.seen["advance"] += self._hand_out(name)
        act = self.will.choice(ACTS)
        if act in ("arm", "date", "withdraw"):
            done = self.changes_rules and self._rules(name, act)
        elif act == "transit":
            act, done = self._transit(name)
        elif act in ("think", "late"):
            act, done = self._think(name, act)
        else:
            done = self._money(name, act)
        self.seen[act] += done

    def _rules(self, name: str, act: str) -> bool:
        server, will, rules = self.server, self.will, self.server.logs[name].progress.rules
        if act == "arm":
            return server.arm(name, others(rules, will.choice([50, 100, 120]), will))
        if act == "date" and prices_of(rules).flush <= 120 * DOLLAR:
            return server.arm(name, others(rules, 120, will), MIDNIGHT)
        return act == "withdraw" and will.random() < 0.3 and server.withdraw(name)

    def _transit(self, name: str) -> tuple[str, bool]:
        server, will, log = self.server, self.will, self.server.logs[name]
        if not log.transit:
            return "transit", False
        held = will.choice(sorted(log.transit))
        if will.random() < 0.4:
            return "returned", server.give_back(name, held)
        return "accepted", server.accept(name, held)

    def _hand_out(self, name: str) -> int:
        server = self.server
        found = [(hit, server.may_hand_out(name, hit)) for hit in server.pending(server.logs[name])]
        for hit, whose in found:
            if whose is not None:
                server.hand_out(name, hit, whose)
        return sum(whose is not None for _, whose in found)

    def _money(self, name: str, act: str) -> bool:
        server, will = self.server, self.will
        if act == "adjust" and will.random() < 0.3:
            return server.adjust_meter(name, will.choice([10, 50, 200, -3]) * DOLLAR)
        if act == "transfer":
            return server.transfer(name, will.choice([other for other in server.logs if other != name]))
        if act == "limit" and will.random() < 0.4:
            server.set_limit(too_old=not server.too_old)
            return True
        done = False
        for whose, won in list(server.open_wins(name)) if act == "pay" else ():
            if will.random() < 0.5:
                server.pay(name, whose, won)
                done = True
        return done

    def _think(self, name: str, act: str) -> tuple[str, bool]:
        server, will = self.server, self.will
        old = "too late, " if server.too_old else ""
        if act == "late":
            held = [each for each in server.undecided() if each.progressive == name]
            if not held:
                return act, False
            if will.random() < 0.2:
                server.dismiss(held[0])
                return "dismissed", True
            return f"{old}let in", server.let_in(held[0], self.camera(held[0].hit))
        won = sorted({whose[0] for whose, rows in server.claims[name].wins.items() if rows})
        if not won or will.random() < 0.5:
            return act, False
        hand = will.choice(["", "", "flush", "straight-flush", "royal-flush"])
        known = server.known(name, chosen := will.choice(won))
        if hand == ("" if known is None else known.hits[0].trigger):
            return act, False
        void = not hand and will.random() < 0.4
        what = "void" if void else "corrected" if hand else "rejected"
        return old + what, server.think(chosen, hand, void=void)

    def camera(self, hit: HitRound) -> int:
        """When it was, as far as that is within what is known of it."""
        return min(max(self.truth[hit.name], hit.moment.earliest), hit.moment.latest)
