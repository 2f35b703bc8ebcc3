"""`python -m tests.night http://localhost:8000`: plays the jackpot night on a running, fresh demo casino."""

from __future__ import annotations

import sys

from tests.night.night import House, Night

PLACES = {"CS-01": "harbour", "CS-02": "harbour", "CS-03": "lakeside", "CR-01": "harbour"}
PEOPLE = {"verifier": "supervisor", "approver": "manager", "finance": "finance", "auditor": "auditor"}

house = House(
    url=sys.argv[1],
    tokens={code: f"demo-terminal-{code.lower()}" for code in PLACES},
    places=PLACES,
    password=lambda username: f"{username}-demo-2468",
    people=PEOPLE,
)
night = Night(house, between=lambda moment: print(f"... {moment}", flush=True))
night.play()
for win in night.person("auditor").get("/api/v1/wins"):
    print(
        f"{win['place']}  {win['table']} seat {win['seat']}  {win['trigger']:16} {win['amount']:>12}  {win['state']}"
    )
if "--pay" in sys.argv:
    night.pay_all()
    print("all paid")
