-- The same table as boston.events, keys included, without anything around it.
CREATE TABLE IF NOT EXISTS reference_events (
    session_id uuid NOT NULL,
    version integer NOT NULL,
    entry integer NOT NULL,
    entry_id text,
    type text NOT NULL,
    recorded_at timestamptz NOT NULL,
    body bytea NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (session_id, version)
);
CREATE UNIQUE INDEX IF NOT EXISTS reference_by_entry_id ON reference_events (session_id, entry_id) WHERE entry_id IS NOT NULL;
