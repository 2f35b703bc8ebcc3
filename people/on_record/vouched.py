"""People as they stand on record: whoever logs in or acts does so by a password and by roles that Potline has written.

The state on record (people.on_record.standing) has the user name, the password's fingerprint, whether the person may
log in, and each role with its premises and since when. A person whose row is otherwise has no role and does not log
in; a role that is not on record is none. Each is told once, urgently, with what to do about it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.hashers import is_password_usable

from config.kit.fastsql.statements import rows_of
from config.kit.refusals import NOT_NOW, Refused
from people.models import Premises, Role, RoleGrant, User
from people.on_record import standing
from people.on_record.standing import PEOPLE, Standing, State

LOG_IN = ("username", "password", "is_active", "is_staff", "is_superuser")
"""What of a person's row opens a door."""
_INSTANT = "%Y-%m-%dT%H:%M:%S.%fZ"
# Asked with every request of a person, so it is one of the prepared ones. All of it is of one moment.
_READ = f"""
    SELECT u.id, u.username, u.password, u.is_active, u.is_staff, u.is_superuser, {PEOPLE.newest("u")}, (
        SELECT json_agg(json_build_array(g.premises_id, g.role,
            to_char(g.granted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), p.code) ORDER BY g.id)::text
        FROM people_rolegrant g JOIN people_premises p ON p.id = g.premises_id WHERE g.user_id = u.id
    ) FROM people_user u WHERE u.id = ANY(%s::bigint[])
"""  # noqa: S608 (only names are interpolated)


@dataclass(frozen=True, slots=True)
class Held:
    """A role that a person has."""

    premises_id: int
    code: str
    role: Role
    since: datetime


@dataclass(frozen=True, slots=True)
class PersonFound:
    """A person's row and roles beside what is on record of them. `state`: None where nothing is."""

    pk: int
    log_in: tuple[Any, ...]
    state: State | None
    held: tuple[Held, ...]
    """Of the roles in the database those that are on record."""
    others: tuple[str, ...]
    """The others, in words."""

    @property
    def logs_in_as_recorded(self) -> bool:
        return self.state is not None and self.state["log_in"] == _log_in(*self.log_in)

    @property
    def opens_something(self) -> bool:
        """Whether the row as it is would let anybody in."""
        may, password = self.log_in[2], self.log_in[1]
        return may and (bool(self.others or self.held) or is_password_usable(password))

    @property
    def is_as_recorded(self) -> bool:
        """Whether all that is there may be. What was taken away past Potline opens nothing."""
        return self.logs_in_as_recorded and not self.others


# --- Reading --------------------------------------------------------------------------------------------------
_remembered: ContextVar[dict[int, list[Held]] | None] = ContextVar("roles", default=None)


def remember(within: bool) -> None:
    """Whether what is read now serves for all of a request: for one that changes nothing."""
    _remembered.set({} if within else None)


def roles_of(people: Iterable[int]) -> dict[int, list[Held]]:
    """The roles that these people have; trouble is told."""
    known = _remembered.get()
    wanted = set(people)
    roles = {pk: known[pk] for pk in wanted if pk in known} if known else {}
    asked = wanted - roles.keys()
    roles |= {pk: [] for pk in asked}
    for found in read(asked) if asked else ():
        may = found.log_in[2] and found.logs_in_as_recorded
        roles[found.pk] = list(found.held) if may else []
        if found.log_in[2] and (found.others or found.held) and not found.is_as_recorded:
            _tell(found)
    if known is not None:
        known |= {pk: roles[pk] for pk in asked}
    return roles


def read(people: Iterable[int]) -> list[PersonFound]:
    return [_found(*row) for row in rows_of(_READ, [sorted(people)])]


def _found(pk: int, *row: Any) -> PersonFound:
    *log_in, newest, roles = row
    state = standing.on_record(PEOPLE, pk, newest)
    on_record = [] if state is None else state["roles"]
    held, others = [], []
    for premises, role, since, code in json.loads(roles or "[]"):
        if [premises, role, since] in on_record:
            held.append(Held(premises, code, Role(role), datetime.fromisoformat(since)))
        else:
            others.append(f"{Role(role).label} at {code}")
    return PersonFound(pk, tuple(log_in), state, tuple(held), tuple(others))


def _log_in(username: str, password: str, is_active: bool, is_staff: bool, is_superuser: bool) -> list[Any]:
    return [username, _fingerprint(password), is_active, is_staff, is_superuser]


def _fingerprint(password: str) -> str:
    """Of what is stored of it, which is a hash already."""
    return hashlib.sha256(password.encode()).hexdigest()


def demand_log_in(person: User) -> None:
    """Raises Refused unless the very row that was read is as on record: its password was right just now."""
    found = next(iter(read([person.pk])), None)
    if found is not None and found.logs_in_as_recorded:
        if found.log_in == tuple(getattr(person, name) for name in LOG_IN):
            return
        raise Refused("not_on_record", "Your log-in was changed just now: log in again.", status=NOT_NOW)
    if found is not None:
        _tell(found)
    text = (
        "Your log-in is not as Potline left it, and opens nothing. Ask an administrator for a new link: they have been"
        " told."
    )
    raise Refused("not_on_record", text, status=NOT_NOW)


def has_roles_on_record(person: User) -> bool:
    """Whether they have power, or would have it if rows that were taken away came back."""
    return any(found.state is not None and found.state["roles"] for found in read([person.pk]))


def _tell(found: PersonFound) -> None:
    from people.on_record import not_on_record

    not_on_record.tell_of_person(found)


# --- Writing --------------------------------------------------------------------------------------------------
def added(person: User) -> Standing:
    """Of somebody who is new."""
    return PEOPLE, {"log_in": _log_in(*(getattr(person, name) for name in LOG_IN)), "roles": []}


def with_password(person: User) -> Standing:
    """The password that this transaction has just stored."""
    return _changed(person, password=_fingerprint(person.password))


def without_log_in(person: User) -> Standing | None:
    return _less(person, password=_fingerprint(person.password), is_active=False)


def with_role(grant: RoleGrant) -> Standing:
    grant.refresh_from_db(fields=["granted_at"])  # the database gives it
    state = _demanded(grant.user)
    return PEOPLE, state | {"roles": [*_without(state, grant.premises, grant.role), _role(grant)]}


def without_role(person: User, premises: Premises, role: Role) -> Standing | None:
    state = _now(person)
    return None if state is None else (PEOPLE, state | {"roles": _without(state, premises, role)})


def as_it_is(person: User) -> State:
    """What stands in the database, whoever wrote it: for whoever vouches for it."""
    log_in = _log_in(*User.objects.values_list(*LOG_IN).get(pk=person.pk))
    grants = RoleGrant.objects.filter(user=person).order_by("pk")
    return {"log_in": log_in, "roles": [_role(grant) for grant in grants]}


def put_back(person: User) -> None:
    """Whether they may log in, as it is on record; saved by the caller."""
    person.is_active = _demanded(person)["log_in"][LOG_IN.index("is_active")]


def lock(person: User) -> None:
    """Of two changes of a person one comes after the other, in the trail as in the rows."""
    locked(person.pk)


def locked(pk: int) -> User | None:
    return User.objects.select_for_update(no_key=True).filter(pk=pk).first()


def _now(person: User) -> State | None:
    lock(person)
    return standing.now_on_record(PEOPLE, person.pk)


def _demanded(person: User) -> State:
    state = _now(person)
    if state is None:
        text = (
            f"{person} stands on no record of Potline, so nothing is given to them. Whoever runs the machine vouches"
            " for people: `manage.py vouch`."
        )
        raise Refused("not_on_record", text, status=NOT_NOW)
    return state


def _changed(person: User, **new: Any) -> Standing:
    return PEOPLE, _with(_demanded(person), new)


def _less(person: User, **new: Any) -> Standing | None:
    """What takes power away is never refused; who stands on no record has none."""
    state = _now(person)
    return None if state is None else (PEOPLE, _with(state, new))


def _with(state: State, new: dict[str, Any]) -> State:
    """Of what is on record only this is changed: what was written past Potline is not vouched for by the way."""
    return state | {"log_in": list((dict(zip(LOG_IN, state["log_in"], strict=True)) | new).values())}


def _without(state: State, premises: Premises, role: str) -> list[Any]:
    return [each for each in state["roles"] if each[:2] != [premises.pk, str(role)]]


def _role(grant: RoleGrant) -> list[Any]:
    return [grant.premises_id, str(grant.role), grant.granted_at.astimezone(UTC).strftime(_INSTANT)]


standing.register(
    standing.Rows(
        PEOPLE,
        "person",
        lambda: list(User.objects.order_by("pk").values_list("pk", flat=True)),
        locked,
        as_it_is,
    )
)
