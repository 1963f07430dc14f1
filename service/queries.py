"""Named SQL: every statement is a file of a folder `sql`, read once, its arguments named `%(like_this)s`."""

from functools import cache
from importlib.resources import files


@cache
def query(name: str, package: str = "service") -> bytes:
    """The statement in `sql/NAME.sql` of a package, as psycopg takes it."""
    return files(package).joinpath("sql", f"{name}.sql").read_bytes()
