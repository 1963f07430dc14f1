-- Any number of events onto any number of streams, each all or nothing: a stream whose head
-- has moved on is left out and not among the answers. Each session stands in it once.
WITH moved AS (
    UPDATE boston.sessions AS s
    SET version = m.version, hash = m.hash, entries = m.entries, phase = m.phase, changed_at = m.at
    FROM unnest(
        %(sessions)b::uuid[], %(bases)b::integer[], %(base_hashes)b::bytea[], %(heads)b::integer[],
        %(head_hashes)b::bytea[], %(head_entries)b::integer[], %(phases)b::text[], %(times)b::timestamptz[]
    ) AS m (session_id, base, base_hash, version, hash, entries, phase, at)
    WHERE s.session_id = m.session_id AND s.version = m.base AND s.hash = m.base_hash
    RETURNING s.session_id
), written AS (
    INSERT INTO boston.events (session_id, version, entry, entry_id, type, recorded_at, body, hash)
    SELECT e.*
    FROM unnest(
        %(event_sessions)b::uuid[], %(versions)b::integer[], %(entries)b::integer[], %(entry_ids)b::text[],
        %(types)b::text[], %(event_times)b::timestamptz[], %(bodies)b::bytea[], %(hashes)b::bytea[]
    ) AS e (session_id, version, entry, entry_id, type, at, body, hash)
    JOIN moved USING (session_id)
)
SELECT session_id::text FROM moved
