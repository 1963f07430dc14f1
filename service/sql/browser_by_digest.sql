-- Who a browser's cookie speaks for: the key it signed in under, as long as both are in force.
SELECT k.key_id::text, k.club_id::text, k.role, k.name, k.player_id::text AS player_id, b.csrf
FROM boston.browser_sessions AS b
JOIN boston.keys AS k USING (key_id)
WHERE b.digest = %(digest)s AND b.ended_at IS NULL AND b.expires_at > %(now)s AND k.revoked_at IS NULL
