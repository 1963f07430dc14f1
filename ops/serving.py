"""Serving: Uvicorn answers requests, in this process or in several workers that it looks after.

A worker asks the kernel to be killed with its parent: whatever happens to the command, nothing goes on running
behind its back. An acknowledged entry is in the log by then.
"""

from __future__ import annotations

import asyncio
import ctypes
import logging
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
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

import msgspec
import uvicorn
from litestar import Litestar
from prometheus_client.multiprocess import mark_process_dead

from ops.logs import write_log
from ops.memory import settle
from ops.tls import CannotCertify, Certificate
from service.settings import Settings

COUNTERS = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable that names the folder where several workers keep their counters together."""
TOLD = "BOSTON_SETTINGS"
"""The environment variable by which the workers are told their settings."""
SERVER: dict[str, Any] = {
    "loop": "uvloop",
    "http": "httptools",
    "ws": "none",
    "lifespan": "on",
    "access_log": False,
    "server_header": False,
    "timeout_keep_alive": 75,
}
"""How Uvicorn answers. Tablets keep their connections: a card comes every few seconds."""
_PR_SET_PDEATHSIG = 1
_START_SECONDS = 60.0
_STOP_SECONDS = 3
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
    """The application, with the settings that the environment tells."""
    from service.app import create_app

    settings = msgspec.json.decode(os.environ[TOLD], type=Settings, dec_hook=_decoded)
    write_log(settings.log_json)
    app = create_app(settings)
    app.on_startup.append(_end_streams_in_time)
    settle()
    return app


def _end_streams_in_time(app: Litestar) -> None:
    """Has a signal to stop end the live streams at once: the server, whose handlers stand already, waits for them."""
    from service.app import stop

    loop = asyncio.get_running_loop()

    def chained(before: Any, number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(stop, app)
        if callable(before):
            before(number, frame)

    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, partial(chained, signal.getsignal(number)))


def worker() -> Litestar:
    """The application of a worker that is a process of its own."""
    die_with_parent()
    forget_the_dead()
    return application()


def forget_the_dead() -> None:
    """Takes workers that were killed out of the gauges that count what is under way."""
    for file in Path(os.environ[COUNTERS]).glob("gauge_live*.db"):
        pid = file.stem.rpartition("_")[2]
        if not Path("/proc", pid).exists():
            mark_process_dead(int(pid))  # type: ignore[no-untyped-call]


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
    that was renewed is shown to whoever comes next.

    One worker is this process itself. Raises `CannotServe` where the port is not to be had.
    """
    check_port(host, port)
    os.environ[TOLD] = msgspec.json.encode(settings, enc_hook=str).decode()
    certificate = certified() if certified is not None else None
    options: dict[str, Any] = SERVER | {
        "factory": True,
        "host": host,
        "port": port,
        "workers": workers,
        "log_level": "warning",
        "timeout_graceful_shutdown": _STOP_SECONDS,
    }
    if certificate is not None:
        options |= {"ssl_certfile": certificate.chain, "ssl_keyfile": certificate.key}
    watcher = threading.Thread(target=_tell, args=(host, port, ready, certificate is not None), daemon=True)
    # Uvicorn sends itself the signal that ended it once more; the second is not to cut what follows here short.
    before = signal.signal(signal.SIGTERM, lambda number, frame: None)
    try:
        watcher.start()
        if workers > 1:
            _keep_certified(certified, lambda renewed: os.kill(os.getpid(), signal.SIGHUP))
            with TemporaryDirectory(prefix="boston-counters-") as folder:
                os.environ[COUNTERS] = folder
                uvicorn.run("ops.serving:worker", **options)
        else:
            config = uvicorn.Config("ops.serving:application", **options)
            _keep_certified(certified, partial(_show, config))
            uvicorn.Server(config).run()
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)


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


def _show(config: uvicorn.Config, certificate: Certificate) -> None:
    """Shows the certificate to whoever connects from now on."""
    if config.ssl is not None:
        config.ssl.load_cert_chain(certificate.chain, certificate.key)


def _keep_certified(certified: Callable[[], Certificate] | None, take: Callable[[Certificate], None]) -> None:
    """Asks for the certificate again and again while the service runs, and has a renewed one taken up."""
    if certified is not None:
        threading.Thread(target=_renew, args=(certified, take), daemon=True).start()


def _renew(certified: Callable[[], Certificate], take: Callable[[Certificate], None]) -> None:
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
            take(now)


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
