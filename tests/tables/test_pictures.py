"""Pictures of results: every golden round of every game has one, and it shows what lay there."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from rules import round_from_json, settle
from tables.pages import pictures

FILES = sorted((Path(__file__).parents[1] / "rules" / "rounds").glob("*.json"))


def golden(path: Path) -> list[dict[str, Any]]:
    document = json.loads(path.read_text())
    rounds = document if isinstance(document, list) else document["rounds"]
    return [each.get("round", each) for each in rounds]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_golden_round_has_its_picture(path: Path) -> None:
    for document in golden(path):
        round_ = round_from_json(document)
        result = dict(settle(round_).result)
        rows = pictures.rows(round_.game, document.get("dealt", {}), result, round_.options)
        text = "".join(f"{row.picture}" for row in rows)
        seats = document.get("dealt", {}).get("seats", {})
        for hand in seats.values():
            for piece in hand if isinstance(hand, list) else [hand]:
                assert piece_in(piece, text)
        assert {row.words for row in rows if row.words} == set(
            result.values()
        )  # no word of the result is lost
        assert "<script" not in str(pictures.short(round_.game, document.get("dealt", {}), result))


def piece_in(piece: object, text: str) -> bool:
    if isinstance(piece, str) and len(piece) == 2 and piece[1] in "cdhs":
        return ("10" if piece[0] == "T" else piece[0]) + "♣♦♥♠"["cdhs".index(piece[1])] in text
    return str(piece) in text


def test_a_die_shows_as_many_spots_as_it_counts() -> None:
    for value in range(1, 7):
        assert str(pictures.die(value)).count("<circle") == value
    assert str(pictures.tile("6-5")).count("<circle") == 11


@pytest.mark.parametrize("order", [pictures.SINGLE_ZERO, pictures.DOUBLE_ZERO], ids=["one zero", "two zeros"])
def test_the_wheel_has_every_pocket_once_and_colours_alternate(order: tuple[str, ...]) -> None:
    """nz-1996 III 2.3: 1 to 36 are coloured alternately red and black; zeros are green."""
    from rules.games.roulette import layout

    assert sorted(order) == sorted(layout.DOUBLE_ZERO if "00" in order else layout.SINGLE_ZERO)
    turned = order[order.index("0") + 1 :]
    for stretch in " ".join(turned).split(" 00 ") if "00" in order else [" ".join(turned)]:
        colours = [layout.colour(number) for number in stretch.split()]
        assert all(one != other for one, other in pairwise(colours))
    made = str(pictures.wheel("17", order))
    assert made.count("<path") == len(order)
    assert 'aria-label="17 black odd low"' in made
    assert ">17</text>" in made


def test_baccarat_hands_come_out_of_the_shoe() -> None:
    """Kc 2d 5c Ad, then 8c: Player has 0 + 5 and draws the 8 for 3; Banker has 2 + 1 = 3 and stands against an 8."""
    (document, *_) = golden(next(path for path in FILES if path.stem == "punto-banco.gb-2011"))
    assert document["dealt"] == {"shoe": ["Kc", "2d", "5c", "Ad", "8c"]}
    round_ = round_from_json(document)
    rows = {row.place: str(row.picture) for row in pictures.rows(round_.game, document["dealt"], {}, {})}
    assert [text in rows["player"] for text in ("K♣", "5♣", "8♣", "2♦")] == [True, True, True, False]
    assert [text in rows["banker"] for text in ("2♦", "A♦", "8♣")] == [True, True, False]


def test_what_is_dealt_is_never_markup() -> None:
    roulette = round_from_json(
        golden(next(path for path in FILES if path.stem == "roulette.nz-1996"))[0]
    ).game
    rows = pictures.rows(roulette, {}, {"<b>": "<script>alert(1)</script>"}, {})
    assert rows[0].words == "<script>alert(1)</script>"  # escaped where it is drawn: a plain str
    assert not hasattr(rows[0].words, "__html__")
