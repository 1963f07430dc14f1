"""Serving: the workers that answer requests, and the one process that looks after them.

The workers are Granian's. Each is started anew rather than forked, so that none holds the pipe by which the
embedded database notices its parent's end, and each asks the kernel to be killed with its parent: whatever
happens to the command, nothing goes on running behind its back. An acknowledged entry is in the log by then.
"""

from __future__ import annotations

import ctypes
import logging
import multiprocessing
import os
import signal
import socket
import ssl
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
from litestar import Litestar

from ops.tls import CannotCertify, Certificate
from service.settings import Settings

TOLD = "BOSTON_SETTINGS"
"""The environment variable by which the workers are told their settings."""
_PR_SET_PDEATHSIG = 1
_START_SECONDS = 60.0
_STOP_SECONDS = 10
_RENEW_SECONDS = 24 * 60 * 60.0


class CannotServe(Exception):
    """The service cannot be started; the message says why and what to do."""


def settings_from(environment: Mapping[str, str], **given: Any) -> Settings:
    """The settings: what is given, then what the environment says as `BOSTON_NAME`, then the defaults.

    Raises `CannotServe` for a value that does not fit.
    """
    told: dict[str, Any] = {}
    for field in msgspec.structs.fields(Settings):
        text = environment.get(f"BOSTON_{field.name.upper()}")
        if field.name in given:
            told[field.name] = given[field.name]
        elif text is not None:
            try:
                told[field.name] = Path(text) if field.type is Path else msgspec.convert(text, field.type, strict=False)
            except msgspec.ValidationError as error:
                raise CannotServe(f"BOSTON_{field.name.upper()} is {text!r}: {error}") from error
    return Settings(**told)


def application() -> Litestar:
    """The application of a worker; Granian calls this in each."""
    die_with_parent()
    from service.app import create_app

    return create_app(msgspec.json.decode(os.environ[TOLD], type=Settings, dec_hook=_decoded))


def die_with_parent() -> None:
    """Has this process killed when its parent ends, also when the parent has ended already."""
    parent = os.getppid()
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    if prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) != 0 or os.getppid() != parent:
        os._exit(1)


def serve(
    settings: Settings,
    host: str,
    port: int,
    workers: int,
    ready: Callable[[], None],
    certified: Callable[[], Certificate] | None = None,
) -> None:
    """Answers requests until a signal says to stop; calls `ready` once the service can record.

    With `certified` it answers over https; a certificate of the box's own is asked for again every day, and one
    that was renewed is taken up by fresh workers while the old ones finish.

    Raises `CannotServe` where the port is not to be had.
    """
    check_port(host, port)
    os.environ[TOLD] = msgspec.json.encode(settings, enc_hook=str).decode()
    multiprocessing.set_start_method("spawn", force=True)
    from granian.constants import Interfaces
    from granian.server.mp import MPServer

    server = MPServer(
        "ops.serving:application",
        address=host,
        port=port,
        interface=Interfaces.ASGI,
        workers=workers,
        factory=True,
        websockets=False,
        log_level="warning",  # type: ignore[arg-type]
        respawn_failed_workers=True,
        workers_kill_timeout=_STOP_SECONDS,
    )
    if certified is not None:
        _show(server, certified())
        threading.Thread(target=_renew, args=(server, certified), daemon=True).start()
    watcher = threading.Thread(target=_tell, args=(host, port, ready, certified is not None), daemon=True)
    server.on_startup(watcher.start)
    server.serve()


def check_port(host: str, port: int) -> None:
    """Raises `CannotServe` unless the port can be listened on."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise CannotServe(f"{host!r} is no address of this machine; name one with --host") from error
    with closing(socket.socket(family, kind, protocol)) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(address)
        except OSError as error:
            text = f"port {port} of {host} cannot be used ({error.strerror}); choose another with --port"
            raise CannotServe(text) from error


def _show(server: Any, certificate: Certificate) -> None:
    """Has the workers that start from now on show the certificate."""
    from granian.constants import SSLProtocols

    server.build_ssl_context(certificate.chain, certificate.key, None, SSLProtocols.tls12, None, [], False)


def _renew(server: Any, certified: Callable[[], Certificate]) -> None:
    shown = certified()
    while True:
        time.sleep(_RENEW_SECONDS)
        try:
            now = certified()
        except CannotCertify as error:
            logging.getLogger("boston").warning("the certificate could not be renewed: %s", error)
            continue
        if now.ends != shown.ends:
            shown = now
            _show(server, now)
            server.signal_handler_reload()


def _tell(host: str, port: int, ready: Callable[[], None], tls: bool) -> None:
    """Waits until the service says that it is ready."""
    # Only whether it answers is asked here, of this very machine; whom tablets trust is theirs to check.
    unchecked = ssl._create_unverified_context() if tls else None
    scheme = "https" if tls else "http"
    heard = "127.0.0.1" if host in ("", "0.0.0.0") else f"[{host.strip('[]')}]" if ":" in host else host
    if heard == "[::]":
        heard = "[::1]"
    until = time.monotonic() + _START_SECONDS
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(f"{scheme}://{heard}:{port}/health/ready", timeout=2, context=unchecked):
                ready()
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)


def _decoded(kind: type, value: Any) -> Any:
    return kind(value)
