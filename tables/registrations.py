"""What the floor hands upward at start: append-only tables, checks of the day close."""

from config import append_only
from tables import checks  # noqa: F401

for table, may_update in {
    "tables_tableconfig": False,
    "tables_tableevent": False,
    "tables_wagerline": False,
    "tables_round": True,
}.items():
    append_only.register(table, may_update=may_update)
