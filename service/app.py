"""The composition root: everything that the service is made of is put together here, for tests too."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, Router
from litestar.config.compression import CompressionConfig
from litestar.plugins.prometheus import PrometheusController

from service import health, openapi, pages
from service.api import access, audit, club, exports, history, proof, rulings, sessions, statistics, waiting
from service.api.recording import Recording
from service.attempts import Attempts
from service.clubs import Clubs
from service.counters import Counters
from service.database import connected
from service.door import Door
from service.facts import Writer
from service.keys import Safe
from service.leases import Leases
from service.log import Log
from service.outside import METRICS, Outside
from service.principal import Keys, signed_in
from service.problems import answer
from service.proof.checkpoints import Checkpoints
from service.proof.notary import Notary
from service.record import Recorder
from service.register import Register
from service.settings import Settings
from service.voiding import Voiding
from service.watch import Watch

API: list[Any] = [
    *access.ROUTES,
    *club.ROUTES,
    *sessions.ROUTES,
    *statistics.ROUTES,
    *exports.ROUTES,
    *audit.ROUTES,
    *rulings.ROUTES,
    *history.ROUTES,
    *waiting.ROUTES,
    *proof.ROUTES,
]


class Metrics(PrometheusController):
    """The service's counters, for Prometheus."""

    path = METRICS
    include_in_schema = False
    opt = {"roles": "anyone"}  # noqa: RUF012
    openmetrics_format = True


def stop(app: Litestar) -> None:
    """Ends the live streams, so that a service that was told to stop need not wait for those who listen."""
    app.state.stopping.set()
    app.state.watch.wake()


def create_app(settings: Settings) -> Litestar:
    """The service on one database. Its pools open with the application and close with it."""

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        async with connected(settings.database_url) as database:
            state = app.state
            state.database = database
            state.stopping = asyncio.Event()
            state.secrets = Keys(database, settings.key_trust)
            state.safe = Safe(database, settings.pairing_lasts, settings.sign_in_lasts)
            state.attempts = Attempts(database.reads, settings.sign_in_attempts, settings.sign_in_window)
            state.clubs = Clubs(database)
            state.register = Register(database)
            state.leases = Leases(database, settings.lease_stale)
            log = Log(database)
            state.recorder = Recorder(log, state.register, Writer())
            state.watch = Watch(database, log, settings.watch_every)
            state.recording = Recording(state.recorder, state.secrets, state.clubs, state.register, state.leases)
            state.voiding = Voiding(database)
            state.checkpoints = Checkpoints(database)
            notary = Notary(state.checkpoints, log, settings.checkpoint_every)
            try:
                yield
            finally:
                state.stopping.set()
                await notary.close()
                await state.watch.close()
                await log.close()

    api = Router("/api", route_handlers=API, guards=[signed_in])
    app = Litestar(
        [api, *health.ROUTES, *openapi.ROUTES, *pages.ROUTES, Metrics],
        lifespan=[running],
        exception_handlers={Exception: answer},
        request_max_body_size=settings.body_limit,
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=600, exclude=[r"/api/sessions/[^/]+/(stream|entries)"]
        ),
        openapi_config=None,
    )
    app.state.settings = settings
    counters = Counters()
    outside = Outside(app.asgi_handler, counters, pages.SECURITY)
    app.asgi_handler = Door(app, outside, counters, sessions.RECORDING)
    return app
