"""What people hands upward at start: guarded tables, the demo's people, navigation, signal receivers."""

from config import append_only, demo
from people import demo as people_demo

append_only.register("people_auditrecord")
append_only.register("people_approvalrequest", may_update=True)
demo.register("people", people_demo.load, order=10)
