"""nz-1996 I 14.2(a): a wager under the minimum is valid once in respect of a player, here at the boxes of blackjack."""

from __future__ import annotations

from typing import Any

from tests.rules.games.blackjack_rounds import ends, played

NZ = "blackjack nz-1996"


def test_i_14_2_a_once_is_by_player_where_one_is_named() -> None:
    """Ann had hers at box 1 and has no other at box 2; Bob, and whoever plays box 1 without a name, have theirs."""
    limits = {"kinds": {"main": {"minimum": "5.00", "maximum": "100.00"}}}

    def won(staked: str, table: Any) -> tuple[dict[str, str], Any]:
        seat = staked.partition("@")[2][0]
        answer = played(
            NZ, staked, "Ts 7d 9c Kd", f"{seat}:stand", limits=limits, carried={"table": dict(table)}
        )
        return ends(answer), answer.carried.table

    first, table = won("main@1/Ann=2.00", {})
    assert first == {"main@1/Ann": "+2.00 4.1(b)"}
    for staked, line in (
        ("main@2/Ann=2.00", "+0.00 14.2(a)"),
        ("main@1/Bob=2.00", "+2.00 4.1(b)"),
        ("main@1=2.00", "+2.00 4.1(b)"),
        ("main@3/1=2.00", "+2.00 4.1(b)"),  # a player called 1 is not box 1
        ("main@1=2.00", "+0.00 14.2(a)"),
        ("main@2/1=2.00", "+0.00 14.2(a)"),
    ):
        got, table = won(staked, table)
        assert list(got.values()) == [line], staked
