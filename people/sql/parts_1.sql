-- How long a session of each part (web, worker, signs) may be in others' way, and who ends it. A role can set its own
-- settings back, so they are no guard; these limits are the owner's, and `grant_app_role` writes them.
-- Installed by a migration: a change is a new file (parts_2.sql) and a new migration.

CREATE SCHEMA parts;
REVOKE ALL ON SCHEMA parts FROM PUBLIC;

CREATE TABLE parts.limits (
    role text PRIMARY KEY,
    writing_s int NOT NULL CHECK (writing_s > 0), -- a transaction that writes, locks rows or makes others wait
    open_s int NOT NULL CHECK (open_s > 0), -- any transaction: one that only reads may take long
    advisory boolean NOT NULL -- whether it may hold advisory locks at all
);

-- Ends what is above its part's limit, and says so. Also says for which roles it cannot (`ended` is false then, without
-- a session). It takes the rights of its owner: a member of the roles, or of pg_read_all_stats and pg_signal_backend.
CREATE FUNCTION potline_end_overlong(OUT role text, OUT session int, OUT seconds int, OUT what text, OUT ended boolean)
RETURNS SETOF record
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    one record;
BEGIN
    FOR role IN SELECT l.role FROM parts.limits l JOIN pg_roles r ON r.rolname = l.role
        WHERE NOT pg_has_role(r.oid, 'USAGE')
            AND NOT (pg_has_role('pg_read_all_stats', 'USAGE') AND pg_has_role('pg_signal_backend', 'USAGE'))
    LOOP
        what := 'blind';
        ended := false;
        RETURN NEXT;
    END LOOP;
    FOR one IN
        WITH awaited AS MATERIALIZED (
            SELECT DISTINCT unnest(pg_blocking_pids(w.pid)) AS pid FROM pg_locks w WHERE NOT w.granted
        ), advisory AS MATERIALIZED (
            SELECT DISTINCT k.pid FROM pg_locks k WHERE k.locktype = 'advisory' AND k.granted
        )
        SELECT l.role, a.pid, extract(epoch FROM clock_timestamp() - a.xact_start)::int AS seconds,
            CASE
                WHEN NOT l.advisory AND a.pid IN (SELECT v.pid FROM advisory v) THEN 'advisory lock'
                WHEN a.xact_start < clock_timestamp() - make_interval(secs => l.writing_s)
                    AND (a.backend_xid IS NOT NULL OR a.pid IN (SELECT w.pid FROM awaited w)) THEN 'in the way'
                WHEN a.xact_start < clock_timestamp() - make_interval(secs => l.open_s) THEN 'open'
            END AS what
        FROM pg_stat_activity a JOIN parts.limits l ON l.role = a.usename
        WHERE a.datname = current_database() AND a.pid <> pg_backend_pid()
    LOOP
        CONTINUE WHEN one.what IS NULL;
        role := one.role;
        session := one.pid;
        seconds := coalesce(one.seconds, 0);
        what := one.what;
        ended := pg_terminate_backend(one.pid);
        RETURN NEXT;
    END LOOP;
END
$$;
REVOKE EXECUTE ON FUNCTION potline_end_overlong() FROM PUBLIC;
