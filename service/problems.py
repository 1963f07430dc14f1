"""Problems: every error leaves as `application/problem+json` with a stable code, and nothing leaks a trace.

The five families of refusals have one status each. Several problems of one batch are listed together.
"""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import msgspec
import psycopg
import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException

from domain.refusal import Fact, Refusal
from domain.text import Malformed, said
from service.faults import logged
from service.folded import Tampered
from service.log import InDoubt, Unavailable
from service.proof.keyring import NoKey
from service.told import Told

MEDIA = "application/problem+json"
STATUS = {"malformed": 400, "refused": 422, "conflict": 409, "not_found": 404, "not_allowed": 403}
TITLES = {
    400: "The input does not read",
    401: "Not signed in",
    403: "Not allowed",
    404: "Not found",
    405: "No such method here",
    409: "Conflict",
    413: "Too large",
    415: "Not a media type that is read here",
    422: "Refused",
    429: "Too many requests",
    500: "The service failed",
    503: "The service cannot answer now",
}
_CODES = {400: "malformed", 401: "not_signed_in", 403: "not_allowed", 404: "not_found", 405: "no_such_method",
          413: "too_large", 415: "unread_media_type", 429: "too_many_requests", 500: "failed"}  # fmt: skip


class EntryProblem(msgspec.Struct, frozen=True, omit_defaults=True):
    """One problem of a batch: the entry's place in it from 0, and the number that it would have had."""

    index: int
    number: int
    code: str
    message: str
    rule: int | None = None
    facts: dict[str, Fact] = msgspec.field(default_factory=dict)


class ProblemDetails(msgspec.Struct, frozen=True, omit_defaults=True):
    """An error as RFC 9457 writes it, with the refusal's code, the number of the rule, and the facts."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    rule: int | None = None
    facts: dict[str, Fact] = msgspec.field(default_factory=dict)
    problems: list[EntryProblem] = msgspec.field(default_factory=list)
    version: int | None = None
    missed: list[msgspec.Raw] = msgspec.field(default_factory=list)
    rebase: dict[str, Any] | None = None
    state: msgspec.Raw | None = None
    incident: str | None = None


class Problem(Exception):
    """An error that is told to the client as it is; `wait` are the seconds after which asking again may help."""

    def __init__(self, status: int, code: str, detail: str, *, wait: int | None = None, **more: Any) -> None:
        super().__init__(detail)
        self.wait = wait
        self.details = ProblemDetails(f"urn:boston:{code}", TITLES.get(status, "Refused"), status, detail, code, **more)


def refused(refusal: Refusal) -> Problem:
    """A refusal as the problem that it is."""
    return Problem(STATUS[refusal.family], refusal.code, refusal.message, rule=refusal.rule, facts=refusal.facts)


def not_found(what: str) -> Problem:
    """There is no such thing in this club; whether another club has it is not told."""
    return Problem(404, "not_found", f"there is no such {what}")


def answer(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """What an exception is told as, for the framework to send."""
    told = problem(error, request.scope.get("path_template", ""))
    return Response(told.body, status_code=told.status, media_type=told.media, headers=told.headers)


def problem(error: Exception, path: str) -> Told:
    """The problem that an exception is told as; `path` is the template of the route where it was raised."""
    details = _details(error)
    if details.status >= 500:
        incident = uuid4().hex[:12]
        log = structlog.get_logger("boston.problems")
        log.error("request failed", incident=incident, path=path, **logged(error))
        details = msgspec.structs.replace(details, incident=incident)
    headers = {"cache-control": "no-store"}
    if details.status == 503:
        headers["retry-after"] = "2"
    if isinstance(error, Problem) and error.wait is not None:
        headers["retry-after"] = str(error.wait)
    if isinstance(error, HTTPException) and error.headers:
        headers |= {name.lower(): value for name, value in error.headers.items()}
    return Told(details.status, MEDIA, headers, msgspec.json.encode(details))


def _details(error: Exception) -> ProblemDetails:
    if isinstance(error, Problem):
        return error.details
    # Nothing here recurses as deep as what is read may be nested.
    if isinstance(error, Malformed | msgspec.DecodeError | RecursionError):
        return Problem(400, "malformed", said(error)).details
    if isinstance(error, psycopg.DataError) and error.sqlstate is None:
        # The driver itself refuses this one, before anything is sent.
        return Problem(400, "malformed", "a text contains the character NUL, which no text may").details
    if isinstance(error, ValidationException):
        extra = error.extra if isinstance(error.extra, list) else []
        faults = [" ".join(filter(None, (str(e.get("key", "")), said(e.get("message", ""))))) for e in extra]
        return Problem(400, "malformed", "; ".join(faults) or error.detail).details
    if isinstance(error, Unavailable):
        return Problem(503, "database_away", "the database does not answer; nothing was recorded").details
    if isinstance(error, InDoubt):
        text = "it is not certain that the entries were recorded; send them again with the same ids"
        return Problem(503, "in_doubt", text).details
    if isinstance(error, NoKey):
        return Problem(500, "no_signing_key", str(error)).details
    if isinstance(error, Tampered):
        return Problem(
            500, "log_damaged", "the log of this session does not agree with itself; see boston verify"
        ).details
    if isinstance(error, HTTPException):
        status = error.status_code
        return Problem(status, _CODES.get(status, "refused"), error.detail or TITLES.get(status, "")).details
    return Problem(500, "failed", "the service failed; the incident's number is in its log").details
