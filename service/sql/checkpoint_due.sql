-- Clubs with sessions, whose last checkpoint is older than a moment.
SELECT c.club_id::text
FROM boston.clubs AS c
WHERE EXISTS (SELECT FROM boston.sessions AS s WHERE s.club_id = c.club_id)
    AND NOT EXISTS (SELECT FROM boston.checkpoints AS k WHERE k.club_id = c.club_id AND k.made_at > %(since)s)
