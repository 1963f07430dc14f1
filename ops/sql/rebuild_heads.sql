SELECT session_id::text, version FROM boston.sessions
