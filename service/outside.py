"""What every answer of the framework passes last, errors and pages included: the headers that keep a browser strict,
and the counting.

It stands outside the framework, so that an answer to a path that does not exist passes it too.
"""

from __future__ import annotations

from collections.abc import Mapping

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.counters import Counters
from service.told import Header

METRICS = "/metrics"
"""Where the counters are told."""
NOWHERE = "none"
BESIDE_DATA: list[Header] = [(b"x-content-type-options", b"nosniff")]
"""What goes with data, which is no document and brings nothing to life; all under `/api/` is data."""
_DATA = "/api/"


class Outside:
    """An application with something around it; `pages` are the headers of what is no data."""

    def __init__(self, app: ASGIApp, counters: Counters, pages: Mapping[str, str]) -> None:
        self._app, self._counters = app, counters
        self._pages = [(name.encode(), value.encode()) for name, value in pages.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        status = 500

        async def passed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status, given = message["status"], [*message["headers"]]
                message["headers"] = given + self._beside(scope["path"], given)
            await send(message)

        if scope["path"] == METRICS:
            self._counters.publish()
        began = self._counters.begins()
        try:
            await self._app(scope, receive, passed)
        finally:
            self._counters.ends(scope["method"], scope.get("path_template") or NOWHERE, status, began)

    def _beside(self, path: str, given: list[Header]) -> list[Header]:
        """What goes with an answer beside the headers it has; the offline verifier brings a policy of its own."""
        own = {name for name, _ in given}
        return [header for header in (BESIDE_DATA if path.startswith(_DATA) else self._pages) if header[0] not in own]
