"""The service's log: to standard error, a line an event, for people or as JSON for machines.

An event says what happened where, by names of routes and kinds of errors. What people entered, their names, their
addresses and what they asked for are no part of it.
"""

from __future__ import annotations

import logging
import sys
from typing import Any

import structlog


def write_log(as_json: bool) -> None:
    """Sets up both ways of logging, the service's own and that of the libraries, to write alike."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    last = structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer(colors=False)
    structlog.configure(processors=[*shared, last], logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    handler = logging.StreamHandler(sys.stderr)
    told = [structlog.stdlib.ProcessorFormatter.remove_processors_meta, last]
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processors=told, foreign_pre_chain=shared))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
