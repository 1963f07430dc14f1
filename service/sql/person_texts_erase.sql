-- Erases texts: those of `anywhere` wherever they stand in the club, those of `nearby` in sessions where the person sat.
WITH own AS (
    SELECT s.session_id, s.void_reason, EXISTS (
        SELECT FROM facts.session_players AS p
        WHERE p.club_id = s.club_id AND p.session_id = s.session_id AND p.player_id = ANY (%(ids)s::uuid[])
    ) AS sat
    FROM boston.sessions AS s
    WHERE s.club_id = %(club)s::uuid
), texts AS (
    UPDATE boston.texts AS t SET text = NULL, salt = NULL, erased_at = %(now)s::timestamptz
    FROM own
    WHERE own.session_id = t.session_id
      AND (t.text = ANY (%(anywhere)s::text[]) OR own.sat AND t.text = ANY (%(nearby)s::text[]))
    RETURNING t.session_id
), leases AS (
    UPDATE boston.leases AS l SET device = '(erased)'
    FROM own
    WHERE own.session_id = l.session_id
      AND (l.device = ANY (%(anywhere)s::text[]) OR own.sat AND l.device = ANY (%(nearby)s::text[]))
), takings AS (
    UPDATE boston.lease_takings AS l SET device = '(erased)'
    FROM own
    WHERE own.session_id = l.session_id
      AND (l.device = ANY (%(anywhere)s::text[]) OR own.sat AND l.device = ANY (%(nearby)s::text[]))
), keys AS (
    UPDATE boston.keys SET name = '(erased)'
    WHERE club_id = %(club)s::uuid AND name = ANY (%(anywhere)s::text[])
), pairings AS (
    UPDATE boston.pairings SET name = '(erased)'
    WHERE club_id = %(club)s::uuid AND name = ANY (%(anywhere)s::text[])
), voided AS (
    SELECT session_id FROM own
    WHERE void_reason = ANY (%(anywhere)s::text[]) OR sat AND void_reason = ANY (%(nearby)s::text[])
), touched AS (
    UPDATE boston.sessions AS s SET
        erasures = s.erasures + 1,
        void_reason = CASE WHEN s.session_id IN (SELECT session_id FROM voided) THEN '(erased)' ELSE s.void_reason END
    WHERE s.session_id IN (SELECT session_id FROM texts UNION SELECT session_id FROM voided)
)
SELECT (SELECT count(*) FROM texts) + (SELECT count(*) FROM voided) AS count
