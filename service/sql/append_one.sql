-- One event onto one stream: the head moves from the version and hash it had, or nothing happens.
-- The hash is compared too, so that a stream restored from an older copy never forks unnoticed;
-- the primary key of events is the second guard of the version.
WITH moved AS (
    UPDATE boston.sessions
    SET version = %(version)s::integer, hash = %(hash)b, entries = %(entry)s::integer,
        phase = %(phase)s::text, changed_at = %(at)s::timestamptz
    WHERE session_id = %(session)s::uuid AND version = %(base)s::integer AND hash = %(base_hash)b AND voided_at IS NULL
    RETURNING session_id
)
INSERT INTO boston.events (session_id, version, entry, entry_id, type, recorded_at, body, hash)
SELECT
    session_id, %(version)s::integer, %(entry)s::integer, %(entry_id)s::text, %(type)s::text,
    %(at)s::timestamptz, %(body)b, %(hash)b
FROM moved
