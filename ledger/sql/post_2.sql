-- The day's row is its lock: posting shares its key, so that the beginning of a close does not wait for it; closing has
-- the row alone. It takes a right to the row, as an advisory lock does not. Called by ledger.journal and ledger_post (post_1.sql).

-- The day on which something of `own_date` is posted now: that day, or where the books are closed beyond it the next
-- open one. Shares the day's row until the caller's transaction ends, so that nobody closes it meanwhile.
CREATE OR REPLACE FUNCTION ledger_open_day(of_premises bigint, own_date date) RETURNS ledger_gamingday
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    closed_through date;
    target date;
    chosen ledger_gamingday;
BEGIN
    LOOP
        target := own_date;
        SELECT max(d.date) INTO closed_through FROM ledger_gamingday d
            WHERE d.premises_id = of_premises AND d.state = 'closed';
        IF own_date <= closed_through THEN
            SELECT min(d.date) INTO target FROM ledger_gamingday d
                WHERE d.premises_id = of_premises AND d.date > closed_through;
            target := coalesce(target, closed_through + 1);
        END IF;
        -- As it is once the lock is had: whoever had it before may have closed the day.
        SELECT * INTO chosen FROM ledger_gamingday d WHERE d.premises_id = of_premises AND d.date = target FOR KEY SHARE;
        IF NOT FOUND THEN
            INSERT INTO ledger_gamingday (premises_id, date, state) VALUES (of_premises, target, 'open')
                ON CONFLICT DO NOTHING;
        ELSIF chosen.state <> 'closed' THEN
            RETURN chosen;
        END IF;
    END LOOP;
END
$$;
