-- Taking needs saying so, unless nobody records, the holder was not seen for a while, or the holder asks again.
-- A taking is noted for good; a heartbeat is not.
WITH held AS (
    INSERT INTO boston.leases AS l (session_id, key_id, device, taken_at, seen_at)
    VALUES (%(session)s::uuid, %(key)s::uuid, %(device)s, %(now)s, %(now)s)
    ON CONFLICT (session_id) DO UPDATE
    SET key_id = excluded.key_id, device = coalesce(excluded.device, l.device), seen_at = excluded.seen_at,
        taken_at = CASE
            WHEN l.key_id = excluded.key_id
                AND (l.device IS NULL OR excluded.device IS NULL OR l.device = excluded.device) THEN l.taken_at
            ELSE excluded.taken_at
        END
    WHERE %(take)s OR l.seen_at < %(stale)s
       OR (l.key_id = excluded.key_id
           AND (l.device IS NULL OR excluded.device IS NULL OR l.device = excluded.device))
    RETURNING session_id, key_id, device, taken_at, seen_at
), noted AS (
    INSERT INTO boston.lease_takings (session_id, taken_at, key_id, device)
    SELECT session_id, taken_at, key_id, device FROM held WHERE taken_at = %(now)s
    ON CONFLICT DO NOTHING
)
SELECT key_id::text, device, taken_at, seen_at FROM held
