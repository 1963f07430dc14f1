"""The tablet client's files, with the headers that keep a browser strict about them."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from service.proof.page import page, policy

SECURITY = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        "font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "geolocation=(), microphone=(), screen-wake-lock=(self), camera=(self)",
}
_FRESH = {"cache-control": "no-cache"}
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
}
"""The kinds of files that the client is made of; any other in its folder is for those who work on it."""


@get("/", opt={"roles": "anyone"}, include_in_schema=False)
async def index(request: Request[Any, Any, State], state: State) -> Response[bytes]:
    """The tablet client."""
    return _file(request, state.settings.web, "index.html")


@get("/sw.js", opt={"roles": "anyone"}, include_in_schema=False)
async def service_worker(request: Request[Any, Any, State], state: State) -> Response[bytes]:
    """The client's service worker, served from the top so that it may look after the whole site."""
    return _file(request, state.settings.web, "sw.js")


@get("/static/{path:path}", opt={"roles": "anyone"}, include_in_schema=False)
async def static(path: FromPath[str], request: Request[Any, Any, State], state: State) -> Response[bytes]:
    """A file of the client."""
    return _file(request, state.settings.web, str(path).lstrip("/"))


def _file(request: Request[Any, Any, State], web: Path, name: str) -> Response[bytes]:
    """The file, or the word that the browser's copy is still good; it asks every time, so a new one is seen at once."""
    root = web.resolve()
    try:
        path = (root / name).resolve()
        if not path.is_relative_to(root) or path.suffix not in _TYPES:
            raise FileNotFoundError(name)
        content = path.read_bytes()
    except (OSError, ValueError) as error:
        # A name may also be one that no file can have, for its length or its characters.
        raise NotFoundException("there is no such file") from error
    headers = _FRESH | {"etag": f'W/"{sha256(content).hexdigest()[:32]}"'}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(b"", status_code=304, headers=headers)
    return Response(content, media_type=_TYPES[path.suffix], headers=headers)


@get("/verify.html", opt={"roles": "anyone"}, include_in_schema=False)
async def verifier() -> Response[bytes]:
    """The page that checks receipts and bundles; saved to a disk it works there too."""
    return Response(page(), media_type="text/html", headers=_FRESH | {"content-security-policy": policy()})


ROUTES = [index, service_worker, static, verifier]
