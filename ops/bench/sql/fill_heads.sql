COPY boston.sessions (
    session_id, club_id, version, hash, entries, phase, date, ruleset, opened_at, changed_at
) FROM STDIN (FORMAT BINARY)
