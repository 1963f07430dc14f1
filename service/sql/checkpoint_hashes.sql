-- The hashes of a session's events up to a version, in order.
SELECT hash FROM boston.events
WHERE session_id = %(session)s::uuid AND version <= %(upto)s::integer
ORDER BY version
