"""The folder of one embedded database: where it is, who may use it, and what lies in it.

    DATA/postgres            the folder itself, or for root a link to it in the system folder
        lock                 held by the process that uses the folder, and by its keeper
        owner.password       of the database's owner, for migrations
        service.password     of the service's role, which may do less
        server.json          the running server: number, start time, port
        server.log           what it says
        pgdata/              PostgreSQL's own

Everything in it is 0700 or 0600 and belongs to the account that runs the
server. No folder above it is changed.
"""

from __future__ import annotations

import fcntl
import os
import pwd
import secrets
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ops.embedded.account import SYSTEM_FOLDER, Account
from ops.embedded.errors import EmbeddedError
from ops.embedded.process import Process

# A keeper whose parent was killed needs this long at most to stop its server.
HANDOVER_SECONDS = 75.0


@dataclass(frozen=True)
class Cluster:
    folder: Path
    account: Account | None

    @property
    def pgdata(self) -> Path:
        return self.folder / "pgdata"

    @property
    def record(self) -> Path:
        return self.folder / "server.json"

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    def password(self, role: str) -> str:
        """The role's password: drawn when the folder is new, read ever after."""
        path = self.folder / f"{role}.password"
        if not path.exists():
            if role == "owner" and self.pgdata.exists():
                raise EmbeddedError(f"the password file {path} is missing: put it back from a copy of the folder")
            self.write(path, secrets.token_urlsafe(32))
        return path.read_text(encoding="ascii").strip()

    def write(self, path: Path, text: str) -> None:
        """Write a private file whole: a reader sees the old text or the new, also after a power cut."""
        handle, part = tempfile.mkstemp(prefix=f".{path.name}.", dir=self.folder)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(handle)
            self.give(handle)
        Path(part).replace(path)

    def give(self, handle: int) -> None:
        """Hand an open file over to the account that runs the server."""
        if self.account is not None:
            os.fchown(handle, self.account.uid, self.account.gid)

    def lock(self) -> int:
        """Take the folder for this process; the open file that holds it.

        A folder whose user was killed is still held by its keeper, until that
        has stopped the server; that is waited for. A living user is an error.
        """
        handle = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            self.give(handle)
            deadline = time.monotonic() + HANDOVER_SECONDS
            while not try_lock(handle):
                holder = Process.parse(os.pread(handle, 4096, 0).decode("utf-8", "replace"))
                if holder is not None and holder.alive():
                    raise EmbeddedError(
                        f"the database in {self.folder} is in use by process {holder.pid}: "
                        "stop that one, or choose another data folder"
                    )
                if time.monotonic() > deadline:
                    raise EmbeddedError(f"the database in {self.folder} is still being stopped: try again in a minute")
                time.sleep(0.05)
            me = Process.find(os.getpid())
            assert me is not None
            os.ftruncate(handle, 0)
            os.pwrite(handle, me.format().encode(), 0)
        except BaseException:
            os.close(handle)
            raise
        return handle


def try_lock(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def locate(data: Path) -> Cluster:
    """The cluster of a data folder, its own folder made if it is new.

    `data` is made if missing (0700). For root, `data/postgres` is a link to a
    folder in the system folder, for root's data folder is often one that the
    system user cannot reach.
    """
    data = data.absolute()
    account = Account.needed()
    place = data / "postgres"
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        if account is None:
            place.mkdir(mode=0o700, exist_ok=True)
            folder = place.resolve()
        else:
            folder = system_folder(place, account)
        refuse_foreign(place, folder, account)
        if folder.stat().st_mode & 0o777 != 0o700:
            folder.chmod(0o700)
    except OSError as error:
        raise EmbeddedError(f"the data folder {data} cannot be used ({error.strerror}): choose another one") from error
    return Cluster(folder, account)


def system_folder(place: Path, account: Account) -> Path:
    """What `place` links to, after making both if there is no link yet."""
    if not place.is_symlink() and place.exists():
        return place
    if not place.is_symlink():
        for folder in (SYSTEM_FOLDER, SYSTEM_FOLDER / "clusters"):
            folder.mkdir(mode=0o755, exist_ok=True)
            folder.chmod(0o755)
        fresh = Path(tempfile.mkdtemp(prefix="", dir=SYSTEM_FOLDER / "clusters"))
        try:
            (fresh / "belongs-to").write_text(f"{place.parent}\n", encoding="utf-8")
            os.chown(fresh, account.uid, account.gid)
            place.symlink_to(fresh)
        except FileExistsError:
            # A start at the same moment made the link first, and its folder is the one.
            shutil.rmtree(fresh)
        except BaseException:
            shutil.rmtree(fresh, ignore_errors=True)
            raise
    folder = place.resolve()
    if not folder.is_dir():
        raise EmbeddedError(
            f"{place} points to {folder}, which is not there: put that folder back, or delete {place} to begin anew"
        )
    return folder


def refuse_foreign(place: Path, folder: Path, account: Account | None) -> None:
    """Only the account that made a cluster may run it; anyone else would leave files the other cannot use."""
    owner = folder.stat().st_uid
    wanted = os.geteuid() if account is None else account.uid
    if owner != wanted:
        raise EmbeddedError(
            f"the database in {place} belongs to the user {user_name(owner)}: "
            "start as the user who made it, or choose another data folder"
        )


def user_name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A data folder for a block; at its end the database goes too, which for root lies elsewhere."""
    with tempfile.TemporaryDirectory(prefix="boston box ") as folder:
        try:
            yield Path(folder)
        finally:
            remove(Path(folder))


def remove(data: Path) -> None:
    """Delete a data folder's database for good; it must not be running."""
    place = data.absolute() / "postgres"
    if not place.exists():
        return
    cluster = locate(data)
    handle = cluster.lock()
    try:
        shutil.rmtree(cluster.folder)
        if place.is_symlink():
            place.unlink()
    finally:
        os.close(handle)
