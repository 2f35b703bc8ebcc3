"""`python -m tests.night http://localhost:8000`: plays the jackpot night on a running demo casino, as often as wanted.

It ends with wins that wait for people, and with two hits whose order people must rule. `--pay` lets the demo's people
do all of it. Needs nothing but what `make run` installs.
"""

from __future__ import annotations

import argparse
import sys

from simulator.terminal import NoAnswer, NotTaken
from tests.night.night import Expected, House, Night, won
from simulator.session import CUT, Session

PLACES = {"CS-01": "harbour", "CS-02": "harbour", "CS-03": "lakeside", "CR-01": "harbour"}
PEOPLE = {"verifier": "supervisor", "approver": "manager", "finance": "finance", "auditor": "auditor"}


def demo_house(url: str) -> House:
    return House(
        url=url,
        tokens={code: f"demo-terminal-{code.lower()}" for code in PLACES},
        places=PLACES,
        password=lambda username: f"{username}-demo-2468",
        people=PEOPLE,
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.night", description=__doc__)
    parser.add_argument("url", nargs="?", default="http://localhost:8000", help="of a running demo casino")
    parser.add_argument("--pay", action="store_true", help="rule, verify, approve and pay whatever waits")
    arguments = parser.parse_args()
    try:
        Session(arguments.url).get("/healthz")
    except (*CUT, ValueError) as error:
        print(f"No house answers at {arguments.url} ({error}). `make run` opens one.")
        return 1
    night = Night(demo_house(arguments.url), between=lambda moment: print(f"... {moment}", flush=True))
    try:
        night.play()
        if arguments.pay:
            night.ruled()
        else:
            night.wait_for_ruling()
    except (AssertionError, NotTaken, NoAnswer) as error:
        print(f"The night could not be played: {error}")
        return 1
    finally:
        night.close()
    for win in sorted(night.wins, key=lambda win: win["id"]):
        print(
            f"{win['place']}  {win['table']} seat {win['seat']}  "
            f"{win['trigger']:16} {win['amount']:>12}  {win['state']}"
        )
    wins, _ = Expected.after(night.meters)
    if not arguments.pay:
        wins = {key: amount for key, amount in wins.items() if key not in Expected.RULED}
    if won(night.wins) != wins:
        print(f"By hand they should be {wins}.")
        return 1
    print("These are the amounts that the rules give by hand.")
    if arguments.pay:
        night.pay_all()
        print("All wins are paid.")
    else:
        print(f"Two more hits wait for a ruling: {arguments.url.rstrip('/')}/jackpots/stud/ruling/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
