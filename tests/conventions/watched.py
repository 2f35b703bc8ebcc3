"""Tables whose rows nobody may change who only reads: what the permission tests compare before and after. Not what
is of one's own (language, second factor), nor which inspector has taken a notice: that auditors write down, too."""

from __future__ import annotations

OF_ROOMS = {
    "people": "premises invitation rolegrant approvalrequest alert alertacknowledgement",
    "ledger": "entry gamingday openitem export step",
    "jackpots": (
        "win event tablelog link progressive meter configchange decommission adjustment dismissal heldhand "
        "heldcontribution heldsettlement advance recovery ruling freeze release slip winner winnerdata handpayrules "
        "display"
    ),
    "tables": (
        "table tableconfig tablechange round roundversion roundending seatclaim claimstep tableevent terminal "
        "inspectornotice cageslip cageslipprint chipslip slipprint countrules tablecount colourstep unclaimedmoney "
        "unclaimedend dispute disputestep"
    ),
}
WATCHED = [f"{room}.{name}" for room, names in OF_ROOMS.items() for name in names.split()]
