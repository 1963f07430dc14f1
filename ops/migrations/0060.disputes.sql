-- The disputes, as rows of a projection like the others, and what a director has yet to look at.

CREATE TABLE facts.disputes (
    session_id uuid NOT NULL,
    number integer NOT NULL,
    club_id uuid NOT NULL,
    date date NOT NULL,
    version integer NOT NULL,
    line integer NOT NULL,
    raised_by text NOT NULL,
    about text NOT NULL,
    target integer,
    reason text NOT NULL,
    state text NOT NULL,
    resolved integer,
    void boolean NOT NULL,
    PRIMARY KEY (session_id, number)
);

COMMENT ON COLUMN facts.disputes.reason IS 'The digest of a text, which can be erased.';

CREATE INDEX disputes_by_club ON facts.disputes (club_id, date, session_id, number);
CREATE INDEX disputes_open ON facts.disputes (club_id, date, session_id, number) WHERE state = 'open' AND NOT void;
CREATE INDEX findings_open ON facts.findings (club_id, date, session_id, number)
    WHERE acknowledged IS NULL AND NOT void;

GRANT SELECT, INSERT, DELETE ON facts.disputes TO boston_service;

-- Turns rows of sessions into others: for each table the keys that are gone, then the new rows. It is
-- called inside the append's transaction and asks nothing of its own accord.
CREATE OR REPLACE FUNCTION facts.write(changes jsonb) RETURNS void LANGUAGE plpgsql AS $$
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
    part := changes -> 'disputes';
    IF part IS NOT NULL THEN
        DELETE FROM facts.disputes AS f
        USING jsonb_to_recordset(part -> 'gone') AS g (session_id uuid, number integer)
        WHERE (f.session_id, f.number) = (g.session_id, g.number);
        INSERT INTO facts.disputes SELECT r.* FROM jsonb_populate_recordset(NULL::facts.disputes, part -> 'rows') AS r;
    END IF;
END
$$;
