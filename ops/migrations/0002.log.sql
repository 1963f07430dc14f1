-- The event log: one stream per session, versions 1..n, the only truth.
--
-- session_id comes first in every key, no key spans sessions, no sequence numbers the
-- whole and nothing here needs a trigger, so the same tables can be distributed by it.

CREATE TABLE boston.sessions (
    session_id uuid PRIMARY KEY,
    club_id uuid NOT NULL,
    version integer NOT NULL CHECK (version >= 1),
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    entries integer NOT NULL CHECK (entries >= 1),
    phase text NOT NULL,
    date date NOT NULL,
    ruleset text NOT NULL,
    table_name text,
    digest bytea,
    opened_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    voided_at timestamptz,
    void_reason text
) WITH (fillfactor = 70);

COMMENT ON TABLE boston.sessions IS
    'The head of each stream. An append moves it from the version and hash it expects, or does nothing.';
COMMENT ON COLUMN boston.sessions.digest IS
    'SHA-256 of the record the session was imported from; null when it was recorded live.';

CREATE INDEX sessions_by_club ON boston.sessions (club_id, date DESC, session_id DESC);

CREATE TABLE boston.events (
    session_id uuid NOT NULL,
    version integer NOT NULL CHECK (version >= 1),
    entry integer NOT NULL CHECK (entry >= 1),
    entry_id text,
    type text NOT NULL,
    recorded_at timestamptz NOT NULL,
    body bytea NOT NULL,
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (session_id, version)
);

COMMENT ON COLUMN boston.events.body IS
    'The exact JSON of the whole envelope. The other columns repeat it for queries and are checked against it.';
COMMENT ON COLUMN boston.events.hash IS 'sha256(hash of the version before || body); 32 zero bytes before the first.';

-- An entry's id is its idempotency key; only the first event of an entry carries it.
CREATE UNIQUE INDEX events_by_entry_id ON boston.events (session_id, entry_id) WHERE entry_id IS NOT NULL;

CREATE TABLE boston.texts (
    session_id uuid NOT NULL,
    digest text NOT NULL,
    salt bytea,
    text text,
    erased_at timestamptz,
    PRIMARY KEY (session_id, digest),
    CHECK ((salt IS NULL) = (erased_at IS NOT NULL) AND (text IS NULL) = (erased_at IS NOT NULL))
);

COMMENT ON TABLE boston.texts IS
    'Free text of the log. A body holds "sha256:" and the hex of sha256(salt || text), so erasing changes no hash.';

CREATE TABLE boston.leases (
    session_id uuid PRIMARY KEY,
    key_id uuid NOT NULL,
    device text,
    taken_at timestamptz NOT NULL,
    seen_at timestamptz NOT NULL
);

COMMENT ON TABLE boston.leases IS 'Who records a table now; not in the stream, so a takeover conflicts with nothing.';

CREATE VIEW boston.events_json AS
SELECT session_id, version, entry, entry_id, type, recorded_at, convert_from(body, 'UTF8')::jsonb AS body, hash
FROM boston.events;

GRANT SELECT, INSERT, UPDATE ON boston.sessions TO boston_service;
GRANT SELECT, INSERT ON boston.events TO boston_service;
GRANT SELECT, INSERT, UPDATE ON boston.texts TO boston_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON boston.leases TO boston_service;
GRANT SELECT ON boston.events_json TO boston_service;
