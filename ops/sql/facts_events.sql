SELECT session_id::text, body FROM boston.events WHERE session_id = ANY (%s::uuid[]) ORDER BY session_id, version
