"""How much of a stake is in play: what can be paid exactly in chips, the table differential.

What is not in play comes back whatever the result. Maximums, also those of a whole area, are applied in `rules.play`.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules.contract import Round, Wager
from rules.errors import RuleError
from rules.games.baccarat.coup import BANKER, PLAYER
from rules.games.baccarat.game_rules import GameRules
from rules.money import CENT, format_money, rounded_down
from rules.play import Play


class Stakes:
    """The part of each wager on a hand that counts, and the rules that cut it."""

    def __init__(self, play: Play, game_rules: GameRules) -> None:
        self._play, self._game_rules = play, game_rules
        self._chip = max(play.round.limits.chip, CENT)
        self.valid = {
            wager.id: play.in_play(wager) for wager in play.wagers if wager.kind in game_rules.roles
        }
        self.cut_by: dict[str, list[str]] = {}
        self._cut_to_exact_chips()
        if play.round.limits.differential is not None:
            self._cut_to_differential(play.round.limits.differential)
            self._cut_to_exact_chips()

    def of(self, wager: Wager) -> int:
        return self.valid[wager.id]

    def cuts(self, wager: Wager) -> tuple[str, ...]:
        return tuple(self.cut_by.get(wager.id, ()))

    def _on(self, role: str) -> list[Wager]:
        return [wager for wager in self._play.wagers if self._game_rules.roles.get(wager.kind) == role]

    def _cut(self, wager: Wager, to: int, rule: str) -> None:
        if to < self.valid[wager.id]:
            self.valid[wager.id] = to
            self.cut_by.setdefault(wager.id, []).append(rule)

    def _cut_to_exact_chips(self) -> None:
        unit = exact_unit(self._game_rules, self._chip)
        for wager in self._on(BANKER) if unit else ():
            self._cut(wager, rounded_down(self.valid[wager.id], unit), self._game_rules.cites.exact_part)

    def _cut_to_differential(self, most: int) -> None:
        """The larger side is cut pro rata, each wager down to chips that can be staked."""
        totals = {role: sum(self.valid[w.id] for w in self._on(role)) for role in (PLAYER, BANKER)}
        larger = max(totals, key=lambda role: totals[role])
        total, allowed = totals[larger], min(totals.values()) + most
        if total <= allowed:
            return
        for wager in self._on(larger):
            share = self.valid[wager.id] * allowed // total
            self._cut(wager, rounded_down(share, self._chip), self._game_rules.cites.differential)


def exact_unit(game_rules: GameRules, chip: int) -> int:
    """The smallest stake on the banker that wins an amount payable in chips after commission; 0: any stake does."""
    return (1 - game_rules.commission).denominator * chip if game_rules.commission else 0


def acceptance_faults(round: Round, game_rules: GameRules) -> Iterator[RuleError]:
    """Stakes that are not to be accepted, though the rulebook settles them in its own way once they were."""
    chip = max(round.limits.chip, CENT)
    unit = exact_unit(game_rules, chip)
    for index, wager in enumerate(round.wagers):
        if unit and game_rules.roles.get(wager.kind) == BANKER and wager.stake % unit:
            text = (
                f"{format_money(wager.stake)} less commission cannot be paid exactly in chips of "
                f"{format_money(chip)}; a multiple of {format_money(unit)} can"
            )
            yield RuleError(text, field=f"wagers[{index}].stake", rule=game_rules.cites.exact)
