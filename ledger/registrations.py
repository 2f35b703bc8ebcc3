"""What the ledger hands upward at start: append-only tables, navigation, two-person actions."""

from config import append_only
from ledger import closing, reconciliation, sources  # noqa: F401 (their own checks, actions and reports)

append_only.register("ledger_account")
append_only.register("ledger_entry")
append_only.register("ledger_posting")
append_only.register("ledger_gamingday", may_update=True)
append_only.register("ledger_openitem")
append_only.register("ledger_seal")
