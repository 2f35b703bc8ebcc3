"""Freezing a level whose records do not hold, and releasing it by two people. While it is frozen nothing is paid from
it; play, folds and signs go on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_noop

from config.kit.refusals import NOT_NOW, Refused
from jackpots.models import Freeze, Progressive, Release, Win
from ledger.verify.verify import Fault
from ledger.verify.watchdog import on_fault
from people.approvals import approvals
from people.audit import audit
from people.models import ApprovalRequest, Role, User


def frozen() -> QuerySet[Freeze]:
    """What nobody has released."""
    return Freeze.objects.filter(release__isnull=True).select_related("progressive__host").order_by("pk")


def by_level(progressives: Iterable[Progressive]) -> list[dict[str, Any]]:
    """For a page: each level that is frozen, with every reason."""
    found: dict[tuple[int, str], dict[str, Any]] = {}
    for freeze in frozen().filter(progressive__in=list(progressives)):
        key = (freeze.progressive_id, freeze.level)
        item = found.setdefault(key, {"progressive": freeze.progressive, "level": freeze.level, "why": []})
        item["why"].append(freeze.why)
    return list(found.values())


def refuse_frozen(win: Win) -> None:
    freeze = frozen().filter(progressive=win.progressive_id, level=win.level).first()
    if freeze is not None:
        text = (
            f"{win.level} of {win.progressive} is frozen: {freeze.why}. Nothing is paid from it until two people have "
            "looked and released it."
        )
        raise Refused("level_frozen", text, status=NOT_NOW)


@on_fault
def freeze_levels(fault: Fault) -> None:
    """Each level whose accounts the fault names, once while it is frozen for the same reason."""
    for code in fault.accounts:
        parts = code.split("/")
        if len(parts) != 6 or (parts[1], parts[3]) != ("jackpots", "levels"):
            continue
        host, progressive_code, level = parts[0], parts[2], parts[4]
        progressive = Progressive.objects.filter(code=progressive_code, host__code=host).first()
        why = str(fault)
        if progressive and not frozen().filter(progressive=progressive, level=level, why=why).exists():
            freeze = Freeze.objects.create(progressive=progressive, level=level, why=why)
            audit.record(
                "watchdog",
                "jackpots.level_frozen",
                premises=progressive.host,
                subject=freeze,
                reason=why,
                details={"progressive": progressive.code, "level": level},
            )


def request_release(progressive_id: int, level: str, actor: User, reason: str) -> ApprovalRequest:
    """One person has looked and asks that the level go on; another approves exactly what they saw."""
    progressive = Progressive.objects.select_related("host").get(pk=progressive_id)
    found = list(frozen().filter(progressive=progressive, level=level))
    if not found:
        raise Refused("not_frozen", f"{level} of {progressive} is not frozen.", status=NOT_NOW)
    return approvals.request_approval(actor, progressive.host, RELEASE.name, _payload(found), reason)


def _payload(found: list[Freeze]) -> dict[str, object]:
    first = found[0]
    return {
        "progressive": first.progressive.code,
        "level": first.level,
        "freezes": [freeze.pk for freeze in found],
        "why": [freeze.why for freeze in found],
    }


def _release(request: ApprovalRequest) -> None:
    """What was seen is released; what froze the level since stays."""
    content = request.payload
    still = {freeze.pk for freeze in frozen().filter(pk__in=content["freezes"])}
    if still != set(content["freezes"]):
        text = "Some of it was released meanwhile. Reject this and ask anew."
        raise Refused("not_frozen", text, status=NOT_NOW)
    approver = approvals.decider(request)
    approvals.use_approval(request, RELEASE.name, content, approver)
    for pk in content["freezes"]:
        Release.objects.create(freeze_id=pk, approval=request)
    audit.record(
        approver,
        "jackpots.level_released",
        premises=request.premises,
        subject=request,
        reason=request.reason,
        details=content,
    )


RELEASE = approvals.declare(
    "jackpots.release_level",
    gettext_noop("Release a level that was frozen"),
    request_roles=[Role.JACKPOT_MANAGER, Role.FINANCE],
    approve_roles=[Role.FINANCE, Role.JACKPOT_MANAGER],
    perform=_release,
)
