-- The club register: clubs, players and their names, keys and sign-ins. Keyed by the
-- club, apart from what must be found by a secret's digest alone. Secrets are never stored.

CREATE TABLE boston.clubs (
    club_id uuid PRIMARY KEY,
    name text NOT NULL,
    time_zone text NOT NULL,
    ruleset text NOT NULL,
    settings jsonb NOT NULL DEFAULT '{}',
    demo boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL
);

CREATE TABLE boston.players (
    club_id uuid NOT NULL,
    player_id uuid NOT NULL,
    guest boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL,
    erased_at timestamptz,
    PRIMARY KEY (club_id, player_id)
);

-- Names stand apart, so that a player who leaves takes the name along and no sum changes.
CREATE TABLE boston.player_names (
    club_id uuid NOT NULL,
    player_id uuid NOT NULL,
    name text NOT NULL,
    folded text NOT NULL,
    PRIMARY KEY (club_id, player_id)
);

COMMENT ON COLUMN boston.player_names.folded IS 'The name without case and accents, for searches; made by the service.';

CREATE INDEX player_names_by_folded ON boston.player_names (club_id, folded text_pattern_ops);

CREATE TABLE boston.keys (
    key_id uuid PRIMARY KEY,
    club_id uuid NOT NULL,
    digest bytea NOT NULL UNIQUE,
    name text NOT NULL,
    role text NOT NULL,
    player_id uuid,
    created_at timestamptz NOT NULL,
    revoked_at timestamptz
);

CREATE INDEX keys_by_club ON boston.keys (club_id, created_at);

CREATE TABLE boston.pairings (
    digest bytea PRIMARY KEY,
    club_id uuid NOT NULL,
    role text NOT NULL,
    name text NOT NULL,
    player_id uuid,
    made_by uuid,
    expires_at timestamptz NOT NULL,
    used_at timestamptz
);

CREATE TABLE boston.browser_sessions (
    digest bytea PRIMARY KEY,
    club_id uuid NOT NULL,
    key_id uuid NOT NULL,
    csrf text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    ended_at timestamptz
);

GRANT SELECT, INSERT, UPDATE ON boston.clubs TO boston_service;
GRANT SELECT, INSERT, UPDATE ON boston.players TO boston_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON boston.player_names TO boston_service;
GRANT SELECT, INSERT, UPDATE ON boston.keys TO boston_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON boston.pairings TO boston_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON boston.browser_sessions TO boston_service;
