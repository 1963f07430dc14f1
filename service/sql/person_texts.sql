-- Everything that was ever written down in free words in a club, once each; `sat` says that it was of a session in
-- which the person sat.
WITH own AS (
    SELECT s.session_id, s.void_reason, EXISTS (
        SELECT FROM facts.session_players AS p
        WHERE p.club_id = s.club_id AND p.session_id = s.session_id AND p.player_id = ANY (%(ids)s::uuid[])
    ) AS sat
    FROM boston.sessions AS s
    WHERE s.club_id = %(club)s::uuid
)
SELECT t.text, own.sat FROM boston.texts AS t JOIN own USING (session_id) WHERE t.text IS NOT NULL
UNION
SELECT void_reason, sat FROM own WHERE void_reason IS NOT NULL
UNION
SELECT l.device, own.sat FROM boston.leases AS l JOIN own USING (session_id) WHERE l.device IS NOT NULL
UNION
SELECT t.device, own.sat FROM boston.lease_takings AS t JOIN own USING (session_id) WHERE t.device IS NOT NULL
UNION
SELECT k.name, false FROM boston.keys AS k WHERE k.club_id = %(club)s::uuid
UNION
SELECT p.name, false FROM boston.pairings AS p WHERE p.club_id = %(club)s::uuid
