"""The demo's people: who verifies, approves and pays what the floor itself has won, and who sees that a day is closed.

They act over the public API, as people's programs do: log in by the page, act by REST. What a scenario has won is left
for whoever plays it, and so is everything that somebody else has begun.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from simulator.session import CUT, HttpAnswer, Session

logger = logging.getLogger(__name__)
LOOK_S = 5.0
SMALL, SMALL_AFTER_S, LARGE_AFTER_S = 600.0, 75.0, 420.0
"""A small win is paid soon; a larger one is there for a while for whoever would like to do it."""
RULE_AFTER_S = 900.0
"""Hits that nobody has put in order by then are ruled, so that what was won after them is not held up for ever."""
LONGEST_HOLD_S = 900.0
"""A close that somebody has begun and left does not stop the floor for ever."""


class Refusal(Exception):
    """A person's step that Potline did not take."""


class Person:
    """Logs in when it is needed, and again when Potline has forgotten."""

    def __init__(self, url: str, username: str, password: str, **headers: str) -> None:
        self.url, self.username, self.password, self.headers = url, username, password, headers
        self.session: Session | None = None

    def _log_in(self) -> Session:
        session = Session(self.url, **self.headers)
        session.get("/login/")
        session.post_form("/login/", {"username": self.username, "password": self.password})
        if not session.cookie("sessionid"):
            raise Refusal(f"{self.username} could not log in at {self.url}")
        self.session = session
        return session

    def get(self, path: str) -> Any:
        return self._ask(lambda session: session.get(path))

    def post(self, path: str, body: dict[str, Any], patience_s: float = 30) -> Any:
        """Sent again while Potline says that the same may be taken later: a seal that a payment waits for."""
        deadline = time.monotonic() + patience_s
        while True:
            try:
                return self._ask(lambda session: session.post(path, body))
            except Later as later:
                if time.monotonic() > deadline:
                    raise Refusal(str(later)) from None
                time.sleep(0.3)

    def decide(self, premises: str, approval: int, note: str) -> None:
        page = f"/premises/{premises}/approvals/{approval}/"
        (self.session or self._log_in()).post_form(page, {"decision": "approve", "note": note})

    def _ask(self, send: Callable[[Session], HttpAnswer]) -> Any:
        return self._taken(send).json()

    def download(self, path: str) -> bytes:
        return self._taken(lambda session: session.get(path)).content

    def _taken(self, send: Callable[[Session], HttpAnswer]) -> HttpAnswer:
        answer = send(self.session or self._log_in())
        if answer.status in (401, 403):
            answer = send(self._log_in())
        if answer.status >= 300:
            try:
                problem = answer.json()
            except ValueError:
                problem = {}
            kind = Later if problem.get("retry") else Refusal
            raise kind(f"{self.username}: {problem.get('detail', answer.status)}")
        return answer


class Later(Exception):
    """The same may be taken later."""


@dataclass
class Staff:
    """Two people who pay, and one who reads."""

    url: str
    password: Callable[[str], str] = "{}-demo-2468".format
    home: Path | None = None
    verifier: str = "supervisor2"
    approver: str = "manager2"
    reader: str = "auditor"
    windows: list[list[str]] = field(default_factory=list)
    """From when to when scenarios were played: what was won there is theirs."""

    def __post_init__(self) -> None:
        names = (self.verifier, self.approver, self.reader)
        self.people = {name: Person(self.url, name, self.password(name)) for name in names}
        self.people[self.reader].headers = {
            "HX-Request": "true"
        }  # asks again and again: no news for Potline's log
        if self.home is not None and (self.home / "scenarios.json").exists():
            self.windows = json.loads((self.home / "scenarios.json").read_text())

    def person(self, name: str) -> Person:
        return self.people[name]

    def leave(self, began: datetime, ended: datetime) -> None:
        """What was won in between is for whoever played the scenario."""
        self.windows.append([began.isoformat(), ended.isoformat()])
        if self.home is not None:
            (self.home / "scenarios.json").write_text(json.dumps(self.windows[-50:]))

    # ---------------------------------------------------------------------------------------------- reading

    def wins(self, state: str = "") -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.person(self.reader).get(
            f"/api/v1/wins?state={state}" if state else "/api/v1/wins"
        )
        return found

    def ruling(self, progressive: str) -> dict[str, Any]:
        found: dict[str, Any] = self.person(self.reader).get(f"/api/v1/progressives/{progressive}/ruling")
        return found

    def progressive(self, code: str) -> dict[str, Any]:
        found: list[dict[str, Any]] = self.person(self.reader).get("/api/v1/progressives")
        return next(each for each in found if each["code"] == code)

    def meters(self, progressive: str) -> tuple[dict[str, str], dict[str, str]]:
        """Final and live, by level."""
        one = self.progressive(progressive)
        return one["final"], {level["level"]: level["value"] for level in one["live"]["levels"]}

    def closing(self, premises: set[str]) -> set[str]:
        """Where somebody is closing a day now."""
        reader = self.person(self.reader)
        found = set()
        for code in premises:
            days = reader.get(f"/api/v1/ledger/{code}/days")
            if any(day["state"] == "closing" for day in days):
                found.add(code)
        return found

    # ---------------------------------------------------------------------------------------------- acting

    def pay(self, win: dict[str, Any]) -> None:
        """One verifies, the other approves where it takes two, the first pays."""
        verifier, path = self.person(self.verifier), f"/api/v1/wins/{win['id']}"
        checks = {"hand_confirmed": True, "deck_counted": True, "surveillance_reference": "CAM-7"}
        if win["state"] == "pending":
            win = verifier.post(f"{path}/verify", checks)
        if win["state"] == "verified":
            self.person(self.approver).post(f"{path}/approve", {"note": "seen"})
        verifier.post(f"{path}/pay", {"method": "cash", "payable_unit": "0.50"})

    def rule(self, progressive: str, first: str = "") -> None:
        """By the cameras: hits with this hand before the others, else as they stand."""
        hits = self.ruling(progressive)["hits"]
        if first:
            hits = sorted(hits, key=lambda hit: hit["hands"][0]["trigger"] != first)
        asked = self.person(self.verifier).post(
            f"/api/v1/progressives/{progressive}/ruling",
            {
                "kind": "order",
                "rounds": ",".join(str(hit["round"]) for hit in hits),
                "cameras": "CAM-7 and CAM-9",
                "reason": "the first card is on the felt before the other leaves the shoe",
            },
        )["asked"]
        host = self.progressive(progressive)["host"]
        self.person(self.approver).decide(host, asked["id"], "seen as well")

    def due(self, win: dict[str, Any], now: datetime, *, at_once: bool) -> bool:
        """Is it the floor's own win, nobody else's business, and time to pay it?"""
        place = datetime.fromisoformat(win["place"])
        span = [tuple(map(datetime.fromisoformat, window)) for window in self.windows]
        if any(began <= place <= ended for began, ended in span):
            return False
        wait_s = SMALL_AFTER_S if float(win["amount"]) <= SMALL else LARGE_AFTER_S
        return at_once or now - place > timedelta(seconds=wait_s)

    def pay_due(self, *, at_once: bool = False) -> int:
        """Whatever is due. A win that somebody has verified by hand is theirs."""
        now, paid = datetime.now(UTC), 0
        for win in self.wins("pending"):
            if not self.due(win, now, at_once=at_once):
                continue
            try:
                self.pay(win)
                paid += 1
            except Refusal as refused:
                logger.warning("win %s: %s", win["id"], refused)
        return paid

    def rule_due(self) -> None:
        now = datetime.now(UTC)
        for progressive in self.person(self.reader).get("/api/v1/progressives"):
            hits = self.ruling(progressive["code"])["hits"]
            places = [datetime.fromisoformat(hit["place"]) for hit in hits]
            if places and now - max(places) > timedelta(seconds=RULE_AFTER_S):
                self.rule(progressive["code"])


async def look_after(
    staff: Staff, premises: set[str], hold: Callable[[set[str]], Any], release: Callable[[], None]
) -> None:
    """For as long as the floor plays: pays what is due, and holds the tables while somebody closes a day."""
    holding, since, tired, looked = set[str](), 0.0, set[str](), 0
    while True:
        await asyncio.sleep(LOOK_S)
        try:
            closing = await asyncio.to_thread(staff.closing, premises)
            tired &= closing
            await asyncio.to_thread(staff.pay_due, at_once=bool(closing))
            looked += 1
            if looked % 12 == 0:
                await asyncio.to_thread(staff.rule_due)
        except (Refusal, Later, *CUT) as error:
            logger.info("the demo's people: %s", error)
            continue
        if holding and time.monotonic() - since > LONGEST_HOLD_S:
            tired |= holding
        if closing - tired != holding:
            if holding:
                release()
            holding, since = closing - tired, time.monotonic()
            if holding:
                logger.warning("a day is being closed at %s: tables end their rounds", ", ".join(holding))
                hold(holding)
