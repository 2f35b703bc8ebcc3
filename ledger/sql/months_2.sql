-- One turns a month at a time: whoever does has the rows of the divided tables, to which no role has a right, instead of
-- an advisory lock that any role may take. Else as in months_1.sql.

-- Makes the parts of a month and of three after it where they are missing, and sets the numbers to the month's band
-- where they are still below it. All that the application may do about parts, by its job alone (ledger.months.turn).
-- The numbers follow only once the parts of the month are committed: were they made and the transaction undone, the
-- sequence would stay, and no row find its part.
CREATE OR REPLACE FUNCTION potline_turn_month(to_month date) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    table_of record;
    part text;
    begins_at text;
    last bigint;
    ready boolean := true;
BEGIN
    to_month := date_trunc('month', to_month)::date;
    IF to_month > (statement_timestamp() AT TIME ZONE 'UTC' + interval '1 day')::date THEN
        RAISE EXCEPTION 'The month % is still to come', to_char(to_month, 'YYYY-MM')
            USING ERRCODE = 'check_violation', CONSTRAINT = 'month_has_come';
    END IF;
    PERFORM FROM months.divided ORDER BY parent FOR UPDATE;
    FOR table_of IN SELECT * FROM months.divided ORDER BY parent LOOP
        FOR ahead IN 0 .. 3 LOOP
            begins_at := months.begins(table_of.sequence, (to_month + make_interval(months => ahead))::date);
            part := table_of.parent || to_char(to_month + make_interval(months => ahead), '_YYYYMM');
            IF to_regclass(format('months.%I', part)) IS NULL AND NOT months.is_covered(table_of.parent, begins_at) THEN
                PERFORM months.shape(table_of.parent, part);
                PERFORM months.attach(table_of.parent, part, begins_at,
                    months.begins(table_of.sequence, (to_month + make_interval(months => ahead + 1))::date));
                ready := ready AND ahead > 0;
            END IF;
        END LOOP;
    END LOOP;
    IF NOT ready THEN
        RETURN false;
    END IF;
    FOR table_of IN SELECT DISTINCT d.sequence FROM months.divided d WHERE d.sequence IS NOT NULL LOOP
        EXECUTE format('SELECT last_value FROM public.%I', table_of.sequence) INTO last;
        IF last < months.begins(table_of.sequence, to_month)::bigint THEN
            PERFORM setval(format('public.%I', table_of.sequence)::regclass,
                months.begins(table_of.sequence, to_month)::bigint);
        END IF;
    END LOOP;
    RETURN true;
END
$$;
