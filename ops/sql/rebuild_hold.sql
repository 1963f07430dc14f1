-- Waits for appends under way to these sessions, and keeps others off until the end of the transaction.
SELECT FROM boston.sessions WHERE session_id = ANY (%s::uuid[]) ORDER BY session_id FOR SHARE
