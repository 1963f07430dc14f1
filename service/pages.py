"""The tablet client's files, with the headers that keep a browser strict about them."""

from __future__ import annotations

from pathlib import Path

from litestar import Response, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

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
    ".md": "text/plain; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
}


@get("/", opt={"roles": "anyone"}, include_in_schema=False)
async def index(state: State) -> Response[bytes]:
    """The tablet client."""
    return _file(state.settings.web, "index.html")


@get("/sw.js", opt={"roles": "anyone"}, include_in_schema=False)
async def service_worker(state: State) -> Response[bytes]:
    """The client's service worker, served from the top so that it may look after the whole site."""
    return _file(state.settings.web, "sw.js")


@get("/static/{path:path}", opt={"roles": "anyone"}, include_in_schema=False)
async def static(path: FromPath[str], state: State) -> Response[bytes]:
    """A file of the client."""
    return _file(state.settings.web, str(path).lstrip("/"))


def _file(web: Path, name: str) -> Response[bytes]:
    root = web.resolve()
    path = (root / name).resolve()
    if not path.is_relative_to(root) or not path.is_file():
        raise NotFoundException("there is no such file")
    media = _TYPES.get(path.suffix, "application/octet-stream")
    return Response(path.read_bytes(), media_type=media, headers=_FRESH)


ROUTES = [index, service_worker, static]
