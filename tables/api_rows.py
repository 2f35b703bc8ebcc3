"""The rows that REST addresses of the floor name, as far as whoever asks may see them; else 404."""

from __future__ import annotations

from rest_framework import generics
from rest_framework.request import Request

from jackpots.queries import READERS
from people.access import premises_of
from people.models import Premises
from tables.models import Round, Table
from tables.queries import visible_rounds


def table_at(premises: str, code: str) -> Table:
    return generics.get_object_or_404(Table, premises__code=premises, code=code)


def readable_premises(request: Request, code: str) -> Premises:
    return generics.get_object_or_404(premises_of(request.user, READERS), code=code)


def round_seen_by(request: Request, pk: int) -> Round:
    rounds = visible_rounds(request.user).select_related("table__premises", "table__table_log", "config")
    return generics.get_object_or_404(rounds, pk=pk)
