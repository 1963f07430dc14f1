SELECT session_id::text, date::text FROM facts.sessions
WHERE club_id = %(club)s::uuid
    AND (%(ruleset)s::text IS NULL OR ruleset = %(ruleset)s::text)
    AND (%(since)s::date IS NULL OR date >= %(since)s::date)
    AND (%(until)s::date IS NULL OR date <= %(until)s::date)
    AND (%(table)s::text IS NULL OR table_name = %(table)s::text)
    AND (%(void)s::boolean OR NOT void)
ORDER BY date, session_id
