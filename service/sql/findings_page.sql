-- A page of a club's findings, the latest evening first, each with who sat from N clockwise in its deal.
SELECT n.session_id::text, n.date::text AS date, s.table_name AS table, s.ruleset, n.number, n.place AS line, n.kind,
    n.rule, n.seat, n.cards, n.entries, n.text, n.acknowledged, n.published,
    coalesce(f.players, s.players)::text[] AS players
FROM facts.findings AS n
JOIN facts.sessions AS s USING (session_id)
LEFT JOIN facts.deals AS f ON f.session_id = n.session_id AND f.place = n.place
WHERE n.club_id = %(club)s::uuid AND NOT n.void
  AND CASE %(state)s::text
        WHEN 'open' THEN n.acknowledged IS NULL
        WHEN 'acknowledged' THEN n.acknowledged IS NOT NULL
        WHEN 'published' THEN n.published
        ELSE true
      END
  AND (n.date, n.session_id, n.number) < (%(before_date)s::date, %(before_id)s::uuid, %(before_number)s::integer)
ORDER BY n.date DESC, n.session_id DESC, n.number DESC
LIMIT %(limit)s
