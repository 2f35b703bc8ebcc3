"""`python -m rules`: the catalogue, the settlement of a round file, the house edge. Needs nothing but Python."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rules.catalogue import all_games, find_game
from rules.codec import round_from_json, settlement_to_json
from rules.console import end_with
from rules.errors import RuleError
from rules.reading import read_json
from rules.schema import catalogue_entry, schema_file
from rules.settlement import settle


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m rules", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    games = commands.add_parser(
        "games", help="the catalogue as JSON, with a JSON Schema of each game's round"
    )
    games.add_argument("game", nargs="?", help="only this game")
    games.add_argument("--names", action="store_true", help="one line a game instead")
    games.add_argument(
        "--schemas", type=Path, metavar="FOLDER", help="a file a game with the schema of its round instead"
    )
    one = commands.add_parser("settle", help="round JSON in, settlement JSON out")
    one.add_argument("file", help="a file with a round, or with a list of rounds; - for standard input")
    edge = commands.add_parser(
        "edge", help="the exact house edge of a wager, by any pay table", add_help=False
    )
    edge.add_argument("rest", nargs=argparse.REMAINDER)
    given = list(sys.argv[1:] if argv is None else argv)
    if given[:1] == ["edge"]:
        from rules.edge.__main__ import main as edge_main  # only here: its families load every game

        return edge_main(given[1:])
    arguments = parser.parse_args(given)
    try:
        return _games(arguments) if arguments.command == "games" else _settle(arguments.file)
    except RuleError as error:
        print(json.dumps({"error": error.as_json()}, indent=2), file=sys.stderr)
        return 2


def _games(arguments: argparse.Namespace) -> int:
    found = [game for game in all_games() if arguments.game in (None, game.name)]
    if not found:
        find_game(arguments.game, "")
    if arguments.schemas is not None:
        arguments.schemas.mkdir(parents=True, exist_ok=True)
        for game in found:
            path = arguments.schemas / f"{game.name}.{game.rulebook}.json"
            path.write_text(schema_file(game), encoding="utf-8")
    elif arguments.names:
        for game in found:
            print(f"{game.name:28} {game.rulebook:18} {game.title}")
    else:
        print(json.dumps([catalogue_entry(game) for game in found], indent=2))
    return 0


def _settle(path: str) -> int:
    if path == "-" and sys.stdin is None:
        raise RuleError("there is no standard input", field=path)
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise RuleError(f"cannot be read: {error}", field=path) from None
    document = read_json(text, path)
    if isinstance(document, list):
        print(json.dumps([_settled(item, f"[{index}].") for index, item in enumerate(document)], indent=2))
    else:
        print(json.dumps(_settled(document), indent=2))
    return 0


def _settled(document: object, place: str = "") -> dict[str, Any]:
    """`place`: which of a list of rounds it is, the first being [0]; a refusal begins with it."""
    try:
        return settlement_to_json(settle(round_from_json(document)))
    except RuleError as fault:
        raise RuleError(fault.message, field=place + fault.field, rule=fault.rule) from None


if __name__ == "__main__":
    end_with(main)
