INSERT INTO boston.texts (session_id, digest, salt, text)
SELECT %(session)s::uuid, t.* FROM unnest(%(digests)b::text[], %(salts)b::bytea[], %(texts)b::text[]) AS t
ON CONFLICT (session_id, digest) DO NOTHING
