-- A page of a club's sessions, the latest evening first, each with who sat from N clockwise in its last deal.
SELECT s.session_id::text, s.version, s.date::text AS date, s.ruleset, s.table_name AS table, s.phase, s.entries,
    s.opened_at, s.changed_at, s.voided_at IS NOT NULL AS voided, f.players::text[] AS players
FROM boston.sessions AS s
LEFT JOIN facts.sessions AS f USING (session_id)
WHERE s.club_id = %(club)s::uuid
  AND (%(from)s::date IS NULL OR s.date >= %(from)s::date)
  AND (%(to)s::date IS NULL OR s.date <= %(to)s::date)
  AND (%(in_play)s::boolean IS NULL
       OR (s.phase NOT IN ('closed', 'ended', 'abandoned') AND s.voided_at IS NULL) = %(in_play)s::boolean)
  AND (%(player)s::uuid IS NULL OR EXISTS (
        SELECT FROM facts.session_players AS p
        WHERE p.club_id = s.club_id AND p.player_id = %(player)s::uuid AND p.session_id = s.session_id))
  AND (s.date, s.session_id) < (%(before_date)s::date, %(before_id)s::uuid)
ORDER BY s.date DESC, s.session_id DESC
LIMIT %(limit)s
