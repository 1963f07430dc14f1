"""A file that is there whole or not at all, so that what was cut short leaves no half of one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

import click


def put(path: Path, parts: Iterable[bytes]) -> None:
    """Writes a file, for its owner alone, in place of any of that name.

    Raises `click.ClickException` where that cannot be done.
    """
    part: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as fresh:
            part = Path(fresh.name)
            for one in parts:
                fresh.write(one)
        os.replace(part, path)
    except OSError as error:
        if part is not None:
            part.unlink(missing_ok=True)
        raise click.ClickException(f"{path} cannot be written: {error.strerror or error}") from error
