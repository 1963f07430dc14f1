-- Every event of one session (or of all) whose hash is not that of the event before and its body,
-- or whose version leaves a gap. No row: the chains hold. The server's own sha256 is all it takes.
SELECT session_id::text, version
FROM (
    SELECT
        session_id, version, hash,
        sha256(coalesce(lag(hash) OVER stream, decode(repeat('00', 32), 'hex')) || body) AS expected,
        coalesce(lag(version) OVER stream, 0) + 1 AS expected_version
    FROM boston.events
    WHERE %(session)s::uuid IS NULL OR session_id = %(session)s::uuid
    WINDOW stream AS (PARTITION BY session_id ORDER BY version)
) AS chained
WHERE hash <> expected OR version <> expected_version
ORDER BY session_id, version
