"""Other rules by two people: armed for a win, dated, taken back; each at its place in the order, whenever a fold runs.

Amounts by hand, on `stud_rules`: of 1.00 the grand gets 0.60, the minor 0.15; the royal takes the grand of 20,000."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from config.kit.refusals import Refused
from jackpots.fold.folding import fold
from jackpots.models import ConfigChange, Progressive, Share, TableLog, Win
from jackpots.order.server_clock import ServerTime
from jackpots.set_up import changes, drafts
from jackpots.set_up.configure import create_progressive, store_config
from jackpots.set_up.drafts import Draft, Settings
from jackpots.set_up.review import Asked, review
from jackpots.signs.frames import figures_from_log, snapshot
from jackpots.verify.identities import broken_identities
from jackpots.verify.settings import folded_by_rules, settings_recorded
from ledger.verify.verify import Span
from people.approvals import approvals
from people.models import ApprovalRequest
from rules.contract import Hit, Wager
from rules.money import dollars, format_money
from rules.progressive import Fixed, Level, ProgressiveRules
from tables.floor.opening import link_table
from tests import log_verbs
from tests.acts import on_record
from tests.floor import Floor, new_round_id, stud_rules
from tests.jackpots.test_links import own_rules
from tests.server_time import told_by


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


def slower(rules: ProgressiveRules | None = None) -> ProgressiveRules:
    """0.50 to the grand instead of 0.60, and a seed of 30,000."""
    found = rules or stud_rules()
    grand, minor = found.levels
    return replace(found, levels=(replace(grand, increment_bp=5_000, seed_micros=dollars(30_000)), minor))


def draft(rules: ProgressiveRules, day: date | None = None, **settings: object) -> Draft:
    found = Progressive.objects.select_related("host", "config").get(code="stud")
    return Draft(found.code, found.host, rules, replace(Settings.of(found), **settings), found, day)  # type: ignore[arg-type]


def approved(floor: Floor, wanted: Draft) -> Progressive:
    asked = changes.request_setup(wanted, floor.people["jan"], "trial")
    approvals.approve(asked, floor.people["fiona"])
    return Progressive.objects.get(code=wanted.code)


def log_of(code: str = "CS-01") -> TableLog:
    return TableLog.objects.get(table_code=code)


@transaction.atomic
def stake(code: str = "CS-01", at: datetime | None = None) -> tuple[int, Wager]:
    round_id = new_round_id()
    wager = Wager(f"w{round_id}", "jackpot", dollars(1), 1)
    log_verbs.record_stakes(log_of(code), round_id, [wager], at or timezone.now())
    return round_id, wager


@transaction.atomic
def decide(
    played: tuple[int, Wager], hand: str = "", code: str = "CS-01", at: datetime | None = None
) -> None:
    round_id, wager = played
    if hand:
        log_verbs.decide(log_of(code), round_id, [Hit(wager, hand, "x")], {}, at or timezone.now())
    else:
        log_verbs.decide_plain([round_id])


def folded(at: datetime | None = None) -> Progressive:
    with transaction.atomic():
        for log in TableLog.objects.filter(is_open=True):
            log_verbs.beat(log, at or timezone.now())
    found = Progressive.objects.get(code="stud")
    fold(found.pk)
    assert broken_identities(found.pk) == []
    return Progressive.objects.select_related("config").get(code="stud")


def meter(level: str = "grand") -> str:
    return format_money(Progressive.objects.get(code="stud").meters.get(level=level).value_micros)


def paid() -> list[str]:
    return [format_money(win.amount_micros) for win in Win.objects.order_by("share__place")]


@pytest.mark.parametrize("folds_between", [False, True])
def test_rules_armed_while_a_hit_is_pending_wait_for_the_next_one(floor: Floor, folds_between: bool) -> None:
    """The royal was dealt before the arming. Whether a fold comes in between makes no difference to anybody."""
    decide(stake(), "royal-flush")
    if folds_between:
        time.sleep(0.002)
        folded()
    armed = approved(floor, draft(slower()))
    assert (armed.armed_config is None, armed.effect_at) == (False, None)
    now = folded()
    # 20,000 + 0.60, and the grand restarts at its seed
    assert (paid(), meter(), now.config.rules) == (["20000.60"], "20000.00", stud_rules())
    assert now.armed_config_id == armed.armed_config_id
    decide(stake(), "royal-flush")
    now = folded()
    assert paid() == ["20000.60", "20000.60"]
    # the seed of the rules by which it was won; from now on the new ones
    assert (meter(), now.config.rules, now.armed_config, now.armed_at) == ("20000.00", slower(), None, None)
    assert on_record("jackpots.rules_in_force") == 1
    decide(stake())
    folded()
    assert meter() == "20000.50"


def test_a_win_of_the_minor_alone_brings_nothing_into_force(floor: Floor) -> None:
    approved(floor, draft(slower()))
    decide(stake(), "flush")
    now = folded()
    assert (paid(), now.config.rules) == (["100.00"], stud_rules())
    assert now.armed_config is not None


@pytest.mark.parametrize("folds_between", [False, True])
def test_dated_rules_hold_from_their_place_in_the_order(
    floor: Floor, monkeypatch: pytest.MonkeyPatch, folds_between: bool
) -> None:
    """Three wagers before, two after: 3 x 0.60 and 2 x 0.50, whenever the fold runs; a straight flush after it takes a
    tenth. The seed stays until the meter is won."""
    began = timezone.now()
    now, effect = [began], began + timedelta(milliseconds=10)
    told_by(monkeypatch, lambda: ServerTime(now[0], None))

    def after(start: datetime, ms: int) -> datetime:
        """The server's clock stands there, too, until it is told otherwise: however long anything takes here."""
        now[0] = start + timedelta(milliseconds=ms)
        while timezone.now() < now[0]:  # nobody vouches for what is to come
            time.sleep(0.001)
        return now[0]

    monkeypatch.setattr(drafts, "day_start", lambda *_: effect)
    rounds = [stake(at=after(began, 1)), stake("CS-02", after(began, 2))]
    found = approved(floor, draft(slower(), date(2030, 1, 1)))
    assert found.effect_at == effect
    rounds.append(stake(at=after(began, 3)))
    if folds_between:
        folded(after(began, 4))
    rounds += [stake("CS-02", after(effect, 0)), stake("CS-03", after(effect, 1))]
    by_config = [share.config.rules.levels[0].increment_bp for share in Share.objects.order_by("place")]
    assert by_config == [6_000, 6_000, 6_000, 5_000, 5_000]
    for round_id in rounds[:-1]:
        decide(round_id)
    frame = snapshot(found.pk)
    stored = found.frames.get(sequence=frame["sequence"])
    assert figures_from_log(stored) == {"grand": 20_002_800_000, "minor": 2_000_750_000}
    decide(rounds[-1], "straight-flush", "CS-03", after(effect, 2))
    new = folded(after(effect, 3))
    # 20,000 + 1.80 + 1.00 = 20,002.80; a tenth is 2,000.28
    assert (paid(), meter()) == (["2000.28"], "18002.52")
    assert (new.config.rules, new.armed_config) == (slower(), None)
    assert {run.config.rules.levels[0].increment_bp for run in new.fold_runs.all()} == {5_000, 6_000}


def test_a_day_may_not_take_from_players_and_not_lie_behind(floor: Floor) -> None:
    jan = floor.people["jan"]
    own = replace(stud_rules(), schedule="")
    progressive = approved(floor, draft(own))
    decide(stake(), "royal-flush")
    progressive = folded()
    assert progressive.config.rules == own
    less = replace(
        own,
        stages=(
            replace(
                own.stages[0],
                prizes=tuple(
                    replace(prize, amount=Fixed(dollars(400))) if prize.trigger == "four-of-a-kind" else prize
                    for prize in own.stages[0].prizes
                ),
            ),
            *own.stages[1:],
        ),
    )
    tomorrow = timezone.now().date() + timedelta(days=2)
    with pytest.raises(Refused, match=r"four-of-a-kind would win 400.00 instead of 500.00"):
        changes.request_setup(draft(less, tomorrow), jan, "cheaper")
    with pytest.raises(Refused, match="has begun: nothing changes backwards"):
        changes.request_setup(draft(slower(own), date(2020, 1, 1)), jan, "late")
    changes.request_setup(draft(less), jan, "cheaper, when the meter is won")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda r: replace(r, levels=r.levels[:1]), "people play for the same levels"),
        (lambda r: replace(r, triggers=r.triggers[:-1]), "people play for the same hands"),
        (
            lambda r: replace(r, levels=(replace(r.levels[0], cap_micros=dollars(20_000)), r.levels[1])),
            "the cap must be above the seed",
        ),
        (
            lambda r: replace(r, levels=(replace(r.levels[0], increment_bp=9_000), r.levels[1])),
            "the levels take 110% of a wager",
        ),
    ],
)
def test_what_the_rules_refuse_cannot_be_asked_for(floor: Floor, change: object, why: str) -> None:
    with pytest.raises(Refused, match=why):
        changes.request_setup(draft(change(stud_rules())), floor.people["jan"], "x")  # type: ignore[operator]
    assert not ApprovalRequest.objects.exists()


def test_a_cap_below_the_meter_is_refused_also_when_the_meter_has_grown_since(floor: Floor) -> None:
    grand, minor = stud_rules().levels
    capped = replace(stud_rules(), levels=(replace(grand, cap_micros=dollars(20_000) + 500_000), minor))
    asked = changes.request_setup(draft(capped), floor.people["jan"], "cap")
    decide(stake())
    folded()
    with pytest.raises(Refused, match=r"the meter already stands at 20,000.60"):
        approvals.approve(asked, floor.people["fiona"])
    assert Progressive.objects.get(code="stud").armed_config is None


def test_what_is_armed_is_taken_back_by_two_people(floor: Floor) -> None:
    jan, fiona = floor.people["jan"], floor.people["fiona"]
    approved(floor, draft(slower()))
    with pytest.raises(Refused, match="armed already"):
        changes.request_setup(draft(replace(slower(), name="another")), jan, "x")
    asked = changes.request_withdrawal("stud", jan, "a mistake")
    with pytest.raises(Refused, match="Another person"):
        approvals.approve(asked, jan)
    played = stake()
    decide(played, "royal-flush")
    with pytest.raises(Refused, match="wait to be resolved"):
        approvals.approve(asked, fiona)
    folded()  # the royal brought them into force
    with pytest.raises(Refused, match="No other rules"):
        approvals.approve(asked, fiona)
    approvals.reject(asked, fiona)
    approved(floor, draft(stud_rules()))
    approvals.approve(changes.request_withdrawal("stud", jan, "again"), fiona)
    now = Progressive.objects.get(code="stud")
    assert (now.armed_config, now.armed_at, now.config.rules) == (None, None, slower())
    kinds = list(ConfigChange.objects.order_by("pk").values_list("kind", flat=True))
    assert kinds == ["armed", "armed", "withdrawn"]


def test_settings_hold_at_once_and_limits_not_between_a_hit_and_its_fold(floor: Floor) -> None:
    decide(stake(), "flush")
    asked = changes.request_setup(
        draft(stud_rules(), ruling_limit="20.00", name="Stud!"), floor.people["jan"], "x"
    )
    with pytest.raises(Refused, match="wait to be resolved"):
        approvals.approve(asked, floor.people["fiona"])
    folded()
    approvals.approve(asked, floor.people["fiona"])
    now = Progressive.objects.get(code="stud")
    assert (now.ruling_limit_micros, now.name, now.armed_config) == (dollars(20), "Stud!", None)
    with pytest.raises(Refused, match="already as this says"):
        changes.request_setup(draft(stud_rules()), floor.people["jan"], "x")


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE jackpots_progressive SET config_id = %s",
        "UPDATE jackpots_progressive SET armed_config_id = %s, armed_at = now()",
        "UPDATE jackpots_progressive SET effect_at = now() WHERE %s > 0",
    ],
)
def test_nobody_arms_rules_past_two_people(floor: Floor, sql: str) -> None:
    other = store_config(slower())
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, [other.pk])


def test_changes_are_only_added(floor: Floor) -> None:
    approved(floor, draft(slower()))
    for sql in (
        "UPDATE jackpots_configchange SET place = now()",
        "DELETE FROM jackpots_configchange",
        "UPDATE jackpots_configchange SET kind = 'withdrawn'",
    ):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql)


def test_verify_knows_the_rules_by_which_every_run_was_folded(floor: Floor) -> None:
    approved(floor, draft(slower()))
    decide(stake(), "royal-flush")
    folded()
    decide(stake())
    folded()
    everything = Span(0, 1 << 62)
    assert list(settings_recorded(everything)) == []
    assert list(folded_by_rules(everything)) == []
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("UPDATE jackpots_configchange SET place = now() + interval '1 day'")
        cursor.execute("SET LOCAL session_replication_role = origin")
    assert [fault.what for fault in folded_by_rules(everything)] == [
        "nobody had put the rules by which it was folded in force by then"
    ]


def test_two_changes_that_hold_alone_are_refused_where_they_would_not_together(floor: Floor) -> None:
    """Stud takes 80% of a wager and a mini 10%. The mini with 20% would fit beside these 80%: once 85% are armed for
    stud it does not."""
    rules = own_rules(Level("pot", seed_micros=dollars(100), increment_bp=1_000), flush=Fixed(dollars(20)))
    mini = create_progressive("test", floor.harbour, "mini", "Mini", rules)
    link_table("test", floor.tables["CS-01"], mini, ["jackpot"])
    grand, minor = stud_rules().levels
    approved(floor, draft(replace(stud_rules(), levels=(replace(grand, increment_bp=6_500), minor))))
    more = replace(rules, levels=(replace(rules.levels[0], increment_bp=2_000),))
    wanted = Draft("mini", floor.harbour, more, Settings.of(mini), mini)
    with pytest.raises(Refused, match=r"the progressives take 105% of a jackpot wager"):
        changes.request_setup(wanted, floor.people["jan"], "x")


def test_what_was_asked_is_shown_as_it_was_also_when_it_holds(floor: Floor) -> None:
    approved(floor, draft(slower()))
    decide(stake(), "royal-flush")
    folded()
    row = ApprovalRequest.objects.get(action="jackpots.change_progressive")
    found = Progressive.objects.select_related("host", "config").get(code="stud")
    shown = review(Draft.from_payload(row.payload, found).as_asked(row.payload), Asked())
    assert [(each.what, each.before, each.after) for each in shown.changes] == [
        ("grand: seed", "20,000.00", "30,000.00"),
        ("grand: of a wager to the meter", "60%", "50%"),
    ]
