-- A new name that a record brings is claimed by the player it makes, so that two tablets that open tables at the same
-- moment make one player of it. Namesakes who are said to be two people, and renamed players, claim nothing.

ALTER TABLE boston.player_names ADD COLUMN claimed boolean NOT NULL DEFAULT false;

CREATE UNIQUE INDEX player_names_claimed ON boston.player_names (club_id, folded) WHERE claimed;
