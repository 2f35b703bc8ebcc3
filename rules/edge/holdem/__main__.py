"""`python -m rules.edge.holdem [GAME ...]`: solves the hold'em games anew and keeps what it finds beside the code.

Each game is written when it is solved, so whoever interrupts goes on by naming those that are left.
"""

from __future__ import annotations

import argparse
import sys

from rules.edge.__main__ import Progress
from rules.edge.holdem.solved import SOLVERS, keep
from rules.edge.registry import case_of, entries_of


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m rules.edge.holdem", description=__doc__)
    parser.add_argument("game", nargs="*", choices=[[], *SOLVERS], help="all four, where none is named")
    for game in parser.parse_args().game or SOLVERS:
        case = case_of(entries_of(game, "gb-2011", "ante")[0])
        with Progress(case) as watched:
            keep(case, SOLVERS[game](watched))
        sys.stdout.write(f"{game}: kept\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
