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
    from simulator.floor import FLOORS, write
    from tables.floor.apply import apply_at_once
    from tables.models import Table

    demo, play = (json.loads((FLOORS / f"demo{kind}.json").read_text()) for kind in ("", ".play"))
    tables = {name: table for name, table in demo["tables"].items() if table.get("links")}
    manners = {name: play["tables"][name] | {"pace_s": PACE_S} for name in tables}
    more: dict[str, Any] = {}
    for number, document in enumerate(documents(), start=1):
        code = f"X-{number:02d}"
        name = f"{('harbour', 'lakeside')[number % 2]}/{code}"
        more[name] = {"pit": "Soak", "rules": document, "terminals": {code: {}}}
        token, telling = f"soak-terminal-{number:02d}", TELLINGS[number % 3]
        manners[name] = {"token": token, "pace_s": PACE_S, "telling": telling}
    wanted = {"version": 1, "tables": more}
    apply_at_once(wanted, "soak", lambda name: str(manners[name.rpartition("/")[0]]["token"]))
    Table.objects.filter(pit="Soak").update(is_open=True)
    write(target, tables | more, manners)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main(Path(sys.argv[1]))
