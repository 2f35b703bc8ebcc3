-- Tables that are divided by month: rows that nobody refers to, so that an old month can be taken out and kept elsewhere
-- (ledger.months). A part is cut by the column that begins the table's key. Where that is the number of a round or of an
-- entry, each month has a band of numbers of its own: 202611000000000 and up is November 2026. When a month turns, the
-- sequence is set to its band: bounds are constants, nothing is moved or read, numbers stay in the order of time.
-- Installed by a migration: a change is a new file (months_2.sql) and a new migration.

-- No role of the application may look in here: parts are reached through their parent alone.
CREATE SCHEMA months;
REVOKE ALL ON SCHEMA months FROM PUBLIC;

CREATE TABLE months.divided (
    parent text PRIMARY KEY,
    by_column text NOT NULL,
    sequence text -- whose numbers they are; none: they are divided by time
);

-- Where a month begins in a table that is divided by these numbers, or by time.
CREATE FUNCTION months.begins(sequence text, month date) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp
    RETURN CASE WHEN sequence IS NULL THEN to_char(month, 'YYYY-MM-DD') || ' 00:00+00'
        ELSE to_char(month, 'YYYYMM') || '000000000' END;

-- Triggers by row come to a part from its parent; those by statement do not, and guard who names the part itself.
CREATE FUNCTION months.guard(part text, of_parent text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    definition text;
BEGIN
    FOR definition IN SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t
        WHERE t.tgrelid = format('public.%I', of_parent)::regclass AND NOT t.tgisinternal AND t.tgtype & 1 = 0
            AND NOT EXISTS (SELECT FROM pg_trigger p WHERE p.tgrelid = format('months.%I', part)::regclass
                AND p.tgname = t.tgname)
    LOOP
        EXECUTE replace(definition, format(' ON public.%I ', of_parent), format(' ON months.%I ', part));
    END LOOP;
END
$$;

-- The table becomes the first part, with all that is in it, and a new one its parent, with its keys, indexes, checks,
-- triggers and rights.
CREATE FUNCTION months.divide(table_name text, column_name text, number_sequence text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    earlier text := table_name || '_earlier';
    was text := format(' ON months.%I ', table_name || '_earlier');
    becomes text := format(' ON public.%I ', table_name);
    until text;
    one record;
BEGIN
    EXECUTE format('ALTER TABLE public.%I RENAME TO %I', table_name, earlier);
    EXECUTE format('ALTER TABLE public.%I SET SCHEMA months', earlier);
    EXECUTE format('CREATE TABLE public.%I (LIKE months.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE'
        ' INCLUDING COMPRESSION) PARTITION BY RANGE (%I)', table_name, earlier, column_name);
    FOR one IN SELECT c.conname, pg_get_constraintdef(c.oid) AS says FROM pg_constraint c
        WHERE c.conrelid = format('months.%I', earlier)::regclass AND c.contype IN ('p', 'u', 'f') ORDER BY c.conname
    LOOP
        EXECUTE format('ALTER TABLE public.%I ADD CONSTRAINT %I %s', table_name, one.conname, one.says);
    END LOOP;
    FOR one IN SELECT pg_get_indexdef(i.indexrelid) AS says FROM pg_index i
        WHERE i.indrelid = format('months.%I', earlier)::regclass
            AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u'))
    LOOP
        EXECUTE replace(one.says, was, becomes);
    END LOOP;
    FOR one IN SELECT t.tgname, pg_get_triggerdef(t.oid) AS says, obj_description(t.oid, 'pg_trigger') AS comment
        FROM pg_trigger t WHERE t.tgrelid = format('months.%I', earlier)::regclass AND NOT t.tgisinternal
    LOOP
        EXECUTE format('DROP TRIGGER %I ON months.%I', one.tgname, earlier);
        EXECUTE replace(one.says, was, becomes);
        EXECUTE format('COMMENT ON TRIGGER %I ON public.%I IS %L', one.tgname, table_name, one.comment);
    END LOOP;
    FOR one IN SELECT a.grantee::regrole::text AS grantee, a.privilege_type AS privilege
        FROM pg_class c CROSS JOIN aclexplode(c.relacl) a
        WHERE c.oid = format('months.%I', earlier)::regclass AND a.grantee NOT IN (0, c.relowner)
    LOOP
        EXECUTE format('GRANT %s ON public.%I TO %s', one.privilege, table_name, one.grantee);
        EXECUTE format('REVOKE ALL ON months.%I FROM %s', earlier, one.grantee);
    END LOOP;
    until := months.begins(number_sequence, '2026-01-01');
    IF number_sequence IS NULL THEN
        EXECUTE format('SELECT months.begins(NULL, greatest(%L::date, (date_trunc(''month'', max(%I) AT TIME ZONE ''UTC'')'
            ' + interval ''1 month'')::date)) FROM months.%I', '2026-01-01', column_name, earlier) INTO until;
    END IF;
    EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION months.%I FOR VALUES FROM (MINVALUE) TO (%L)', table_name,
        earlier, until);
    PERFORM months.guard(earlier, table_name);
    IF number_sequence IS NULL THEN -- by time, as others tell it: a row of no month that is there has a place, too
        PERFORM months.shape(table_name, table_name || '_other');
        EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION months.%I DEFAULT', table_name, table_name || '_other');
        PERFORM months.guard(table_name || '_other', table_name);
    END IF;
    INSERT INTO months.divided VALUES (table_name, column_name, number_sequence);
END
$$;

-- An empty table in the shape of a part; attaching it afterwards holds up nobody who reads or writes the others.
CREATE FUNCTION months.shape(of_parent text, part text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    EXECUTE format('CREATE TABLE months.%I (LIKE public.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE'
        ' INCLUDING COMPRESSION)', part, of_parent);
END
$$;

CREATE FUNCTION months.attach(of_parent text, part text, low text, high text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION months.%I FOR VALUES FROM (%s) TO (%L)', of_parent, part,
        coalesce(quote_literal(low), 'MINVALUE'), high);
    PERFORM months.guard(part, of_parent);
END
$$;

-- Makes the parts of a month and of three after it where they are missing, and sets the numbers to the month's band
-- where they are still below it. All that the application may do about parts, by its job alone (ledger.months.turn).
-- The numbers follow only once the parts of the month are committed: were they made and the transaction undone, the
-- sequence would stay, and no row find its part.
CREATE FUNCTION potline_turn_month(to_month date) RETURNS boolean
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
    PERFORM pg_advisory_xact_lock(hashtext('potline_turn_month'));
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

-- Whether a part that is there holds this value: months of before a table was divided are in its first part.
CREATE FUNCTION months.is_covered(of_parent text, value text) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    high text;
BEGIN
    SELECT substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''([^'']*)''\)') INTO high FROM pg_class c
        WHERE c.oid = to_regclass(format('months.%I', of_parent || '_earlier')) AND c.relispartition;
    RETURN CASE WHEN high IS NULL THEN false WHEN high ~ '^\d+$' THEN value::bigint < high::bigint
        ELSE value::timestamptz < high::timestamptz END;
END
$$;

REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA months FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION potline_turn_month(date) FROM PUBLIC;
