-- Holds up the steps of all tables until the transaction ends, once those that are being stored are: a new line of the
-- server's time begins (jackpots.server_clock). Every step locks its log's row, which this lock waits for; no step has a
-- lock more for it. It waits for three seconds: who holds a row for longer is not waited for, and what he has read by
-- the old line is refused when it is stored. Without `wait` it takes the lock only if it is free.
-- Installed by a migration: a change is a new file (hold_table_logs_2.sql) and a new migration.
CREATE FUNCTION potline_hold_table_logs(wait boolean) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '3s' AS $$
BEGIN
    IF wait THEN
        LOCK TABLE public.jackpots_tablelog IN EXCLUSIVE MODE;
    ELSE
        LOCK TABLE public.jackpots_tablelog IN EXCLUSIVE MODE NOWAIT;
    END IF;
    RETURN true;
EXCEPTION WHEN lock_not_available THEN
    RETURN false;
END
$$;
REVOKE EXECUTE ON FUNCTION potline_hold_table_logs(boolean) FROM PUBLIC;
