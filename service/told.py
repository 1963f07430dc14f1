"""An answer as plain values: what is told with it, and how it goes out, through the framework or past it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from litestar.response.base import ASGIResponse
from litestar.types import Send

Header = tuple[bytes, bytes]


class Told(msgspec.Struct, frozen=True):
    """An answer; `headers` leave out what its media type and its body say."""

    status: int
    media: str
    headers: dict[str, str]
    body: bytes

    def response(self) -> ASGIResponse:
        """The answer for the framework to send."""
        return ASGIResponse(body=self.body, status_code=self.status, media_type=self.media, headers=self.headers)

    async def send(self, send: Send, beside: Iterable[Header]) -> None:
        """Sends the answer as the framework would, with these headers beside its own."""
        headers = [(name.encode(), value.encode("latin-1")) for name, value in self.headers.items()]
        headers += (b"content-type", self.media.encode()), (b"content-length", b"%d" % len(self.body)), *beside
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})
