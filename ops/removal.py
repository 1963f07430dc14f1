"""Removing a club for good: the one act that deletes from the log, and the database's owner alone can do it.

All tables of a club name either the club or the session, so a table that is added later is cleared too.
"""

from __future__ import annotations

import psycopg
from psycopg import sql

from service.queries import query


def remove_club(url: str, club_id: str) -> int:
    """Deletes everything of a club in one transaction, and returns how many sessions that were.

    `url` is the owner's. The guards of what is append-only are off for this transaction alone, and appends wait for
    its end.
    """
    with psycopg.connect(url) as connection:
        guarded = connection.execute(query("club_guards", "ops")).fetchall()
        for table in guarded:
            connection.execute(_UNGUARD.format(sql.Identifier(*table)))
        sessions = 0
        for schema, table, names_club in connection.execute(query("club_tables", "ops")).fetchall():
            named = "club" if names_club else "session"
            deleted = connection.execute(_DELETE[named].format(sql.Identifier(schema, table)), {"club": club_id})
            if (schema, table) == ("boston", "sessions"):
                sessions = deleted.rowcount
        for table in guarded:
            connection.execute(_GUARD.format(sql.Identifier(*table)))
    return sessions


_UNGUARD = sql.SQL("ALTER TABLE {} DISABLE TRIGGER append_only")
_GUARD = sql.SQL("ALTER TABLE {} ENABLE TRIGGER append_only")
_DELETE = {
    "club": sql.SQL("DELETE FROM {} WHERE club_id = %(club)s::uuid"),
    "session": sql.SQL(
        "DELETE FROM {} WHERE session_id IN (SELECT session_id FROM boston.sessions WHERE club_id = %(club)s::uuid)"
    ),
}
