-- Whose turn it is: what is done one after another, by a row instead of an advisory lock. Whoever takes a turn needs the
-- right to change the row; any role may take any advisory lock.
-- Installed by a migration: a change is a new file (turns_2.sql) and a new migration.

-- Takes the turn until the caller's transaction ends. Not `waits`: false where somebody has it.
CREATE FUNCTION potline_take_turn(of_name text, waits boolean DEFAULT true) RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    LOOP
        IF waits THEN
            PERFORM FROM people_turn t WHERE t.name = of_name FOR UPDATE;
        ELSE
            PERFORM FROM people_turn t WHERE t.name = of_name FOR UPDATE SKIP LOCKED;
        END IF;
        IF FOUND THEN
            RETURN true;
        END IF;
        IF NOT waits AND EXISTS (SELECT FROM people_turn t WHERE t.name = of_name) THEN
            RETURN false;
        END IF;
        INSERT INTO people_turn (name) VALUES (of_name) ON CONFLICT DO NOTHING;
    END LOOP;
END
$$;
