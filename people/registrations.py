"""What people hands upward at start: append-only tables, navigation, demo, signal receivers."""

from config import append_only

append_only.register("people_auditrecord")
append_only.register("people_approvalrequest", may_update=True)
