INSERT INTO reference_events (session_id, version, entry, entry_id, type, recorded_at, body, hash)
VALUES (%s, %s, %s, %s, %s, %s, %b, %b)
