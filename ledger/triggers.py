"""What PostgreSQL itself refuses about the books. Each refusal is attacked by raw SQL in tests/ledger/test_guards.py.

Checks over many rows run once a statement over its transition table, so a batch of 200 entries costs little more than
one. Foreign keys of entries and postings are checked here too, in one join, instead of by a trigger call and a row
lock per posting: the rows they point at can never be removed, and no row becomes hot.
"""

from __future__ import annotations

import pgtrigger

from config.kit.triggers import append_only, firm, sealed

NEW_ROWS = pgtrigger.Referencing(new="new_rows")  # type: ignore[no-untyped-call]

ACCOUNT_TRIGGERS = append_only.triggers("account")

DAY_TRIGGERS = [
    firm.Trigger(
        name="day_begins_open",
        operation=pgtrigger.Insert,
        when=pgtrigger.Before,
        func="""
            IF NEW.state <> 'open' THEN
                RAISE EXCEPTION 'A gaming day begins open, not %', NEW.state USING ERRCODE = 'check_violation';
            END IF;
            IF EXISTS (SELECT FROM ledger_gamingday d WHERE d.premises_id = NEW.premises_id
                       AND d.state = 'closed' AND d.date >= NEW.date) THEN
                RAISE EXCEPTION 'The books are closed beyond %; late entries go to the next open day', NEW.date
                    USING ERRCODE = 'check_violation';
            END IF;
            RETURN NEW;
        """,
    ),
    firm.Trigger(
        name="day_closes_in_order",
        operation=pgtrigger.Update,
        when=pgtrigger.Before,
        condition=pgtrigger.Condition("NEW.state = 'closed' AND OLD.state <> 'closed'"),
        # The row is the day's lock: postings under way share it, and are over by now.
        func="""
            IF EXISTS (SELECT FROM ledger_gamingday d WHERE d.premises_id = NEW.premises_id
                       AND d.state <> 'closed' AND d.date < NEW.date) THEN
                RAISE EXCEPTION 'Gaming days close in order; an earlier day than % is still open', NEW.date
                    USING ERRCODE = 'check_violation';
            END IF;
            RETURN NEW;
        """,
    ),
    firm.FSM(
        name="day_steps",
        field="state",
        transitions=[("open", "closing"), ("closing", "open"), ("closing", "closed")],
    ),
    firm.ReadOnly(name="day_fixed", fields=["id", "premises", "date", "opened_at"]),
    firm.Protect(
        name="day_closed_is_closed",
        operation=pgtrigger.Update,
        condition=pgtrigger.Condition("OLD.state = 'closed'"),
    ),
    *append_only.kept_triggers("day"),
    *sealed.steps(
        "ledger.gamingday",
        "gaming day",
        ("premises_id", "date", "state", "closing_by_id", "closed_at", "closed_by_id", "checklist"),
    ),
]

SEAL_TRIGGERS = [
    # One that covers what has not ended stops whatever is written: each stamp would lie below it.
    firm.IndexedTrigger(
        name="seal_follows",
        operation=pgtrigger.Insert,
        when=pgtrigger.Before,
        declare=[("last", "ledger_seal")],
        func="""
            IF NEW.below_xact > potline_stamp(pg_snapshot_xmin(pg_current_snapshot())) THEN
                RAISE EXCEPTION 'Seal % covers transactions that have not ended', NEW.number
                    USING ERRCODE = 'check_violation', CONSTRAINT = 'seal_covers_what_has_ended';
            END IF;
            SELECT * INTO last FROM ledger_seal ORDER BY number DESC LIMIT 1;
            IF NEW.number <> coalesce(last.number, 0) + 1 OR NEW.from_xact <> coalesce(last.below_xact, 0)
                    OR NEW.previous_hash <> coalesce(last.hash, decode(repeat('00', 32), 'hex'))
                    OR NEW.chain <> coalesce(last.chain, NEW.chain) THEN
                RAISE EXCEPTION 'Seal % does not follow from seal %', NEW.number, coalesce(last.number, 0)
                    USING ERRCODE = 'check_violation', CONSTRAINT = 'seal_follows_the_last';
            END IF;
            RETURN NEW;
        """,
    ),
    *append_only.triggers("seal"),
]

VERIFIED_MARK_TRIGGERS = [
    firm.IndexedTrigger(
        name="verified_mark_at_a_seal",
        operation=pgtrigger.Insert | pgtrigger.Update,
        when=pgtrigger.Before,
        func="""
            IF NOT EXISTS (SELECT FROM ledger_seal WHERE number = NEW.seal AND below_xact = NEW.below_xact) THEN
                RAISE EXCEPTION 'There is no seal % up to % that could have been verified', NEW.seal, NEW.below_xact
                    USING ERRCODE = 'check_violation', CONSTRAINT = 'verified_mark_at_a_seal';
            END IF;
            RETURN NEW;
        """,
    ),
]

STEP_TRIGGERS = [
    firm.Trigger(
        name="step_by_trigger_alone",
        operation=pgtrigger.Insert,
        when=pgtrigger.Before,
        condition=pgtrigger.Condition("pg_trigger_depth() = 0"),
        func="""
            RAISE EXCEPTION 'Step of % %: steps follow from changes of the row, nobody writes them', NEW.kind,
                NEW.row_id
                USING ERRCODE = 'restrict_violation';
        """,
    ),
    *sealed.triggers("step", at="at"),
]

# The database, too, sees that the second person has approved what is carried over.
OPEN_ITEM_TRIGGERS = [
    firm.Trigger(
        name="open_item_approved",
        operation=pgtrigger.Insert,
        when=pgtrigger.Before,
        func="""
            IF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id AND a.state = 'used'
                           AND a.action = 'ledger.carry_over'
                           AND a.payload_json::jsonb ->> 'day_id' = NEW.day_id::text
                           AND a.payload_json::jsonb ->> 'item' = NEW.item_key
                           AND a.payload_json::jsonb ->> 'check' = NEW.check_name) THEN
                RAISE EXCEPTION 'Open item %: no approval of a second person for it', NEW.item_key
                    USING ERRCODE = 'check_violation';
            END IF;
            RETURN NEW;
        """,
    ),
    *sealed.triggers("open_item"),
]

ENTRY_TRIGGERS = [
    firm.IndexedTrigger(
        name="entry_lawful",
        operation=pgtrigger.Insert,
        when=pgtrigger.After,
        level=pgtrigger.Statement,
        referencing=NEW_ROWS,
        declare=[("wrong", "record"), ("current_xact", "bigint")],
        func="""
            IF current_setting('transaction_isolation') <> 'read committed' THEN
                RAISE EXCEPTION 'Posting needs READ COMMITTED: an older snapshot would not see a day closed meanwhile'
                    USING ERRCODE = 'invalid_transaction_state';
            END IF;
            current_xact := potline_stamp(pg_current_xact_id());
            IF EXISTS (SELECT FROM ledger_rollupmark WHERE below_xact > current_xact)
                    OR EXISTS (SELECT FROM ledger_seal WHERE below_xact > current_xact) THEN
                RAISE EXCEPTION 'This server counts transactions from a lower number than the ledger has seen'
                    USING ERRCODE = 'invalid_transaction_state',
                    HINT = 'After a restore run: manage.py adopt_database';
            END IF;
            PERFORM FROM ledger_gamingday d WHERE d.id IN (SELECT n.day_id FROM new_rows n) ORDER BY d.id FOR KEY SHARE;
            SELECT n.key, d.date, d.state INTO wrong FROM new_rows n LEFT JOIN ledger_gamingday d ON d.id = n.day_id
                WHERE d.state IS NULL OR d.state = 'closed' OR d.premises_id <> n.premises_id LIMIT 1;
            IF FOUND THEN
                RAISE EXCEPTION 'Entry %: the gaming day % is % or not of its premises', wrong.key, wrong.date,
                    coalesce(wrong.state, 'unknown') USING ERRCODE = 'check_violation', CONSTRAINT = 'entry_day_open';
            END IF;
            SELECT n.key INTO wrong FROM new_rows n WHERE n.xact_id <> current_xact LIMIT 1;
            IF FOUND THEN
                RAISE EXCEPTION 'Entry %: xact_id is the number of the transaction that posts it', wrong.key
                    USING ERRCODE = 'check_violation', CONSTRAINT = 'entry_own_xact';
            END IF;
            SELECT n.key INTO wrong FROM new_rows n LEFT JOIN ledger_entry c ON c.id = n.corrects_id
                WHERE n.corrects_id IS NOT NULL AND (c.premises_id IS DISTINCT FROM n.premises_id
                    OR EXISTS (SELECT FROM new_rows s WHERE s.id = n.corrects_id)) LIMIT 1;
            IF FOUND THEN
                RAISE EXCEPTION 'Entry %: what it corrects is not in the books of its premises before it', wrong.key
                    USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'entry_corrects_known';
            END IF;
            SELECT n.key, n.own_date INTO wrong FROM new_rows n JOIN ledger_gamingday d ON d.id = n.day_id
                WHERE n.own_date >= d.date LIMIT 1;
            IF FOUND THEN
                RAISE EXCEPTION 'Entry %: its own date % is not before the gaming day that takes it', wrong.key,
                    wrong.own_date USING ERRCODE = 'check_violation', CONSTRAINT = 'entry_late_after_own_date';
            END IF;
            RETURN NULL;
        """,
    ),
    firm.DividedTrigger(
        name="entry_sums_to_zero",
        operation=pgtrigger.Insert,
        when=pgtrigger.After,
        timing=pgtrigger.Deferred,
        declare=[("legs", "bigint"), ("total", "numeric")],
        func="""
            SELECT count(*), sum(amount_micros) INTO legs, total FROM ledger_posting WHERE entry_id = NEW.id;
            IF legs < 2 OR total <> 0 THEN
                RAISE EXCEPTION 'Entry % (%) has % legs that sum to % micros; it needs two or more that sum to 0',
                    NEW.id, NEW.key, legs, coalesce(total, 0)
                    USING ERRCODE = 'check_violation', CONSTRAINT = 'entry_sums_to_zero';
            END IF;
            RETURN NULL;
        """,
    ),
    *append_only.triggers("entry"),
]

POSTING_TRIGGERS = [
    # Every statement adds legs that sum to zero to each entry, so the sum stays zero even after the deferred check
    # was made to run early (SET CONSTRAINTS ... IMMEDIATE); and only to entries of its own transaction, so an entry
    # is whole when it commits.
    firm.IndexedTrigger(
        name="posting_lawful",
        operation=pgtrigger.Insert,
        when=pgtrigger.After,
        level=pgtrigger.Statement,
        referencing=NEW_ROWS,
        declare=[("wrong", "record"), ("current_xact", "bigint")],
        func="""
            current_xact := potline_stamp(pg_current_xact_id());
            SELECT n.entry_id, n.account_id INTO wrong FROM new_rows n
                LEFT JOIN ledger_entry e ON e.id = n.entry_id LEFT JOIN ledger_account a ON a.id = n.account_id
                WHERE e.xact_id IS DISTINCT FROM current_xact OR a.premises_id IS DISTINCT FROM e.premises_id
                    OR a.currency IS DISTINCT FROM e.currency LIMIT 1;
            IF FOUND THEN
                RAISE EXCEPTION 'Posting on entry %, account %: the entry must be of this transaction, the account of'
                    ' its premises and currency', wrong.entry_id, wrong.account_id
                    USING ERRCODE = 'check_violation', CONSTRAINT = 'posting_lawful';
            END IF;
            SELECT n.entry_id, sum(n.amount_micros) AS total INTO wrong FROM new_rows n
                GROUP BY n.entry_id HAVING sum(n.amount_micros) <> 0 LIMIT 1;
            IF FOUND THEN
                RAISE EXCEPTION 'Entry %: the legs of this statement sum to % micros, not to 0', wrong.entry_id,
                    wrong.total USING ERRCODE = 'check_violation', CONSTRAINT = 'posting_sums_to_zero';
            END IF;
            RETURN NULL;
        """,
    ),
    *append_only.triggers("posting"),
]
