"""Several manage.py commands in one process: loading the apps takes longer than most of them.

    python -m config.local.commands migrate --verbosity 0 + grant_app_role --create potline_web=web

Each is what `manage.py` makes of it; the first that fails ends it with its code.
"""

from __future__ import annotations

import os
import sys

from django.core.management import execute_from_command_line

AND = "+"
"""Between two commands."""


def main(arguments: list[str]) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    command: list[str] = []
    for argument in [*arguments, AND]:
        if argument != AND:
            command.append(argument)
            continue
        execute_from_command_line(["manage.py", *command])
        command = []


if __name__ == "__main__":
    main(sys.argv[1:])
