"""Rounds and settlements as JSON, both ways without loss, validated by the game's own declarations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rules.cards import card_text, parse_card
from rules.catalogue import find_game
from rules.contract import (
    OPEN,
    Carried,
    Decision,
    Hit,
    Irregularity,
    KindLimits,
    Limits,
    Line,
    Outcome,
    Round,
    Settlement,
    Standing,
    Wager,
)
from rules.declare import Game, PayTable
from rules.errors import RuleError
from rules.frozen import maker
from rules.limits import limits_faults
from rules.money import format_money, read_money
from rules.odds import Odds, odds
from rules.shape import MAX_TEXT, ByName, Flag, Int, ListOf, Money, Shape, Struct, Text

KIND_LIMITS = Struct(
    optional={"minimum": Money(), "maximum": Money(), "increment": Money(), "max_payout": Money()},
    about="what the limits sign says of one kind of wager",
)
LIMITS = Struct(
    optional={
        "kinds": ByName(KIND_LIMITS),
        "chip": Money("smallest amount payable in chips"),
        "hand_payout": Money("the most that one hand may win"),
        "differential": Money("greatest difference between two opposed sides"),
        "players": ByName(ByName(KIND_LIMITS)),
    }
)
WAGER = Struct(
    required={"id": Text(), "kind": Text(), "stake": Money()},
    optional={"seat": Int(0, 99), "player": Text(), "selection": Text(), "promo": Flag()},
)
WAGERS = ListOf(WAGER)
HIT = Struct(
    required={"wager": WAGER, "trigger": Text(), "rule": Text(), "cards": ListOf(Text())},
    optional={"on_board": Flag(), "folded": Flag(), "strength": Int(0, 2**31)},
)

MAX_NESTING = 8
"""Of what a game remembers; none remembers more than a few levels."""

_wager_of = maker(Wager)
_decision_of = maker(Decision)
_line_of = maker(Line)


class _Anything:
    """State that only the game itself writes and reads; any JSON value."""

    def parse(self, value: object, field: str, *, partial: bool = False) -> Any:
        if _deeper(value, MAX_NESTING):
            raise RuleError("is nested too deeply", field=field)
        return value

    def dump(self, value: Any) -> Any:
        return list(value) if isinstance(value, tuple) else value

    def schema(self) -> dict[str, Any]:
        return {}


def _deeper(value: object, levels: int) -> bool:
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return bool(inner) and (not levels or any(_deeper(item, levels - 1) for item in inner))


CARRIED = Struct(
    optional={
        "table": ByName(_Anything()),
        "wagers": ListOf(Struct(required={"wager": WAGER}, optional={"state": ByName(_Anything())})),
    },
    about="what the settlement of the round before handed over, as it was",
)
ROUND_FIELDS = [
    "game",
    "rulebook",
    "options",
    "paytables",
    "limits",
    "wagers",
    "dealt",
    "decisions",
    "irregularities",
    "carried",
]


def round_from_json(document: object, *, partial: bool = False) -> Round:
    """A round from its JSON document. `partial`: it is still under way, cards and decisions may be missing."""
    try:
        return _round(document, partial)
    except RecursionError:
        raise RuleError("is nested too deeply", field="round") from None


def _round(document: object, partial: bool) -> Round:
    if not isinstance(document, Mapping):
        raise RuleError("a round is a JSON object", field="round")
    for name in document:
        if name not in ROUND_FIELDS:
            raise RuleError(f"is not known; known: {', '.join(ROUND_FIELDS)}", field=str(name))
    game = find_game(document.get("game"), document.get("rulebook"))
    return Round(
        game=game,
        wagers=wagers_from_json(_list(document, "wagers")),
        dealt=game.dealt.parse(
            document.get("dealt", {}), "dealt", partial=partial or _not_dealt(game, document)
        ),
        decisions=tuple(
            decision_from_json(game, given, f"decisions[{i}]")
            for i, given in enumerate(_list(document, "decisions"))
        ),
        irregularities=tuple(
            Irregularity(**_act(given, f"irregularities[{i}]", game.irregularity_shapes, "irregularity"))
            for i, given in enumerate(_list(document, "irregularities"))
        ),
        options=resolve_options(game, document.get("options", {})),
        paytables=resolve_paytables(game, document.get("paytables", {})),
        limits=limits_from_json(game, document.get("limits", {})),
        carried=carried_from_json(document.get("carried", {})),
    )


def round_to_json(round: Round) -> dict[str, Any]:
    """The full document, with every option and pay table resolved; reading it back gives an equal round."""
    game = round.game
    decided = {kind.name: kind.value for kind in game.decisions}
    gone_wrong = {kind.name: kind.value for kind in game.irregularities}
    shapes = {option.name: option.shape for option in game.options}
    return {
        "game": game.name,
        "rulebook": game.rulebook,
        "options": {name: shapes[name].dump(value) for name, value in round.options.items()},
        "paytables": {slot: _paytable_to_json(game, table) for slot, table in round.paytables.items()},
        "limits": limits_to_json(round.limits),
        "wagers": [wager_to_json(wager) for wager in round.wagers],
        "dealt": game.dealt.dump(round.dealt),
        "decisions": [_act_to_json(d, decided[d.kind]) for d in round.decisions],
        "irregularities": [_act_to_json(i, gone_wrong[i.kind]) for i in round.irregularities],
        "carried": carried_to_json(round.carried),
    }


def resolve_options(game: Game, given: object) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise RuleError("options are an object by name", field="options")
    known = game.named_options
    for name in given:
        if name not in known:
            there_are = f"known: {', '.join(known)}" if known else "it has none"
            raise RuleError(f"{name!r} is no option of {game.title}; {there_are}", field="options")
    out = dict(game.default_options)
    for name, option in known.items() if given else ():
        if name in given:
            out[name] = option.shape.parse(given[name], f"options.{name}")
    return out


def resolve_paytables(game: Game, given: object) -> dict[str, PayTable]:
    """By slot: a table of the rulebook by its name, or an operator's own odds where the rulebook allows them."""
    if not isinstance(given, Mapping):
        raise RuleError("pay tables are an object by slot", field="paytables")
    tables = dict(game.default_tables)
    for slot in given:
        if slot not in tables:
            raise RuleError(f"{slot!r} is no pay table slot; known: {', '.join(tables)}", field="paytables")
    for slot in tables if given else ():
        if slot in given:
            tables[slot] = _paytable(game, slot, given[slot])
    return tables


def _paytable(game: Game, slot: str, given: object) -> PayTable:
    field, tables = f"paytables.{slot}", game.tables_of(slot)
    if isinstance(given, str):
        if given not in tables:
            raise RuleError(f"{given!r} is not one of {', '.join(tables)}", field=field)
        return tables[given]
    rule = game.provisions.own_paytables
    if not rule:
        raise RuleError(f"{game.rulebook} fixes the odds; name one of {', '.join(tables)}", field=field)
    if not isinstance(given, Mapping) or not all(isinstance(text, str) for text in given.values()):
        raise RuleError("odds are an object of line → '7 to 1'", field=field, rule=rule)
    by_line, optional = game.least_odds(slot), game.optional_lines(slot)
    for key in given:
        if key not in by_line:
            raise RuleError(
                f"{key!r} is no line of this pay table; known: {', '.join(by_line)}", field=field, rule=rule
            )
    lines: dict[str, Odds] = {}
    for key, least in by_line.items():
        if key not in given:
            if key in optional:
                continue
            raise RuleError(f"the line {key!r} is missing", field=field, rule=rule)
        try:
            lines[key] = odds(given[key])
        except RuleError as fault:
            raise RuleError(fault.message, field=f"{field}.{key}", rule=rule) from None
        if lines[key].ratio < least.ratio:
            raise RuleError(
                f"{given[key]} is below the minimum of {least}", field=f"{field}.{key}", rule=rule
            )
    return PayTable(slot, "own", rule, lines)


def _paytable_to_json(game: Game, table: PayTable) -> str | dict[str, str]:
    if game.tables_of(table.slot).get(table.name) == table:
        return table.name
    return {key: value.text for key, value in table.lines.items()}


def limits_from_json(game: Game, given: object) -> Limits:
    """Refused where the game has no such wager or limit: a limit that is spelled wrong would limit nothing."""
    if given == {}:
        return OPEN
    parsed = LIMITS.parse(given, "limits")
    parsed["kinds"] = {kind: KindLimits(**bounds) for kind, bounds in parsed.get("kinds", {}).items()}
    parsed["players"] = {
        who: {kind: KindLimits(**bounds) for kind, bounds in kinds.items()}
        for who, kinds in parsed.get("players", {}).items()
    }
    limits = Limits(**parsed)
    for fault in limits_faults(game, limits):
        raise fault
    return limits


def limits_to_json(limits: Limits) -> dict[str, Any]:
    out: dict[str, Any] = {"kinds": {kind: _kind_limits(bounds) for kind, bounds in limits.kinds.items()}}
    if limits.players:
        out["players"] = {
            who: {kind: _kind_limits(bounds) for kind, bounds in kinds.items()}
            for who, kinds in limits.players.items()
        }
    for name in ("chip", "hand_payout", "differential"):
        if getattr(limits, name) is not None:
            out[name] = format_money(getattr(limits, name))
    return out


def _kind_limits(bounds: KindLimits) -> dict[str, str]:
    named = {name: getattr(bounds, name) for name in ("minimum", "maximum", "increment", "max_payout")}
    return {name: format_money(micros) for name, micros in named.items() if micros is not None}


def carried_from_json(given: object) -> Carried:
    parsed = CARRIED.parse(given, "carried")
    standing = [
        Standing(_wager(entry["wager"]), entry.get("state", {})) for entry in parsed.get("wagers", ())
    ]
    return Carried(parsed.get("table", {}), tuple(standing))


def carried_to_json(carried: Carried) -> dict[str, Any]:
    return {
        "table": dict(carried.table),
        "wagers": [{"wager": wager_to_json(s.wager), "state": dict(s.state)} for s in carried.wagers],
    }


def wager_to_json(wager: Wager) -> dict[str, Any]:
    out: dict[str, Any] = {"id": wager.id, "kind": wager.kind, "stake": format_money(wager.stake)}
    if wager.seat:
        out["seat"] = wager.seat
    if wager.player:
        out["player"] = wager.player
    if wager.selection:
        out["selection"] = wager.selection
    if wager.promo:
        out["promo"] = wager.promo
    return out


def wager_from_json(given: object, field: str = "wager") -> Wager:
    return _plain_wager(given) or _wager(WAGER.parse(given, field))


def wagers_from_json(given: list[Any]) -> tuple[Wager, ...]:
    found = [_plain_wager(each) for each in given]
    if all(found):
        return tuple(found)  # type: ignore[arg-type]
    return tuple([_wager(each) for each in WAGERS.parse(given, "wagers")])


def spelled(wagers: Iterable[Wager]) -> list[dict[str, Any]]:
    return [wager_to_json(wager) for wager in wagers]


def same_wagers(one: list[Any], other: list[Any]) -> bool:
    """Whether two documents say the same wagers, however each is spelled."""
    if one == other:
        return True
    try:
        return wagers_from_json(one) == wagers_from_json(other)
    except RuleError:
        return False


def _plain_wager(given: object) -> Wager | None:
    """What WAGER makes of it in nearly all cases, in a fifth of the time; None: it has to look, and has words for what
    is wrong."""
    if type(given) is not dict or not _WAGER_NAMES.issuperset(given):
        return None
    get = given.get
    id, kind, stake, seat = get("id"), get("kind"), get("stake"), get("seat", 0)
    player, selection, promo = get("player", ""), get("selection", ""), get("promo", False)
    if (
        not type(id) is type(kind) is type(stake) is type(player) is type(selection) is str
        or type(seat) is not int
        or not 0 <= seat <= 99
        or type(promo) is not bool
        or not max(len(id), len(kind), len(player), len(selection)) <= MAX_TEXT
        or (micros := read_money(stake)) is None
        or stake[0] == "-"
    ):
        return None
    return _wager_of(id, kind, micros, seat, player, selection, promo)


_WAGER_NAMES = frozenset(("id", "kind", "stake", "seat", "player", "selection", "promo"))


def decision_from_json(game: Game, given: object, field: str = "decision") -> Decision:
    parsed = _act(given, field, game.decision_shapes, "decision")
    get = parsed.get
    return _decision_of(
        parsed["kind"], get("seat", 0), get("player", ""), get("wager", ""), get("hand", 0), get("value")
    )


def hit_to_json(hit: Hit) -> dict[str, Any]:
    """The one spelling of a hit: in a settlement, in the event log, on a win."""
    out: dict[str, Any] = {
        "wager": wager_to_json(hit.wager),
        "trigger": hit.trigger,
        "rule": hit.rule,
        "cards": [card_text(card) for card in hit.cards],
    }
    if hit.on_board:
        out["on_board"] = True
    if hit.hand_folded:
        out["folded"] = True
    if hit.strength:
        out["strength"] = hit.strength
    return out


def hit_from_json(given: object, field: str = "hit") -> Hit:
    parsed = HIT.parse(given, field)
    return Hit(
        _wager(parsed["wager"]),
        parsed["trigger"],
        parsed["rule"],
        tuple(parse_card(card) for card in parsed["cards"]),
        parsed.get("on_board", False),
        parsed.get("folded", False),
        parsed.get("strength", 0),
    )


def settlement_to_json(settlement: Settlement) -> dict[str, Any]:
    return {
        "lines": [_line_to_json(line) for line in settlement.lines],
        "hits": [hit_to_json(hit) for hit in settlement.hits],
        "carried": carried_to_json(settlement.carried),
        "result": dict(settlement.result),
    }


def settlement_from_json(document: Mapping[str, Any]) -> Settlement:
    hits = tuple(hit_from_json(hit) for hit in document["hits"])
    lines = tuple(_line_from_json(line) for line in document["lines"])
    return Settlement(lines, hits, carried_from_json(document["carried"]), dict(document["result"]))


_LINE_MONEY = ("winnings", "returned", "standing", "commission", "rounding")
_OUTCOMES = {outcome: outcome.value for outcome in Outcome}
_OUTCOME_OF = {outcome.value: outcome for outcome in Outcome}


def _line_to_json(line: Line) -> dict[str, Any]:
    return {
        "wager": wager_to_json(line.wager),
        "outcome": _OUTCOMES[line.outcome],
        "odds": line.odds.text if line.odds else None,
        "rule": line.rule,
        "also": list(line.also),
        "winnings": format_money(line.winnings),
        "returned": format_money(line.returned),
        "standing": format_money(line.standing),
        "commission": format_money(line.commission),
        "rounding": format_money(line.rounding),
    }


def _line_from_json(line: Mapping[str, Any]) -> Line:
    amounts = [read_money(text) if type(text := line[name]) is str else None for name in _LINE_MONEY]
    if None in amounts:
        raise RuleError(f"a line's money is text such as '2.50', not {line!r}", field="lines")
    return _line_of(
        wager_from_json(line["wager"], "lines.wager"),
        _OUTCOME_OF[line["outcome"]],
        line["rule"],
        odds(line["odds"]) if line["odds"] else None,
        *amounts,
        tuple(line["also"]),
    )


def _wager(parsed: dict[str, Any]) -> Wager:
    get = parsed.get
    return _wager_of(
        parsed["id"],
        parsed["kind"],
        parsed["stake"],
        get("seat", 0),
        get("player", ""),
        get("selection", ""),
        get("promo", False),
    )


def _act(given: object, field: str, shapes: Mapping[str, Struct], what: str) -> dict[str, Any]:
    """A decision or an irregularity of a declared kind."""
    kind = given.get("kind") if isinstance(given, (dict, Mapping)) else None
    shape = shapes.get(kind) if isinstance(kind, str) else None
    if shape is None:
        known = ", ".join(shapes) or "none"
        raise RuleError(f"{kind!r} is no {what} of this game; known: {known}", field=f"{field}.kind")
    return shape.parse(given, field)


def _act_to_json(act: Decision | Irregularity, shape: Shape | None) -> dict[str, Any]:
    out: dict[str, Any] = {"kind": act.kind}
    for name in ("seat", "player", "wager", "hand"):
        if getattr(act, name, None):
            out[name] = getattr(act, name)
    if act.value is not None and shape is not None:
        out["value"] = shape.dump(act.value)
    return out


def _not_dealt(game: Game, document: Mapping[str, Any]) -> bool:
    """A round that an irregularity ended may lack cards; the game checks what it needs."""
    return bool(document.get("irregularities"))


def _list(document: Mapping[str, Any], name: str) -> list[Any]:
    value = document.get(name, [])
    if not isinstance(value, list):
        raise RuleError("expected a list", field=name)
    return value
