"""What of a seed is house money and not owed, through wins, restarts and restored bases; figures by hand."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.utils import timezone

from jackpots.fold.folding import fold
from jackpots.models import Progressive, Win
from jackpots.set_up.configure import create_progressive
from jackpots.verify.identities import broken_identities
from ledger.books import chart
from ledger.books.balances import balance
from people.models import Premises
from rules.contract import Hit, Wager
from rules.money import dollars, format_money
from rules.progressive import Level, Reseed, preset
from tests import log_verbs as event_log
from tests.floor import linked_log, new_round_id


def play(level: Level, *rounds: dict[int, str]) -> Progressive:
    """gb-2011 7.21 on one level and one table; in each round every seat that is named wagers 1.00 and has its hand."""
    premises = Premises.objects.create(
        code="strand", name="Strand", currency="GBP", time_zone="Europe/London", rollover_hour=6
    )
    progressive = create_progressive("test", premises, "stud", "Stud", preset("gb-2011-7.21", level))
    with transaction.atomic():
        link = linked_log(progressive, premises, "PS-01")
    for hands in rounds:
        round_id, now = new_round_id(), timezone.now()
        with transaction.atomic():
            stakes = [Wager(f"w{seat}", "jackpot", dollars(1), seat) for seat in hands]
            event_log.record_stakes(link, round_id, stakes, now)
            hits = [
                Hit(Wager(f"w{seat}", "jackpot", dollars(1), seat), hand, "test")
                for seat, hand in hands.items()
            ]
            event_log.decide(link, round_id, hits, {}, timezone.now())
            event_log.beat(link, timezone.now())
    fold(progressive.pk)
    assert broken_identities(progressive.pk) == []
    return progressive


def on_account(progressive: Progressive, name: str) -> str:
    return format_money(
        balance(chart.level(progressive.host.code, progressive.code, progressive.meters.get().level, name))
    )


def amounts() -> dict[str, str]:
    return {win.trigger: format_money(win.amount_micros) for win in Win.objects.all()}


@pytest.mark.django_db
def test_a_share_of_the_new_seed_in_the_round_that_won_the_old_one() -> None:
    """Paid from the dealer's right: seat 5's royal takes 10,000 + 2 x 0.70 and the level restarts with 10,000 of the
    house; then seat 2's straight flush gets 10% of that, which leaves 9,000 of house money in the base."""
    level = Level("pot", seed_micros=dollars(10_000), increment_bp=7_000)
    progressive = play(level, {5: "royal-flush", 2: "straight-flush"})
    assert amounts() == {"royal-flush": "10001.40", "straight-flush": "1000.00"}
    assert on_account(progressive, "base") == "-9000.00"
    assert on_account(progressive, "base-not-owed") == "9000.00"
    assert on_account(progressive, "top-up") == "11000.00", "the old base, and the tenth of the new one"


@pytest.mark.django_db
def test_the_same_with_a_reserve_that_pays_for_a_part_of_the_seed() -> None:
    """Reserve 2 x 0.10 = 0.20: of the new 10,000 the house gives 9,999.80. After the tenth 9,000 are left, and they
    are all house money: what players had put in is paid out first."""
    level = Level("pot", seed_micros=dollars(10_000), increment_bp=7_000, reserve_bp=1_000)
    progressive = play(level, {5: "royal-flush", 2: "straight-flush"})
    assert on_account(progressive, "base-not-owed") == "9000.00"
    assert on_account(progressive, "top-up") == "10999.80"
    assert on_account(progressive, "reserve") == "0.00"


@pytest.mark.django_db
def test_a_base_that_is_restored_in_the_round_that_won_the_level() -> None:
    """As above, and the operator's rule brings the base back to its seed at the end of the round."""
    level = Level("pot", seed_micros=dollars(10_000), increment_bp=7_000, reseed=Reseed.BELOW_SEED)
    progressive = play(level, {5: "royal-flush", 2: "straight-flush"})
    assert on_account(progressive, "base") == "-10000.00"
    assert on_account(progressive, "base-not-owed") == "10000.00"
    assert on_account(progressive, "top-up") == "11000.00"


@pytest.mark.django_db
def test_a_second_royal_wins_the_new_seed() -> None:
    """Lock and reseed: seat 5 gets 10,001.40, seat 2 the new 10,000; the third seed is untouched house money."""
    level = Level("pot", seed_micros=dollars(10_000), increment_bp=7_000)
    progressive = play(level, {5: "royal-flush", 2: "royal-flush"})
    assert sorted(format_money(win.amount_micros) for win in Win.objects.all()) == ["10000.00", "10001.40"]
    assert on_account(progressive, "base-not-owed") == "10000.00"
    assert on_account(progressive, "top-up") == "20000.00"
