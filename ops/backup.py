"""A backup: one file with all of a box, to be kept elsewhere, from which the box can be made again on another machine.

The file is a tar archive of a dump of the database, taken in one snapshot while the service may go on, and of the box's
own certificates, so that tablets which trust the box go on doing so. Whoever has it has everything, so it is
readable for its owner alone. Roles and their passwords belong to a server and are made anew.
"""

from __future__ import annotations

import datetime
import io
import json
import os
import subprocess
import tarfile
import tempfile
from pathlib import Path, PurePosixPath

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from ops.embedded import EmbeddedPostgres, remove
from ops.embedded.binaries import programs
from ops.migrate import migrate

DUMP = "boston.dump"
ABOUT = "about.json"
CERTIFICATES = "tls"
SCHEMAS = ("boston", "facts", "facts_next")


class BackupFailed(Exception):
    """A backup could not be made or taken back; the message says why and what to do."""


def back_up(url: str, data: Path | None, folder: Path, now: datetime.datetime) -> Path:
    """Writes a backup into a folder and gives its file, which is there whole or not at all.

    `url` is the owner's; `data` is the box's folder, where it has one.
    """
    file = folder / f"boston-{now:%Y-%m-%d-%H%M%S}.tar"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".boston-", dir=folder) as room:
            dump, part = Path(room) / DUMP, Path(room) / "part"
            schemas = (f"--schema={name}" for name in SCHEMAS)
            _run("pg_dump", url, "--format=custom", "--no-owner", *schemas, f"--file={dump}")
            with tarfile.open(part, "w") as archive:
                _add(archive, ABOUT, json.dumps({"made_at": now.isoformat(), "format": 1}).encode())
                archive.add(dump, DUMP)
                if data is not None and (data / CERTIFICATES).is_dir():
                    archive.add(data / CERTIFICATES, CERTIFICATES)
            part.chmod(0o600)
            with part.open("rb") as written:
                os.fsync(written.fileno())
            part.rename(file)
    except OSError as error:
        raise BackupFailed(f"{file} cannot be written: {error.strerror or error}") from error
    return file


def restore(file: Path, data: Path) -> None:
    """Makes a new box in `data` from a backup; leaves none where that fails. The folder must not have one yet."""
    with tempfile.TemporaryDirectory(prefix="boston-") as room:
        certificates = _unpacked(file, Path(room))
        try:
            with EmbeddedPostgres(data) as server:
                _run("pg_restore", server.owner_url, "--no-owner", "--exit-on-error", "--single-transaction",
                     str(Path(room) / DUMP))  # fmt: skip
                migrate(server.owner_url)
            for name, content in certificates.items():
                target = data / CERTIFICATES / name
                target.parent.mkdir(mode=0o700, exist_ok=True)
                target.touch(0o600)
                target.write_bytes(content)
        except BaseException:
            remove(data)
            raise


def _unpacked(file: Path, room: Path) -> dict[str, bytes]:
    """Puts the dump into the room, and gives the certificates by their names."""
    certificates: dict[str, bytes] = {}
    dumped = False
    try:
        with tarfile.open(file, "r") as archive:
            for member in archive:
                name, content = PurePosixPath(member.name), archive.extractfile(member)
                if content is None:
                    continue
                if member.name == DUMP:
                    dumped = True
                    with (room / DUMP).open("wb") as dump:
                        while part := content.read(1 << 20):
                            dump.write(part)
                elif name.parent == PurePosixPath(CERTIFICATES):
                    certificates[name.name] = content.read()
    except (OSError, tarfile.TarError) as error:
        raise BackupFailed(f"{file} cannot be read: {error}") from error
    if not dumped:
        raise BackupFailed(f"{file} is no backup of Boston: there is no {DUMP} in it")
    return certificates


def _run(program: str, url: str, *arguments: str) -> None:
    """Runs a program of PostgreSQL's on a database; the password goes by the environment, where nobody sees it."""
    told = conninfo_to_dict(url)
    password = str(told.pop("password", "") or "")
    command = [str(programs(None) / program), f"--dbname={make_conninfo('', **told)}", *arguments]
    environment = os.environ | ({"PGPASSWORD": password} if password else {})
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise BackupFailed(f"{program} failed: {done.stderr.strip() or done.returncode}")


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(content), 0o600
    archive.addfile(entry, io.BytesIO(content))
