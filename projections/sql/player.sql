-- All figures of one person in one reading of that person's parts in deals.
WITH mine AS MATERIALIZED (
    SELECT
        session_id, place, date, deal, dealt, role, counts, outcome, contract, shortfall, money, pool_money, tricks, highest,
        bids, passes, reentries, conceded, irregular, revoked
    FROM facts.parts(
        %(club)s::uuid, %(players)s::uuid[], %(ruleset)s::text, %(since)s::date, %(until)s::date, %(seat)s::text,
        %(role)s::text, %(contract)s::text, %(against)s::uuid[], %(evidence)s::text, %(table)s::text
    )
), counted AS (
    SELECT * FROM mine WHERE counts
), bid AS MATERIALIZED (
    SELECT bid, count(*) AS calls
    FROM mine, unnest(bids) AS bid
    WHERE bids <> '{}'
    GROUP BY bid
), evening AS MATERIALIZED (
    SELECT s.session_id, min(s.date) AS date, sum(s.money) AS money, bool_or(s.won) AS won, bool_or(s.shared) AS shared
    FROM facts.session_players AS s
    JOIN (SELECT DISTINCT session_id FROM counted) AS sat USING (session_id)
    WHERE s.player_id = ANY (%(players)s::uuid[])
    GROUP BY s.session_id
), runs AS (
    -- Deals won or lost one after another; the runs are numbered in their order.
    SELECT way, run, count(*) AS deals
    FROM (
        SELECT way, count(*) FILTER (WHERE begins) OVER (ORDER BY date, session_id, place ROWS UNBOUNDED PRECEDING) AS run
        FROM (
            SELECT
                date, session_id, place, sign(money) AS way,
                sign(money) IS DISTINCT FROM lag(sign(money)) OVER (ORDER BY date, session_id, place) AS begins
            FROM counted
        ) AS changing
    ) AS numbered
    GROUP BY way, run
)
SELECT
    (
        SELECT coalesce(jsonb_agg(to_jsonb(g)), '[]')
        FROM (
            SELECT
                role,
                contract,
                grouping(role, contract) AS level,
                count(*) AS deals,
                count(*) FILTER (WHERE outcome = 'made') AS made,
                count(*) FILTER (WHERE outcome = 'failed') AS failed,
                coalesce(sum(shortfall), 0) AS shortfall,
                coalesce(sum(shortfall * shortfall), 0) AS shortfall_squares,
                coalesce(sum(money), 0) AS money,
                coalesce(sum(money::bigint * money), 0) AS money_squares,
                coalesce(sum(tricks), 0) AS tricks,
                coalesce(sum(tricks * tricks), 0) AS tricks_squares,
                count(tricks) AS tricks_known,
                count(*) FILTER (WHERE highest) AS highest,
                count(*) FILTER (WHERE pool_money > 0) AS pools_taken,
                coalesce(sum(pool_money) FILTER (WHERE pool_money > 0), 0) AS pool_won,
                count(*) FILTER (WHERE pool_money < 0) AS pools_doubled,
                coalesce(-sum(pool_money) FILTER (WHERE pool_money < 0), 0) AS pool_paid,
                count(*) FILTER (WHERE conceded) AS concessions,
                coalesce(sum(irregular), 0) AS irregularities,
                count(*) FILTER (WHERE revoked) AS revokes
            FROM counted
            GROUP BY GROUPING SETS ((), (role), (role, contract))
        ) AS g
    ) AS groups,
    (
        SELECT coalesce(jsonb_object_agg(contract, calls), '{}')
        FROM (
            SELECT split_part(bid, '/', 1) AS contract, sum(calls) AS calls FROM bid GROUP BY split_part(bid, '/', 1)
        ) AS b
    ) AS calls,
    (
        SELECT to_jsonb(t)
        FROM (
            SELECT
                coalesce(sum(passes), 0) AS passes,
                coalesce(sum(passes), 0) + (SELECT coalesce(sum(calls), 0) FROM bid) AS turns,
                coalesce(sum(reentries), 0) AS reentries,
                (SELECT coalesce(sum(calls), 0) FROM bid WHERE bid LIKE '%%/2') AS keeps,
                (SELECT coalesce(sum(calls), 0) FROM bid WHERE bid LIKE '%%/1') AS keeps_over,
                count(*) FILTER (WHERE outcome = 'misdeal' AND dealt) AS misdeals,
                count(*) FILTER (WHERE outcome = 'thrown_in') AS thrown_in,
                count(*) FILTER (WHERE outcome = 'cancelled') AS cancelled
            FROM mine
        ) AS t
    ) AS turns,
    (
        SELECT to_jsonb(t)
        FROM (
            SELECT
                count(*) AS sessions,
                count(*) FILTER (WHERE won) AS won,
                count(*) FILTER (WHERE shared) AS shared,
                trim_scale(coalesce(sum(money), 0)) AS money,
                trim_scale(coalesce(sum(money * money), 0)) AS money_squares
            FROM evening
        ) AS t
    ) AS evenings,
    (
        SELECT to_jsonb(t)
        FROM (
            SELECT session_id, date, trim_scale(money) AS money FROM evening ORDER BY evening.money DESC, date, session_id LIMIT 1
        ) AS t
    ) AS best_evening,
    (
        SELECT to_jsonb(t)
        FROM (
            SELECT session_id, date, trim_scale(money) AS money FROM evening ORDER BY evening.money, date, session_id LIMIT 1
        ) AS t
    ) AS worst_evening,
    (
        SELECT to_jsonb(t)
        FROM (
            SELECT session_id, date, place, deal, role, contract, money FROM counted
            ORDER BY money DESC, date, session_id, place LIMIT 1
        ) AS t
    ) AS best_deal,
    (
        SELECT to_jsonb(t)
        FROM (
            SELECT session_id, date, place, deal, role, contract, money FROM counted
            ORDER BY money, date, session_id, place LIMIT 1
        ) AS t
    ) AS worst_deal,
    (
        SELECT jsonb_build_object(
            'longest_winning', coalesce(max(deals) FILTER (WHERE way > 0), 0),
            'longest_losing', coalesce(max(deals) FILTER (WHERE way < 0), 0),
            'current', coalesce((array_agg(way * deals ORDER BY run DESC))[1], 0)
        )
        FROM runs
    ) AS streaks,
    now() AS at,
    (SELECT count(DISTINCT session_id) FROM mine) AS covered_sessions,
    -- A session at a time, by its key: a join would rather read the heads of the whole club.
    (
        SELECT coalesce(sum((SELECT s.version FROM boston.sessions AS s WHERE s.session_id = sat.session_id)), 0)::bigint
        FROM (SELECT DISTINCT session_id FROM mine) AS sat
    ) AS covered_events
