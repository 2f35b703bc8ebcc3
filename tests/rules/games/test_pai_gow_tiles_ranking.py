"""Pai Gow Tiles: the order of two tiles (gb-2011 14.5-14.13) and the House Way (14.31), from the rulebook's own
lists."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from rules.games.pai_gow_tiles.bonanza import classify_bonus, is_lucky_duck
from rules.games.pai_gow_tiles.house_way import ALTERNATIVES, house_way
from rules.games.pai_gow_tiles.tiles import COUNTS, TILES, describe, value

# 14.5, as printed: how many of each
SET = {
    **dict.fromkeys(["6-6", "1-1", "4-4", "1-3", "5-5", "3-3", "2-2", "5-6", "4-6", "1-6", "1-5"], 2),
    **dict.fromkeys(["3-6", "4-5", "2-6", "3-5", "2-5", "3-4", "2-4", "1-4", "2-3", "1-2"], 1),
}
ALL = [text for text, count in SET.items() for _ in range(count)]
# 14.7-14.11, first to twentieth
ORDER = [
    [("1-2", "2-4")],
    *[
        [(text, text)]
        for text in ("6-6", "1-1", "4-4", "1-3", "5-5", "3-3", "2-2", "5-6", "4-6", "1-6", "1-5")
    ],
    [("3-6", "4-5")],
    [("2-6", "3-5")],
    [("2-5", "3-4")],
    [("1-4", "2-3")],
    [("6-6", "3-6"), ("6-6", "4-5")],
    [("1-1", "3-6"), ("1-1", "4-5")],
    [("6-6", "2-6"), ("6-6", "3-5"), ("6-6", "4-4")],
    [("1-1", "2-6"), ("1-1", "3-5"), ("1-1", "4-4")],
]
PLACE = {frozenset(pair): place for place, pairs in enumerate(ORDER, start=1) for pair in pairs}
# 14.13, highest first
SINGLES = [
    *(["6-6"], ["1-1"], ["4-4"], ["1-3"], ["5-5"], ["3-3"], ["2-2"], ["5-6"], ["4-6"], ["1-6"], ["1-5"]),
    *(["3-6", "4-5"], ["2-6", "3-5"], ["2-5", "3-4"], ["1-4", "2-3"], ["2-4"], ["1-2"]),
]
TILE_PLACE = {text: place for place, texts in enumerate(SINGLES) for text in texts}
SPOTS = {text: int(text[0]) + int(text[2]) for text in SET}


def tile(text: str) -> int:
    return TILES.index(text)


def worth(a: str, b: str, wild: bool = True) -> int:
    return value(tile(a), tile(b), wild)


def by_the_book(a: str, b: str, wild: bool = True) -> tuple[int, ...]:
    """Greater is better."""
    place = PLACE.get(frozenset((a, b)), 0)
    if place:
        return (100 - place,)
    ways = [[3, 6] if wild and t in ("1-2", "2-4") else [SPOTS[t]] for t in (a, b)]
    best = max((x + y) % 10 for x in ways[0] for y in ways[1])
    return (best, -min(TILE_PLACE[a], TILE_PLACE[b]))


def test_14_5_the_set() -> None:
    assert dict(zip(TILES, COUNTS, strict=True)) == SET
    assert len(ALL) == 32


@pytest.mark.parametrize("wild", [True, False])
def test_14_7_to_14_13_all_pairs_of_hands_compare_as_the_book_lists_them(wild: bool) -> None:
    hands = sorted(set(combinations(ALL, 2)))
    assert len(list(combinations(ALL, 2))) == 496
    for one in hands:
        for two in hands:
            ours, book = worth(*one, wild), by_the_book(*one, wild)
            theirs, other = worth(*two, wild), by_the_book(*two, wild)
            assert (ours > theirs) == (book > other), (one, two)
            assert (ours == theirs) == (book == other), (one, two)


@pytest.mark.parametrize(
    ("a", "b", "name"),
    [
        ("1-2", "2-4", "Supreme Pair"),
        ("6-6", "6-6", "Heaven"),
        ("3-6", "4-5", "Mixed Nine"),
        ("6-6", "4-5", "King of Heaven"),
        ("1-1", "4-4", "Treasure of Earth"),
        ("6-6", "1-6", "9 points"),
        ("1-2", "1-6", "3 points"),
        ("2-4", "3-3", "9 points"),  # the six counts three: 3 + 6
        ("5-6", "4-5", "0 points"),
    ],
)
def test_names(a: str, b: str, name: str) -> None:
    assert describe((tile(a), tile(b))) == name
    assert describe((tile(b), tile(a))) == name


# 14.31 in words: the pair → when it is split; tiles by their spots, F the Flower, M a mixed eight, * unpaired tens
ROWS = {
    ("1-2", "2-4"): "6 4, 6 5, 6 6",
    (
        "6-6",
        "6-6",
    ): "8 7, 8 8, 8 9, 4 6, 4 7, 4 8, 4 9, 6 5, 6 6, 6 7, 6 8, 6 9, 7 5, 7 7, 7 8, 7 9, 8 5, M 9, 9 5, 9 11",
    ("4-4", "4-4"): "2 10, 2 11, 10 10, 10 11, 12 10, 12 11, 2 12, 9 11",
    ("1-3", "1-3"): "",
    ("5-5", "5-5"): "",
    ("3-3", "3-3"): "2 12, 2 11, 12 11",
    ("2-2", "2-2"): "",
    ("5-6", "5-6"): "",
    ("4-6", "4-6"): "",
    ("1-6", "1-6"): "2 12, 2 10, 2 11, 12 10, 12 11, 10 11",
    ("1-5", "1-5"): "2 12, 2 F, 2 11, 12 F, 12 11",
    ("3-6", "4-5"): "2 12, 10 2, 10 12, F *",
    ("2-6", "3-5"): "2 12, 2 10, 2 11, 10 10, 10 11, 12 10, 12 11, 9 11",
    ("2-5", "3-4"): "2 12, 2 10, 2 11, 10 10, 10 11, 12 10, 12 11",
    ("1-4", "2-3"): "2 12",
}
ROWS["1-1", "1-1"] = ROWS["6-6", "6-6"]
OTHER_ROWS = {
    ("3-3", "3-3"): ("split-long", "never", ""),
    ("1-6", "1-6"): ("split-long-leg", "2-10-11-12", "2 12, 2 10, 2 11, 12 10, 12 11"),
    ("1-5", "1-5"): ("split-big-head", "never", ""),
    ("1-4", "2-3"): ("split-mixed-five", "never", ""),
}
LISTED = dict.fromkeys(ALTERNATIVES, "listed") | {"unpaired": "as-set"}


def matches(token: str, text: str) -> bool:
    if token in ("F", "M", "*"):
        return text in {"F": ["5-5"], "M": ["2-6", "3-5"], "*": ["4-6"]}[token]
    if text in ("1-2", "2-4"):
        return token == "6"  # beside a pair of twelves or twos a wild tile is a six
    return SPOTS[text] == int(token)


def split_by(row: str, others: tuple[str, str]) -> bool:
    rules = [entry.split() for entry in row.split(", ")] if row else []
    a, b = others
    return any((matches(x, a) and matches(y, b)) or (matches(x, b) and matches(y, a)) for x, y in rules)


def expected(pair: tuple[str, str], others: tuple[str, str], split: bool) -> tuple[int, int]:
    hands = [(pair[0], others[0]), (pair[1], others[1])] if split else [pair, others]
    low, high = sorted(worth(*hand) for hand in hands)
    return high, low


def got(pair: tuple[str, str], others: tuple[str, str], chosen: dict[str, str]) -> tuple[int, int]:
    tiles = [tile(text) for text in (*pair, *others)]
    Random(str(tiles)).shuffle(tiles)
    found = house_way(tiles, chosen)
    assert found is not None
    return value(*found[0]), value(*found[1])


def remaining(pair: tuple[str, str]) -> list[tuple[str, str]]:
    """Any two of the other thirty tiles that are no pair."""
    left = list(ALL)
    for text in pair:
        left.remove(text)
    return [two for two in sorted(set(combinations(left, 2))) if not 1 <= PLACE.get(frozenset(two), 0) <= 16]


@pytest.mark.parametrize("pair", ROWS, ids=" ".join)
def test_14_31_every_pair_beside_every_two_tiles(pair: tuple[str, str]) -> None:
    for others in remaining(pair):
        split = split_by(ROWS[pair], others)
        assert got(pair, others, LISTED) == expected(pair, others, split), others
    if pair in OTHER_ROWS:
        name, choice, row = OTHER_ROWS[pair]
        for others in remaining(pair):
            split = split_by(row, others)
            assert got(pair, others, LISTED | {name: choice}) == expected(pair, others, split), others


@pytest.mark.parametrize("pair", [("6-6", "6-6"), ("1-1", "1-1")])
def test_14_31_heaven_and_earth_may_instead_be_split_for_six_eight_or_better(pair: tuple[str, str]) -> None:
    for others in remaining(pair):
        made = sorted(by_the_book(pair[0], other)[0] for other in others)  # combinations are 80 and more
        split = (made[0] >= 6 and made[1] >= 8) or sorted(SPOTS[o] for o in others) == [9, 11]
        chosen = LISTED | {"split-heaven-earth": "6-8"}
        assert got(pair, others, chosen) == expected(pair, others, split), others


def test_14_31_examples_by_hand() -> None:
    # Supreme pair with a six and a four: 9 (3 + 6) and 7 (3 + 4)
    assert got(("1-2", "2-4"), ("3-3", "2-2"), LISTED) == (worth("1-2", "3-3"), worth("2-4", "2-2"))
    # Heaven with an eight and a five: Treasure of Heaven and 7
    assert got(("6-6", "6-6"), ("4-4", "1-4"), LISTED) == (worth("6-6", "4-4"), worth("6-6", "1-4"))
    # Mixed nine with a two and a twelve: King of Heaven and King of Earth
    assert got(("3-6", "4-5"), ("1-1", "6-6"), LISTED) == (worth("6-6", "3-6"), worth("1-1", "4-5"))
    # Flower is never split
    assert got(("5-5", "5-5"), ("6-6", "1-1"), LISTED) == (worth("5-5", "5-5"), worth("6-6", "1-1"))


def test_two_pairs_stay_together() -> None:
    for one in ROWS:
        for two in ROWS:
            if one < two:
                assert got(one, two, LISTED) == expected(one, two, False)


def test_without_a_pair_a_local_rule_or_the_setting_at_the_table_decides() -> None:
    tiles = [tile(text) for text in ("6-6", "4-5", "5-5", "5-6")]  # Wong with 1, 2 with 0, 3 with 9
    assert house_way(tiles, LISTED) is None
    best_high = house_way(tiles, LISTED | {"unpaired": "best-high"})
    assert best_high is not None
    assert [describe(hand) for hand in best_high] == ["King of Heaven", "1 points"]
    best_low = house_way(tiles, LISTED | {"unpaired": "best-low"})
    assert best_low is not None
    assert [describe(hand) for hand in best_low] == ["9 points", "3 points"]


def brute_bonus(four: tuple[str, ...], dealer_two_pairs: bool) -> str | None:
    """14.44, line by line from the top."""
    pairs = [PLACE.get(frozenset(two), 99) for two in combinations(four, 2)]
    a, b, c, d = four
    two = next(
        (
            {PLACE[frozenset(x)], PLACE[frozenset(y)]}
            for x, y in (((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c)))
            if PLACE.get(frozenset(x), 99) <= 16 and PLACE.get(frozenset(y), 99) <= 16
        ),
        None,
    )
    if two and dealer_two_pairs:
        return "two-pairs-against-two-pairs"
    if two in ({1, 2}, {1, 3}):
        return "supreme-and-heaven" if 2 in two else "supreme-and-earth"
    rest = sorted(SPOTS[t] for t in four if t not in ("3-3", "1-5"))
    if "3-3" in four and "1-5" in four and rest == [4, 7]:
        return "lucky-duck"
    if two:
        return "two-pairs"
    if min(pairs) <= 3:
        return "supreme-heaven-or-earth"
    return "wong-or-pair" if min(pairs) <= 18 else None


def test_14_44_every_hand_of_four_tiles() -> None:
    plain = tuple(map(tile, ("6-6", "4-4", "5-5", "1-6")))
    paired = tuple(map(tile, ("6-6", "6-6", "1-3", "1-3")))
    hands: dict[tuple[str, ...], int] = {}
    for dealt in combinations(ALL, 4):
        hands[dealt] = hands.get(dealt, 0) + 1
    assert sum(hands.values()) == 35_960
    seen: dict[str | None, int] = {}
    for four, count in hands.items():
        tiles = tuple(map(tile, four))
        key = classify_bonus(tiles, plain)
        assert key == brute_bonus(four, False), four
        assert classify_bonus(tiles, paired) == brute_bonus(four, True), four
        seen[key] = seen.get(key, 0) + count
    # 16 pairs make 120 twos of pairs; a pair goes with 435 other twos, 15 of them pairs; a duck is 2 x 2 x 4 x 4
    assert seen["supreme-and-heaven"] == seen["supreme-and-earth"] == 1
    assert seen["two-pairs"] == 118
    assert seen["lucky-duck"] == 64
    assert seen["supreme-heaven-or-earth"] == 3 * 420
    assert seen["wong-or-pair"] > 13 * 420


def test_lucky_duck() -> None:
    duck = [tile(text) for text in ("3-3", "1-5", "2-5", "1-3")]
    assert is_lucky_duck(duck)
    for place, other in ((0, "1-5"), (1, "3-3"), (2, "2-6"), (3, "1-4"), (0, "2-4")):
        wrong = list(duck)
        wrong[place] = tile(other)
        assert not is_lucky_duck(wrong)
