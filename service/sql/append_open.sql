-- A new stream with its first events; nothing happens where the session is already there.
WITH opened AS (
    INSERT INTO boston.sessions (
        session_id, club_id, version, hash, entries, phase, date, ruleset, table_name, digest, opened_at, changed_at
    )
    VALUES (
        %(session)s::uuid, %(club)s::uuid, %(version)s::integer, %(hash)b, %(entry)s::integer, %(phase)s::text,
        %(date)s::date, %(ruleset)s::text, %(table)s::text, %(digest)b::bytea, %(at)s::timestamptz, %(at)s::timestamptz
    )
    ON CONFLICT (session_id) DO NOTHING
    RETURNING session_id
)
INSERT INTO boston.events (session_id, version, entry, entry_id, type, recorded_at, body, hash)
SELECT opened.session_id, e.*
FROM unnest(
    %(versions)b::integer[], %(entries)b::integer[], %(entry_ids)b::text[], %(types)b::text[],
    %(event_times)b::timestamptz[], %(bodies)b::bytea[], %(hashes)b::bytea[]
) AS e
CROSS JOIN opened
