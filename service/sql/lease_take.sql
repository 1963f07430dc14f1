-- Taking needs saying so, unless nobody records, the holder was not seen for a while, or the holder asks again.
INSERT INTO boston.leases AS l (session_id, key_id, device, taken_at, seen_at)
VALUES (%(session)s::uuid, %(key)s::uuid, %(device)s, %(now)s, %(now)s)
ON CONFLICT (session_id) DO UPDATE
SET key_id = excluded.key_id, device = excluded.device, seen_at = excluded.seen_at,
    taken_at = CASE
        WHEN l.key_id = excluded.key_id AND l.device IS NOT DISTINCT FROM excluded.device THEN l.taken_at
        ELSE excluded.taken_at
    END
WHERE %(take)s OR l.seen_at < %(stale)s
   OR (l.key_id = excluded.key_id AND l.device IS NOT DISTINCT FROM excluded.device)
RETURNING key_id::text, device, taken_at, seen_at
