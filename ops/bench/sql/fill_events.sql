COPY boston.events (session_id, version, entry, entry_id, type, recorded_at, body, hash) FROM STDIN (FORMAT BINARY)
