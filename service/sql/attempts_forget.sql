DELETE FROM boston.sign_in_attempts WHERE address = %(address)s OR since <= %(stale)s
