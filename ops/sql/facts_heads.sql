SELECT session_id::text, club_id::text, voided_at IS NOT NULL FROM boston.sessions WHERE session_id = ANY (%s::uuid[])
