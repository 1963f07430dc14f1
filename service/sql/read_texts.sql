SELECT digest, salt, text FROM boston.texts WHERE session_id = %(session)s::uuid
