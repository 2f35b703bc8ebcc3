-- The write path of the journal, one round trip for any number of entries. Called by ledger.journal alone.
-- Installed by a migration: a change is a new file (post_2.sql) and a new migration. Each function has a search path of
-- its own, so that no temporary table stands in for a real one.

-- The day on which something of `own_date` is posted now: that day, or where the books are closed beyond it the next
-- open one. Holds the day's shared lock until the caller's transaction ends, so that nobody closes it meanwhile.
CREATE FUNCTION ledger_open_day(of_premises bigint, own_date date) RETURNS ledger_gamingday
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
        SELECT * INTO chosen FROM ledger_gamingday d WHERE d.premises_id = of_premises AND d.date = target;
        IF NOT FOUND THEN
            INSERT INTO ledger_gamingday (premises_id, date, state) VALUES (of_premises, target, 'open')
                ON CONFLICT DO NOTHING;
            CONTINUE;
        END IF;
        PERFORM pg_advisory_xact_lock_shared(x'706F7401'::int, chosen.id);
        -- A new statement sees what was committed while the lock was awaited.
        PERFORM FROM ledger_gamingday d WHERE d.id = chosen.id AND d.state <> 'closed';
        IF FOUND THEN
            RETURN chosen;
        END IF;
    END LOOP;
END
$$;

-- Posts the entries whose keys are new. Returns the ids drawn for all of them, those that were taken into the books
-- (with what they correct, in the same order) and the dates of the days; the caller looks up the entries that were there.
-- Legs name their entry and their account by position in the arrays of entries and codes.
CREATE FUNCTION ledger_post(
    keys text[], contents bytea[], sources bytea[], kinds text[], refs text[], currencies text[],
    occurred timestamptz[], memos text[], corrected text[], entry_days int[],
    day_premises bigint[], day_dates date[],
    leg_entries int[], leg_accounts int[], leg_micros bigint[],
    codes text[], code_kinds text[], code_premises bigint[], code_currencies text[],
    OUT entry_ids bigint[], OUT new_ids bigint[], OUT new_corrects bigint[], OUT final_dates date[]
) RETURNS record
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, public, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    account_ids int[];
    day_ids int[] := '{}';
    opened ledger_gamingday;
    all_new boolean;
BEGIN
    SELECT array_agg(a.id ORDER BY c.n) INTO account_ids
        FROM unnest(codes) WITH ORDINALITY c(code, n) LEFT JOIN ledger_account a ON a.code = c.code;
    IF array_position(account_ids, NULL) IS NOT NULL THEN
        INSERT INTO ledger_account (code, kind, premises_id, currency)
            SELECT c.code, c.kind, c.premises, c.currency
            FROM unnest(codes, code_kinds, code_premises, code_currencies) c(code, kind, premises, currency)
            WHERE NOT EXISTS (SELECT FROM ledger_account a WHERE a.code = c.code) ORDER BY c.code
            ON CONFLICT DO NOTHING;
        SELECT array_agg(a.id ORDER BY c.n) INTO account_ids
            FROM unnest(codes) WITH ORDINALITY c(code, n) JOIN ledger_account a ON a.code = c.code;
    END IF;
    FOR i IN 1 .. cardinality(day_dates) LOOP
        opened := ledger_open_day(day_premises[i], day_dates[i]);
        day_ids := day_ids || opened.id;
        final_dates := final_dates || opened.date;
    END LOOP;
    -- Ids are drawn first, so that legs find their entry by position and nothing is joined.
    entry_ids := ARRAY(SELECT nextval('ledger_entry_id_seq') FROM generate_series(1, cardinality(keys)));
    WITH inserted AS (
        INSERT INTO ledger_entry (id, key, premises_id, day_id, own_date, kind, reference, currency, source_sha256,
                content_sha256, corrects_id, memo, occurred_at)
            SELECT entry_ids[g.n], g.key, day_premises[g.day], day_ids[g.day],
                nullif(day_dates[g.day], final_dates[g.day]), g.kind, g.reference, g.currency, g.source, g.content,
                CASE WHEN g.corrected IS NOT NULL
                    THEN (SELECT c.id FROM ledger_entry c WHERE c.key = g.corrected) END,
                g.memo, g.at
            FROM unnest(keys, contents, sources, kinds, refs, currencies, occurred, memos, corrected, entry_days)
                WITH ORDINALITY
                AS g(key, content, source, kind, reference, currency, at, memo, corrected, day, n)
            ON CONFLICT (key) DO NOTHING
            RETURNING id, corrects_id
    )
    SELECT coalesce(array_agg(i.id), '{}'), coalesce(array_agg(i.corrects_id), '{}') INTO new_ids, new_corrects
        FROM inserted i;
    all_new := cardinality(new_ids) = cardinality(keys);
    INSERT INTO ledger_posting (entry_id, account_id, amount_micros)
        SELECT entry_ids[l.entry], account_ids[l.account], l.micros
        FROM unnest(leg_entries, leg_accounts, leg_micros) AS l(entry, account, micros)
        WHERE all_new OR entry_ids[l.entry] = ANY(new_ids);
END
$$;
