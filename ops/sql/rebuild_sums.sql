-- The chairs, the pool and what was issued cancel out in every session, and a divided pool is empty.
SELECT l.session_id::text, sum(l.n + l.e + l.s + l.w + l.pool + l.issued) + sum(l.pool) FILTER (WHERE s.final IS NOT NULL)
FROM facts_next.ledger AS l
JOIN LATERAL (SELECT f.final FROM facts.sessions AS f WHERE f.session_id = l.session_id) AS s ON true
GROUP BY l.session_id
HAVING sum(l.n + l.e + l.s + l.w + l.pool + l.issued) <> 0
    OR coalesce(sum(l.pool) FILTER (WHERE s.final IS NOT NULL), 0) <> 0
