UPDATE boston.browser_sessions SET ended_at = %(now)s WHERE digest = %(digest)s AND ended_at IS NULL
