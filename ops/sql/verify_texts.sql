-- Texts that are not what their digest says.
SELECT session_id::text, digest
FROM boston.texts
WHERE text IS NOT NULL AND digest <> 'sha256:' || encode(sha256(salt || convert_to(text, 'UTF8')), 'hex')
    AND (%(session)s::uuid IS NULL OR session_id = %(session)s::uuid)
ORDER BY session_id, digest
