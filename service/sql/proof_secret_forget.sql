DELETE FROM boston.signing_secrets WHERE club_id = %(club)s::uuid
