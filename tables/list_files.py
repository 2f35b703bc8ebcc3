"""The lists of the floor's pages as files: tables, counts, sittings, slips, disputes, unclaimed money, claims,
terminals, changes of limits and rules, notices, days of a table. Its rounds are in tables.pages.rounds_list."""

from __future__ import annotations

from config.kit.sheets.columns import Cell, Column
from people.pages.lists import Listing, day, moment, money, number, text
from rules.money import CENT, parse_money, say
from tables.corrections import disputes
from tables.pages.tiles import Floor, Tile


def _hold(row: tuple[Floor, Tile]) -> str:
    hold = row[1].hold
    return "" if hold is None else say(round(hold * 10_000) * CENT)


FLOOR = Listing(
    "floor",
    "Floor",
    (
        text("premises", "Premises", lambda row: row[0].premises.code),
        day("day", "Gaming day", lambda row: row[0].day),
        text("table", "Table", lambda row: row[1].table.code),
        text("pit", "Pit", lambda row: row[1].table.pit),
        text("game", "Game", lambda row: row[1].table.config.game.title),
        text("rulebook", "Rulebook", lambda row: row[1].table.config.game.rulebook),
        text("state", "State", lambda row: row[1].state),
        text("limits", "Limits", lambda row: row[1].limits),
        text("coming", "Coming", lambda row: "; ".join(f"{each.text}" for each in row[1].coming)),
        number("in_play", "Seats in play", lambda row: row[1].in_play),
        number("round", "Round", lambda row: row[1].table.last_round),
        text("round_state", "Its state", lambda row: row[1].round_state),
        text("jackpots", "Jackpots", lambda row: "; ".join(each.code for each in row[1].table.progressives)),
        text("jackpot", "Takes part", lambda row: row[1].jackpot),
        money("win", "Win today", lambda row: row[1].win),
        text("hold", "Hold today, %", _hold),
        text("currency", "Currency", lambda row: row[0].premises.currency),
        text("needs", "Needs someone", lambda row: "; ".join(need.text for need in row[1].needs)),
    ),
)
COUNTS = Listing(
    "counts",
    "Counts",
    (
        text("table", "Table", "table.code"),
        day("day", "Gaming day"),
        money("opener", "Opener"),
        money("fills", "Fills"),
        money("credits", "Credits"),
        money("drop", "Drop"),
        money("closer", "Closer"),
        text("counted", "Counted"),
        money("result", "Count result", lambda row: row.result_micros if row.counted else None),
        money("wagers", "By wagers"),
        money("other", "Other chips of play"),
        money("variance", "Variance", lambda row: row.variance_micros if row.counted else None),
        money("accepted", "Accepted of it", "booked_micros"),
        text("explanation", "Explanation"),
        money("promotional_played", "Promotional, by play"),
        money("promotional_counted", "Promotional, counted"),
    ),
)
SITTINGS = Listing(
    "sittings",
    "Sittings",
    (
        text("table", "Table", lambda row: row[0].code),
        moment("opened_at", "Opened", lambda row: row[1].opened_at),
        text("opened_by", "By", lambda row: row[1].opened_by),
        moment("closed_at", "Closed", lambda row: row[1].closed_at),
        text("closed_by", "Closed by", lambda row: row[1].closed_by),
    ),
)
SLIPS = Listing(
    "slips",
    "Slips",
    (
        text("slip", "Slip", "number"),
        text("what", "What", "kind"),
        money("amount", "Amount"),
        moment("booked_at", "Booked", "at"),
        day("own_date", "Late, of"),
    ),
)
CAGE = Listing(
    "cage",
    "Slips of the cage",
    (
        text("slip", "Slip", "number"),
        text("what", "What", lambda row: row.approval.payload["kind"]),
        text("money", "In", lambda row: row.approval.payload["money"]),
        money("amount", "Amount", lambda row: parse_money(row.approval.payload["amount"])),
        text("denominations", "How many of each", lambda row: row.approval.payload.get("denominations", "")),
        day("day", "Gaming day"),
        text("state", "State", "approval.state"),
        text("entered_by", "Entered by", "approval.requested_by"),
        text("decided_by", "Decided by", "approval.decided_by"),
        moment("at", "Entered"),
    ),
)
DISPUTES = Listing(
    "disputes",
    "Disputes",
    (
        number("dispute", "Dispute", "pk"),
        text("state", "State", lambda row: "open" if disputes.next_steps(row) else "over"),
        text("table", "Table", "table.code"),
        number("round", "Round", "round.number"),
        number("seat", "Seat"),
        text("complainant", "Who"),
        text("complaint", "About"),
        text("opened_by", "Opened by"),
        moment("at", "Opened"),
    ),
)
UNCLAIMED = Listing(
    "unclaimed",
    "Unclaimed money of tables",
    (
        number("number", "Number", "pk"),
        text("table", "Table", "table.code"),
        number("round", "Round", "round.number"),
        text("what", "What"),
        money("amount", "Amount"),
        day("found_on", "Found"),
        day("expires_on", "Expires"),
        text("ended", "Ended", lambda row: row.end.get_kind_display() if hasattr(row, "end") else None),
        day("ended_on", "On", "end.day"),
    ),
)
CLAIMS = Listing(
    "owed-and-recoverable",
    "Owed and recoverable",
    (
        number("claim", "Claim", "pk"),
        text("premises", "Premises", "table.premises.code"),
        text("table", "Table", "table.code"),
        number("round", "Round", "correction.round.number"),
        number("seat", "Seat"),
        text("player", "Who"),
        text("what", "What", lambda row: row.get_kind_display()),
        money("amount", "Amount"),
        money("open", "Open", "left"),
        text("currency", "Currency", "table.premises.currency"),
        moment("at", "Since"),
    ),
)
TERMINALS = Listing(
    "terminals",
    "Terminals",
    (
        text("name", "Name"),
        text("version", "Version"),
        text("premises", "Premises", "table.premises.code"),
        text("table", "Table", "table.code"),
        text("networks", "Only from", lambda row: "; ".join(map(str, row.networks or ()))),
        text("must_sign", "Signs"),
        moment("issued_at", "Issued"),
        moment("expires_at", "Until"),
        moment("previous_until", "Two tokens until"),
        moment("revoked_at", "Revoked"),
    ),
)
TABLES = Listing(
    "tables",
    "Tables",
    (
        text("premises", "Premises", "premises.code"),
        text("table", "Table", "code"),
        text("pit", "Pit"),
        text("game", "Game", "config.game.title"),
        text("rulebook", "Rulebook", "config.game.rulebook"),
        number("seats", "Seats"),
        text("open", "Open", "is_open"),
        text("reserved_for", "Private, for"),
        moment("change_due_at", "Change at"),
        number("terminals", "Terminals", lambda row: len(row.terminals.all())),
        text("rules", "Fingerprint of its rules", "config.sha256"),
    ),
)
CHANGES = Listing(
    "changes",
    "Changes of limits and rules",
    (
        moment("shown_at", "Shown"),
        text("what", "What", lambda row: row.get_kind_display()),
        text("state", "State", lambda row: row.get_state_display()),
        moment("from_at", "From"),
        moment("ended_at", "In force or withdrawn"),
        text("asked_by", "By"),
        text("approved_by", "Approved by"),
        text("exception", "Without a limits sign by I 13.3"),
        text("reason", "Why"),
        text("was", "Fingerprint before", "was.sha256"),
        text("becomes", "Fingerprint after", "config.sha256"),
    ),
)
NOTICES = Listing(
    "notices",
    "Notices to the inspector",
    (
        moment("made_at", "When"),
        text("rule", "Rule"),
        text("text", "What"),
        text("made_by", "By"),
        text("taken_by", "Taken by", "acknowledgement.inspector"),
        moment("taken_at", "Taken", "acknowledgement.at"),
        text("written_by", "Written down by", "acknowledgement.actor"),
    ),
)
HOLD = Listing(
    "win-and-hold",
    "Win and hold",
    (
        day("day", "Gaming day"),
        number("rounds", "Rounds"),
        money("staked", "Staked"),
        money("win", "Won"),
        (Column("hold", "Hold", Cell.PERCENT), "hold"),
        money("expected", "Should have won"),
    ),
)
