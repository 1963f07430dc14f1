-- The club's sessions that have moved on since a checkpoint: where they stood then, and where they stand now.
SELECT s.session_id::text, s.version, s.hash, h.version AS was_version, h.hash AS was_hash
FROM boston.sessions AS s
LEFT JOIN LATERAL (
    SELECT c.version, c.hash
    FROM boston.checkpoint_heads AS c
    WHERE c.session_id = s.session_id
    ORDER BY c.number DESC
    LIMIT 1
) AS h ON true
WHERE s.club_id = %(club)s::uuid AND (h.version IS NULL OR h.version <> s.version OR h.hash <> s.hash)
ORDER BY s.session_id
