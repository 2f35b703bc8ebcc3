"""Opens a table of every entry of the catalogue in a demo casino, for test_judge_soak.

`python -m tests.soak.every_table FILE`: the three linked stud tables are the demo's own; all others are added at
harbour and lakeside in turn, and the floor that the simulator plays is written to the file.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import django

TELLINGS = ("steps", "every", "whole")
PACE_S = 10


def documents() -> list[dict[str, Any]]:
    """All entries but the one that the demo's linked tables play."""
    from rules import all_games
    from tests.simulator.test_games import layout_of

    layouts = [layout_of(game) for game in all_games() if game.name != "caribbean-stud"]
    return [
        {"game": each.game, "rulebook": each.rulebook, "options": each.options, "limits": each.limits}
        for each in layouts
    ]


def main(target: Path) -> None:
    django.setup()
    from people import tokens
    from people.models import Premises
    from simulator.floor import FLOORS
    from tables.floor import create_table
    from tables.models import Terminal

    demo = json.loads((FLOORS / "demo.json").read_text())["tables"]
    tables = [table | {"pace_s": PACE_S} for table in demo if table.get("linked")]
    premises = {each.code: each for each in Premises.objects.filter(code__in=["harbour", "lakeside"])}
    for number, document in enumerate(documents(), start=1):
        where, code, token = (
            ("harbour", "lakeside")[number % 2],
            f"X-{number:02d}",
            f"soak-terminal-{number:02d}",
        )
        made = create_table("soak", premises[where], code, document, pit="Soak")
        Terminal.objects.create(table=made, name=code, token_sha256=tokens.hash_token(token))
        made.is_open = True
        made.save(update_fields=["is_open"])
        place = {"premises": where, "code": code, "token": token, "pace_s": PACE_S}
        tables.append({**document, **place, "telling": TELLINGS[number % 3]})
    target.write_text(json.dumps({"luck_s": 0, "tables": tables}))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main(Path(sys.argv[1]))
