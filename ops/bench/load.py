"""Load over plain sockets, as light as Python can be: one thread, keep-alive connections, no client library."""

from __future__ import annotations

import re
import selectors
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from uuid import uuid4

from domain.entries import AnyEntry
from domain.record import format_entry

_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
_VERSION = re.compile(rb'"version":(\d+)')


def post(path: str, body: bytes, key: str | None = None) -> bytes:
    """A request as it goes over the wire."""
    lines = [f"POST {path} HTTP/1.1", "Host: bench", "Content-Type: application/json", f"Content-Length: {len(body)}"]
    if key is not None:
        lines.append(f"Authorization: Bearer {key}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class Connection:
    """A keep-alive connection with at most one request under way."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._held = b""

    def send(self, request: bytes) -> None:
        self.socket.sendall(request)

    def received(self) -> bytes | None:
        """Reads once; the body of the answer, or None while there is more to come."""
        read = self.socket.recv(1 << 16)
        if not read:
            raise ConnectionError("the server closed the connection")
        self._held += read
        head, blank, body = self._held.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if not blank or length is None or len(body) < int(length[1]):
            return None
        self._held = b""
        if not head.startswith((b"HTTP/1.1 200", b"HTTP/1.1 201")):
            raise RuntimeError(f"the server answered {head.splitlines()[0].decode()}: {body[:500].decode()}")
        return body

    def ask(self, request: bytes) -> bytes:
        self.send(request)
        while (body := self.received()) is None:
            pass
        return body


Requests = Iterator[bytes]
"""The requests of one client, one after another; each is made after the answer to the one before was `told`."""


class Recorder:
    """A client that records evenings entry by entry, each in a session of its own, as fast as it is answered."""

    def __init__(self, key: str, evenings: Sequence[list[AnyEntry]], place: int) -> None:
        self._key, self._evenings, self._next = key, evenings, count(place)
        self._version = 0
        self._requests = self._made()

    def request(self) -> bytes:
        return next(self._requests)

    def told(self, answer: bytes) -> None:
        version = _VERSION.search(answer)
        assert version is not None, answer[:200]
        self._version = int(version[1])

    def _made(self) -> Iterator[bytes]:
        while True:
            session = str(uuid4())
            opening, *entries = self._evenings[next(self._next) % len(self._evenings)]
            body = b'{"session_id":"%s","entry":%s}' % (session.encode(), format_entry(opening))
            yield post("/api/sessions", body, self._key)
            for entry in entries:
                body = b'{"expected_version":%d,"entries":[%s]}' % (self._version, format_entry(entry))
                yield post(f"/api/sessions/{session}/entries", body, self._key)


class Inserter:
    """A client of the reference; its requests carry as much as a recorder's."""

    def __init__(self) -> None:
        body = (
            b'{"expected_version":100,"entries":[{"entry":"play","id":"0000-00000-00000008","seat":"N","card":"TC"}]}'
        )
        self._request = post(f"/append/{uuid4()}", body)

    def request(self) -> bytes:
        return self._request

    def told(self, answer: bytes) -> None:
        pass


Client = Recorder | Inserter


def latency(port: int, client: Client, times: int) -> Callable[[], float]:
    """Measures one client that waits for each answer: the median latency of so many requests, in microseconds."""
    connection = Connection(port)

    def measure() -> float:
        taken = []
        for _ in range(times):
            request = client.request()
            start = time.perf_counter()
            answer = connection.ask(request)
            taken.append(time.perf_counter() - start)
            client.told(answer)
        return sorted(taken)[len(taken) // 2] * 1e6

    return measure


def rate(port: int, clients: Sequence[Client], seconds: float) -> Callable[[], float]:
    """Measures many clients at once: answers a second."""
    connections = {client: Connection(port) for client in clients}

    def measure() -> float:
        answered, start = 0, time.perf_counter()
        with selectors.DefaultSelector() as selector:
            for client, connection in connections.items():
                selector.register(connection.socket, selectors.EVENT_READ, (client, connection))
                connection.send(client.request())
            under_way = len(connections)
            while under_way:
                going_on = time.perf_counter() - start < seconds
                for ready, _ in selector.select():
                    client, connection = ready.data
                    answer = connection.received()
                    if answer is None:
                        continue
                    client.told(answer)
                    answered += 1
                    if going_on:
                        connection.send(client.request())
                    else:
                        under_way -= 1
        return answered / (time.perf_counter() - start)

    return measure
