"""A door of its own for what is asked once a card, ahead of the framework.

What the framework does around a handler takes longer than recording does. What plainly asks for that route, by its
one way of writing the path, without a query and with a body of a length that is told and allowed, is answered here by
the same functions that the route uses: who asks, what is recorded, what a problem is told as. Anything else goes on
to the framework untouched. The route stays declared there, and the schema is made from it.
"""

from __future__ import annotations

import re

from litestar import Litestar
from litestar.enums import ScopeType
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, Receive, Scope, Send

from service.api.recording import Recording
from service.counters import Counters
from service.outside import BESIDE_DATA
from service.principal import asker, headers_of
from service.problems import problem
from service.told import Told

_UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"


class Door:
    """The application, and ahead of it `POST path`, a route whose only parameter is `{session_id:uuid}`."""

    def __init__(self, app: Litestar, inner: ASGIApp, counters: Counters, path: str) -> None:
        route = next(route for route in app.routes if isinstance(route, HTTPRoute) and route.path == path)
        handler, _ = route.route_handler_map["POST"]
        before, _, after = path.partition("{session_id:uuid}")
        self._inner, self._counters, self._state = inner, counters, app.state
        self._asks = re.compile(f"{re.escape(before)}({_UUID}){re.escape(after)}").fullmatch
        self._roles, self._limit = handler.opt["roles"], handler.resolve_request_max_body_size() or 0
        self._template = route.path_format

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] == ScopeType.HTTP and scope["method"] == "POST" and not scope["query_string"]:
            found, headers = self._asks(scope["path"]), headers_of(scope)
            length = headers.get(b"content-length", b"")
            if found and length.isdigit() and int(length) <= self._limit and b"transfer-encoding" not in headers:
                await self._answer(found[1], headers, receive, send)
                return
        await self._inner(scope, receive, send)

    async def _answer(self, session_id: str, headers: dict[bytes, bytes], receive: Receive, send: Send) -> None:
        status, began = 500, self._counters.begins()
        try:
            told = await self._told(session_id, headers, receive)
            if told is not None:
                status = told.status
                await told.send(send, BESIDE_DATA)
        finally:
            self._counters.ends("POST", self._template, status, began)

    async def _told(self, session_id: str, headers: dict[bytes, bytes], receive: Receive) -> Told | None:
        """The answer; none to a client that has gone before all of its request was here."""
        try:
            who = await asker(self._state.secrets, "POST", headers, self._roles)
            parts, more = [], True
            while more:
                message = await receive()
                if message["type"] != "http.request":
                    return None
                parts.append(message.get("body", b""))
                more = message.get("more_body", False)
            recording: Recording = self._state.recording
            return await recording.entries(who, session_id, headers, b"".join(parts))
        except Exception as error:
            return problem(error, self._template)
