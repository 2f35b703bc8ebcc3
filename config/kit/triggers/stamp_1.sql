-- The stamp of a row that goes under a seal: the epoch of the database in the upper bits, the number of the
-- transaction (xid8) in the lower 48. Its body is parsed when it is made, so that no search path leads it astray, and
-- a planner inlines it. `manage.py adopt_database` makes it anew for a new epoch.
CREATE FUNCTION potline_stamp(xact xid8) RETURNS bigint
    LANGUAGE sql STABLE PARALLEL SAFE RETURN xact::text::bigint;
