"""The offline verifier as one file: its parts put together, with a policy that lets it run those and load nothing."""

from __future__ import annotations

import base64
from functools import cache
from hashlib import sha256
from importlib.resources import files

PARTS = (
    "vendor/nacl-fast.min.js",
    "bytes.js",
    "statement.js",
    "tree.js",
    "shapes.js",
    "evidence.js",
    "settled.js",
    "reported.js",
    "check.js",
    "compare.js",
    "texts.js",
    "page.js",
)
"""The scripts in the order in which they run; they share one scope."""


@cache
def page() -> bytes:
    """The page, for the service to answer with and for the command line to write beside a bundle."""
    scripts = "\n".join(f"<script>{script}</script>" for script in _scripts())
    told = _part("page.html").replace("<!-- scripts -->", scripts)
    return told.replace("<!-- policy -->", f'<meta http-equiv="content-security-policy" content="{policy()}">').encode()


@cache
def policy() -> str:
    """What the page may do: run its own scripts, each known by its hash, and nothing else; it asks no network."""
    style = _part("page.html").partition("<style>")[2].partition("</style>")[0]
    scripts = " ".join(map(_hash, _scripts()))
    return f"default-src 'none'; script-src {scripts}; style-src {_hash(style)}; base-uri 'none'; form-action 'none'"


def _scripts() -> list[str]:
    return [f"\n{_part(name)}\n" for name in PARTS]


def _part(name: str) -> str:
    return files("service").joinpath("verifier", name).read_text(encoding="utf-8").rstrip("\n")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"
