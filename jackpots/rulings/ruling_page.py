"""What the page of a ruling shows: both hands with their told and corrected moments on a common time line, what each
table had vouched for, what each order would pay."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.forms import Form

from jackpots.fold.decided_order import WaitingCluster
from jackpots.fold.replay import hits_in
from jackpots.models import Share
from jackpots.order.by_place import lock_of, placed_of
from jackpots.order.instants import instant_of
from jackpots.rulings.rulings import best, outcomes
from rules.codec import hit_to_json

WIDTH = 1_000
"""Of the time line, in its own units."""


@dataclass(frozen=True)
class Bar:
    """One hit on the time line: its interval from `x` on, its place, and when the result came."""

    share: Share
    hands: tuple[dict[str, Any], ...]
    """As `rules.codec` spells hits: cards are text there."""
    earliest: datetime
    latest: datetime
    lock: datetime
    late: bool
    x: int
    width: int
    place_x: int
    y: int

    @property
    def text_y(self) -> int:
        return self.y - 6

    @property
    def width_ms(self) -> float:
        return (self.latest - self.earliest).total_seconds() * 1_000


def bars(waiting: WaitingCluster) -> list[Bar]:
    placed = {share.pk: placed_of(share) for share in waiting.shares}
    first = min(each.earliest for each in placed.values())
    last = max(each.latest for each in placed.values())
    span = max(1, last - first)

    def scaled(at: int) -> int:
        return (at - first) * WIDTH // span

    return [
        Bar(
            share,
            tuple(hit_to_json(hit) for hit in hits_in(share).hits),
            instant_of(here.earliest),
            instant_of(here.latest),
            lock_of(share).place,
            here.late,
            scaled(here.earliest),
            max(4, scaled(here.latest) - scaled(here.earliest)),
            scaled(here.place),
            30 + 50 * number,
        )
        for number, share in enumerate(waiting.shares)
        for here in [placed[share.pk]]
    ]


def context(waiting: WaitingCluster, form: Form) -> dict[str, Any]:
    made = bars(waiting)
    return {
        "bars": made,
        "height": 30 + 50 * len(made),
        "line_width": WIDTH,
        "begin": min(bar.earliest for bar in made),
        "end": max(bar.latest for bar in made),
        "ways": [(outcome, _with_ids(form, at)) for at, outcome in enumerate(outcomes(waiting))],
        "best": best(waiting),
        "best_form": _with_ids(form, "best"),
        "added_micros": waiting.decision.added_micros,
    }


def _with_ids(form: Form, name: object) -> Form:
    """The same form once more on the page: its labels are for its own fields."""
    made = copy(form)
    made.auto_id, made._bound_fields_cache = f"id_{name}_%s", {}  # type: ignore[attr-defined]
    return made
