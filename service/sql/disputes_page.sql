-- A page of a club's disputes, the latest evening first, each with who sat from N clockwise in its deal.
SELECT d.session_id::text, d.date::text AS date, s.table_name AS table, s.ruleset, d.number, d.line, d.raised_by AS by,
    d.about, d.target, d.reason, t.text AS said, d.state, d.resolved,
    coalesce(f.players, s.players)::text[] AS players
FROM facts.disputes AS d
JOIN facts.sessions AS s USING (session_id)
LEFT JOIN facts.deals AS f ON f.session_id = d.session_id AND f.place = d.line
LEFT JOIN boston.texts AS t ON t.session_id = d.session_id AND t.digest = d.reason
WHERE d.club_id = %(club)s::uuid AND NOT d.void
  AND CASE %(state)s::text
        WHEN 'open' THEN d.state = 'open'
        WHEN 'withdrawn' THEN d.state = 'withdrawn'
        WHEN 'ruled' THEN d.state NOT IN ('open', 'withdrawn')
        ELSE true
      END
  AND (d.date, d.session_id, d.number) < (%(before_date)s::date, %(before_id)s::uuid, %(before_number)s::integer)
ORDER BY d.date DESC, d.session_id DESC, d.number DESC
LIMIT %(limit)s
