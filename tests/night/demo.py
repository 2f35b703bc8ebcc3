"""The demo casino as the night's installation: public tokens and passwords."""

from __future__ import annotations

from tests.night.night import Installation

PLACES = {"CS-01": "harbour", "CS-02": "harbour", "CS-03": "lakeside", "CR-01": "harbour"}
PEOPLE = {"verifier": "supervisor", "approver": "manager", "finance": "finance", "auditor": "auditor"}


def demo_installation(url: str) -> Installation:
    return Installation(
        url=url,
        tokens={code: f"demo-terminal-{code.lower()}" for code in PLACES},
        places=PLACES,
        password=lambda username: f"{username}-demo-2468",
        people=PEOPLE,
    )
