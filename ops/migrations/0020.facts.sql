-- The rows of the projections, in a schema of their own: they are computed from the log and can
-- be thrown away and computed again. session_id comes first in every key. `place` numbers all deals of a
-- session, misdeals and void ones included, `deal` is the number at the table; arrays by seat are clockwise from N.
-- club_id, date and `void` stand in every row, so that no statistic has to join.

CREATE SCHEMA facts;
CREATE SCHEMA facts_next;

COMMENT ON SCHEMA facts_next IS 'The second set of tables, which a rebuild fills before it takes the place of the first.';

CREATE TABLE facts.sessions (
    session_id uuid PRIMARY KEY,
    club_id uuid NOT NULL,
    date date NOT NULL,
    ruleset text NOT NULL,
    table_name text,
    status text NOT NULL,
    players uuid[] NOT NULL,
    deals integer NOT NULL,
    places integer NOT NULL,
    misdeals integer NOT NULL,
    start integer NOT NULL,
    largest_pool integer NOT NULL,
    final numeric(12, 1)[],
    winners text[] NOT NULL,
    findings integer NOT NULL,
    digest text NOT NULL,
    void boolean NOT NULL
);

CREATE INDEX sessions_by_club ON facts.sessions (club_id, date, session_id);

CREATE TABLE facts.session_players (
    session_id uuid NOT NULL,
    player_id uuid NOT NULL,
    club_id uuid NOT NULL,
    date date NOT NULL,
    ruleset text NOT NULL,
    table_name text,
    status text NOT NULL,
    seats text[] NOT NULL,
    deals integer NOT NULL,
    money numeric(12, 1) NOT NULL,
    final numeric(12, 1),
    won boolean NOT NULL,
    shared boolean NOT NULL,
    void boolean NOT NULL,
    PRIMARY KEY (session_id, player_id)
);

CREATE INDEX session_players_by_player ON facts.session_players (club_id, player_id, date, session_id);

CREATE TABLE facts.deals (
    session_id uuid NOT NULL,
    place integer NOT NULL,
    club_id uuid NOT NULL,
    date date NOT NULL,
    ruleset text NOT NULL,
    table_name text,
    deal integer NOT NULL,
    players uuid[] NOT NULL,
    dealer text NOT NULL,
    counts boolean NOT NULL,
    outcome text NOT NULL,
    contract text,
    preference text,
    caller text,
    trumps text,
    trump_class text,
    first_suit text,
    second_suit text,
    calls text[] NOT NULL,
    plays text[] NOT NULL,
    tricks integer[],
    shortfall integer NOT NULL,
    conceded boolean NOT NULL,
    conceders text[] NOT NULL,
    revoker text,
    price integer NOT NULL,
    pool_paid integer NOT NULL,
    rule integer,
    deltas integer[],
    balances integer[] NOT NULL,
    pool integer[] NOT NULL,
    evidence text NOT NULL,
    findings integer NOT NULL,
    first_entry integer NOT NULL,
    last_entry integer NOT NULL,
    version integer NOT NULL,
    began_at timestamptz NOT NULL,
    ended_at timestamptz NOT NULL,
    seconds integer,
    void boolean NOT NULL,
    PRIMARY KEY (session_id, place)
);

COMMENT ON COLUMN facts.deals.evidence IS
    'cards: seen card by card as far as it went; partial: the recorder lost track or some cards were not seen; result: totals alone.';

CREATE TABLE facts.deal_players (
    session_id uuid NOT NULL,
    place integer NOT NULL,
    seat text NOT NULL,
    club_id uuid NOT NULL,
    player_id uuid NOT NULL,
    date date NOT NULL,
    ruleset text NOT NULL,
    table_name text,
    deal integer NOT NULL,
    dealt boolean NOT NULL,
    role text,
    counts boolean NOT NULL,
    outcome text NOT NULL,
    contract text,
    trump_class text,
    shortfall integer NOT NULL,
    evidence text NOT NULL,
    money integer NOT NULL,
    pool_money integer NOT NULL,
    tricks integer,
    highest boolean NOT NULL,
    bids text[] NOT NULL,
    passes integer NOT NULL,
    reentries integer NOT NULL,
    conceded boolean NOT NULL,
    irregular integer NOT NULL,
    revoked boolean NOT NULL,
    opponents uuid[] NOT NULL,
    received integer[] NOT NULL,
    void boolean NOT NULL,
    PRIMARY KEY (session_id, place, seat)
);

-- A player's page reads by the first index, a club's contracts by the second.
CREATE INDEX deal_players_by_player ON facts.deal_players (club_id, player_id, date, session_id, place);
CREATE INDEX deal_players_by_caller ON facts.deal_players (club_id, date, session_id, place) WHERE role = 'caller';

CREATE TABLE facts.balances (
    session_id uuid NOT NULL,
    place integer NOT NULL,
    seat text NOT NULL,
    club_id uuid NOT NULL,
    date date NOT NULL,
    player_id uuid NOT NULL,
    deal integer NOT NULL,
    balance numeric(12, 1) NOT NULL,
    money numeric(12, 1) NOT NULL,
    void boolean NOT NULL,
    PRIMARY KEY (session_id, place, seat)
);

-- Double entry: one row a movement, its postings side by side. A movement that does not sum to zero
-- over the chairs, the pool and the account of starting balances is refused by the table itself.
CREATE TABLE facts.ledger (
    session_id uuid NOT NULL,
    number integer NOT NULL,
    club_id uuid NOT NULL,
    date date NOT NULL,
    version integer NOT NULL,
    entry integer NOT NULL,
    place integer NOT NULL,
    deal integer NOT NULL,
    kind text NOT NULL,
    reason text NOT NULL,
    seat text,
    players uuid[] NOT NULL,
    n numeric(12, 1) NOT NULL,
    e numeric(12, 1) NOT NULL,
    s numeric(12, 1) NOT NULL,
    w numeric(12, 1) NOT NULL,
    pool numeric(12, 1) NOT NULL,
    issued numeric(12, 1) NOT NULL,
    void boolean NOT NULL,
    PRIMARY KEY (session_id, number),
    CONSTRAINT movement_sums_to_zero CHECK (n + e + s + w + pool + issued = 0)
);

CREATE TABLE facts.pools (
    session_id uuid NOT NULL,
    number integer NOT NULL,
    club_id uuid NOT NULL,
    date date NOT NULL,
    ruleset text NOT NULL,
    table_name text,
    version integer NOT NULL,
    entry integer NOT NULL,
    place integer NOT NULL,
    deal integer NOT NULL,
    reason text NOT NULL,
    seat text,
    player_id uuid,
    amount numeric(12, 1) NOT NULL,
    which text,
    full_pools integer NOT NULL,
    open_pool integer NOT NULL,
    total integer NOT NULL,
    void boolean NOT NULL,
    PRIMARY KEY (session_id, number)
);

CREATE INDEX pools_by_club ON facts.pools (club_id, date, session_id, number);

CREATE TABLE facts.findings (
    session_id uuid NOT NULL,
    number integer NOT NULL,
    club_id uuid NOT NULL,
    date date NOT NULL,
    version integer NOT NULL,
    entry integer NOT NULL,
    place integer NOT NULL,
    kind text NOT NULL,
    rule integer,
    seat text,
    cards text[] NOT NULL,
    entries integer[] NOT NULL,
    text text NOT NULL,
    void boolean NOT NULL,
    PRIMARY KEY (session_id, number)
);

CREATE INDEX findings_by_club ON facts.findings (club_id, date, session_id, number);

-- Turns rows of sessions into others: for each table the keys that are gone, then the new rows. It is
-- called inside the append's transaction and asks nothing of its own accord.
CREATE FUNCTION facts.write(changes jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    part jsonb;
BEGIN
    part := changes -> 'sessions';
    IF part IS NOT NULL THEN
        DELETE FROM facts.sessions AS f
        USING jsonb_to_recordset(part -> 'gone') AS g (session_id uuid)
        WHERE f.session_id = g.session_id;
        INSERT INTO facts.sessions SELECT r.* FROM jsonb_populate_recordset(NULL::facts.sessions, part -> 'rows') AS r;
    END IF;
    part := changes -> 'session_players';
    IF part IS NOT NULL THEN
        DELETE FROM facts.session_players AS f
        USING jsonb_to_recordset(part -> 'gone') AS g (session_id uuid, player_id uuid)
        WHERE (f.session_id, f.player_id) = (g.session_id, g.player_id);
        INSERT INTO facts.session_players
        SELECT r.* FROM jsonb_populate_recordset(NULL::facts.session_players, part -> 'rows') AS r;
    END IF;
    part := changes -> 'deals';
    IF part IS NOT NULL THEN
        DELETE FROM facts.deals AS f
        USING jsonb_to_recordset(part -> 'gone') AS g (session_id uuid, place integer)
        WHERE (f.session_id, f.place) = (g.session_id, g.place);
        INSERT INTO facts.deals SELECT r.* FROM jsonb_populate_recordset(NULL::facts.deals, part -> 'rows') AS r;
    END IF;
    part := changes -> 'deal_players';
    IF part IS NOT NULL THEN
        DELETE FROM facts.deal_players AS f
        USING jsonb_to_recordset(part -> 'gone') AS g (session_id uuid, place integer, seat text)
        WHERE (f.session_id, f.place, f.seat) = (g.session_id, g.place, g.seat);
        INSERT INTO facts.deal_players
        SELECT r.* FROM jsonb_populate_recordset(NULL::facts.deal_players, part -> 'rows') AS r;
    END IF;
    part := changes -> 'balances';
    IF part IS NOT NULL THEN
        DELETE FROM facts.balances AS f
        USING jsonb_to_recordset(part -> 'gone') AS g (session_id uuid, place integer, seat text)
        WHERE (f.session_id, f.place, f.seat) = (g.session_id, g.place, g.seat);
        INSERT INTO facts.balances SELECT r.* FROM jsonb_populate_recordset(NULL::facts.balances, part -> 'rows') AS r;
    END IF;
    part := changes -> 'ledger';
    IF part IS NOT NULL THEN
        DELETE FROM facts.ledger AS f
        USING jsonb_to_recordset(part -> 'gone') AS g (session_id uuid, number integer)
        WHERE (f.session_id, f.number) = (g.session_id, g.number);
        INSERT INTO facts.ledger SELECT r.* FROM jsonb_populate_recordset(NULL::facts.ledger, part -> 'rows') AS r;
    END IF;
    part := changes -> 'pools';
    IF part IS NOT NULL THEN
        DELETE FROM facts.pools AS f
        USING jsonb_to_recordset(part -> 'gone') AS g (session_id uuid, number integer)
        WHERE (f.session_id, f.number) = (g.session_id, g.number);
        INSERT INTO facts.pools SELECT r.* FROM jsonb_populate_recordset(NULL::facts.pools, part -> 'rows') AS r;
    END IF;
    part := changes -> 'findings';
    IF part IS NOT NULL THEN
        DELETE FROM facts.findings AS f
        USING jsonb_to_recordset(part -> 'gone') AS g (session_id uuid, number integer)
        WHERE (f.session_id, f.number) = (g.session_id, g.number);
        INSERT INTO facts.findings SELECT r.* FROM jsonb_populate_recordset(NULL::facts.findings, part -> 'rows') AS r;
    END IF;
END
$$;

GRANT USAGE ON SCHEMA facts TO boston_service;
GRANT SELECT, INSERT, DELETE ON ALL TABLES IN SCHEMA facts TO boston_service;

-- Two players who turned out to be one person: `player_id` stands for `same_as` in every figure, until it is taken back.
CREATE TABLE boston.player_aliases (
    club_id uuid NOT NULL,
    player_id uuid NOT NULL,
    same_as uuid NOT NULL CHECK (same_as <> player_id),
    made_at timestamptz NOT NULL,
    made_by uuid,
    PRIMARY KEY (club_id, player_id)
);

CREATE INDEX player_aliases_by_person ON boston.player_aliases (club_id, same_as);

GRANT SELECT, INSERT, DELETE ON boston.player_aliases TO boston_service;

-- Each player's parts in deals under every filter there is; a filter that is null lets everything through.
-- All statistics read these rows, so all of them filter alike. The planner puts the body in place of the call.
CREATE FUNCTION facts.parts(
    of_club uuid, of_players uuid[], of_ruleset text, since date, until date, at_seat text, in_role text,
    of_contract text, against uuid[], seen text, at_table text
) RETURNS TABLE (
    session_id uuid, place integer, seat text, club_id uuid, player_id uuid, date date, ruleset text,
    table_name text, deal integer, dealt boolean, role text, counts boolean, outcome text, contract text,
    trump_class text, shortfall integer, evidence text, money integer, pool_money integer, tricks integer,
    highest boolean, bids text[], passes integer, reentries integer, conceded boolean, irregular integer,
    revoked boolean, opponents uuid[], received integer[]
) LANGUAGE sql STABLE AS $$
    SELECT
        p.session_id, p.place, p.seat, p.club_id, p.player_id, p.date, p.ruleset, p.table_name, p.deal, p.dealt, p.role,
        p.counts, p.outcome, p.contract, p.trump_class, p.shortfall, p.evidence, p.money, p.pool_money, p.tricks,
        p.highest, p.bids, p.passes, p.reentries, p.conceded, p.irregular, p.revoked, p.opponents, p.received
    FROM facts.deal_players AS p
    WHERE p.club_id = of_club AND NOT p.void
        AND (of_players IS NULL OR p.player_id = ANY (of_players))
        AND (of_ruleset IS NULL OR p.ruleset = of_ruleset)
        AND (since IS NULL OR p.date >= since)
        AND (until IS NULL OR p.date <= until)
        AND (at_seat IS NULL OR p.seat = at_seat)
        AND (in_role IS NULL OR p.role = in_role)
        AND (of_contract IS NULL OR p.contract = of_contract)
        AND (against IS NULL OR p.opponents && against)
        AND (seen IS NULL OR p.evidence = seen)
        AND (at_table IS NULL OR p.table_name = at_table)
$$;
