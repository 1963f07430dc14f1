"""Who runs the server. PostgreSQL refuses to run as root, so root lends it a system user of its own."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from ops.embedded.errors import EmbeddedError

NAME = "boston-postgres"

# Reachable by every user on any Linux, and root's to write in.
SYSTEM_FOLDER = Path("/var/lib/boston")


@dataclass(frozen=True)
class Account:
    """The user and group that own the database's files and processes."""

    uid: int
    gid: int

    @classmethod
    def needed(cls) -> Account | None:
        """None for an ordinary user, who runs the server himself; for root the system user, made on first use."""
        if os.geteuid() != 0:
            return None
        found = cls.look_up()
        return cls.create() if found is None else found

    @classmethod
    def look_up(cls) -> Account | None:
        try:
            entry = pwd.getpwnam(NAME)
        except KeyError:
            return None
        return cls(entry.pw_uid, entry.pw_gid)

    @classmethod
    def create(cls) -> Account:
        command = shutil.which("useradd") or "/usr/sbin/useradd"
        try:
            options = ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin"]
            made = subprocess.run([command, *options, NAME], capture_output=True, text=True)
            said = made.stderr.strip()
        except FileNotFoundError:
            said = "there is no program useradd"
        # Another start may have made the user in the meantime, so what counts is that it is there.
        account = cls.look_up()
        if account is None:
            raise EmbeddedError(
                f"PostgreSQL does not run as root, and the system user {NAME} for it cannot be made ({said}): "
                "start as an ordinary user, make that user, or set DATABASE_URL"
            )
        return account
