-- What a club signs: its keys, its checkpoints, and the heads that each of them covers. See service/proof.

CREATE TABLE boston.signing_keys (
    club_id uuid NOT NULL,
    number integer NOT NULL CHECK (number >= 1),
    statement text NOT NULL,
    PRIMARY KEY (club_id, number)
);

COMMENT ON TABLE boston.signing_keys IS 'The public keys of clubs, each in a statement signed by the key before it.';

-- Apart from everything that is read for somebody: no export and no answer ever touches this table, and a key that
-- was replaced is deleted from it.
CREATE TABLE boston.signing_secrets (
    club_id uuid PRIMARY KEY,
    number integer NOT NULL,
    secret bytea NOT NULL CHECK (octet_length(secret) = 32)
);

REVOKE ALL ON boston.signing_secrets FROM PUBLIC;

CREATE TABLE boston.checkpoints (
    club_id uuid NOT NULL,
    number integer NOT NULL CHECK (number >= 1),
    made_at timestamptz NOT NULL,
    statement text NOT NULL,
    PRIMARY KEY (club_id, number)
);

-- A head is written with the first checkpoint that covers it; of each session a checkpoint covers the last one up
-- to its own number.
CREATE TABLE boston.checkpoint_heads (
    session_id uuid NOT NULL,
    number integer NOT NULL,
    club_id uuid NOT NULL,
    version integer NOT NULL,
    hash bytea NOT NULL,
    events bytea NOT NULL,
    PRIMARY KEY (session_id, number)
);

CREATE INDEX checkpoint_heads_by_club ON boston.checkpoint_heads (club_id, session_id, number);

COMMENT ON COLUMN boston.checkpoint_heads.events IS 'The root of the Merkle tree over the hashes of the session''s events.';

GRANT SELECT, INSERT ON boston.signing_keys TO boston_service;
GRANT SELECT, INSERT, DELETE ON boston.signing_secrets TO boston_service;
GRANT SELECT, INSERT ON boston.checkpoints TO boston_service;
GRANT SELECT, INSERT ON boston.checkpoint_heads TO boston_service;

DO $$
DECLARE
    kept text;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
        FOREACH kept IN ARRAY ARRAY['signing_keys', 'checkpoints', 'checkpoint_heads'] LOOP
            EXECUTE format(
                'CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON boston.%I
                 FOR EACH STATEMENT EXECUTE FUNCTION boston.refuse_change()', kept
            );
        END LOOP;
    END IF;
END
$$;
