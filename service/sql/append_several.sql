-- Several events onto one stream, all or nothing; see append_one.
WITH moved AS (
    UPDATE boston.sessions
    SET version = %(version)s::integer, hash = %(hash)b, entries = %(entry)s::integer,
        phase = %(phase)s::text, changed_at = %(at)s::timestamptz
    WHERE session_id = %(session)s::uuid AND version = %(base)s::integer AND hash = %(base_hash)b AND voided_at IS NULL
    RETURNING session_id
)
INSERT INTO boston.events (session_id, version, entry, entry_id, type, recorded_at, body, hash)
SELECT moved.session_id, e.*
FROM unnest(
    %(versions)b::integer[], %(entries)b::integer[], %(entry_ids)b::text[], %(types)b::text[],
    %(event_times)b::timestamptz[], %(bodies)b::bytea[], %(hashes)b::bytea[]
) AS e
CROSS JOIN moved
