"""Sessions: opening, recording, state, log, record, live stream, leases."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args
from uuid import UUID

import msgspec
from litestar import Response, delete, get, post, put
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from litestar.response import ServerSentEvent, ServerSentEventMessage
from litestar.response.base import ASGIResponse
from uuid_utils import uuid7

from domain.entries import AnyEntry, Line, Name, Open
from domain.record import format_entry
from domain.seats import Four
from service.api.bodies import read
from service.api.pages import Limit, aware, cut, read_cursor, write_cursor
from service.api.recording import BATCH, RECORDED, Recording, RecordRequest, Version
from service.envelope import Envelope, written
from service.facts import written_when_voided
from service.findings import redacted, told_all
from service.folded import Folded
from service.leases import Lease, Taking
from service.policy import WRITERS, sees_open_deal, shown_upto
from service.principal import COOKIE, ROLES, Asking, Principal, headers_of
from service.problems import Problem, not_found
from service.record import TRIES
from service.rows import fetch
from service.state import Seated, SessionState, players, session_state
from service.transcript import all_entries, entries_in_force

JSON = "application/json"
RECORDING = "/api/sessions/{session_id:uuid}/entries"
"""The path of the route that is asked once a card."""


class OpenHere(Open, frozen=True, kw_only=True, tag="open"):
    """Opens the session; without `ruleset` under the club's own rules."""

    ruleset: str | None = None  # type: ignore[assignment]

    def under(self, ruleset: str) -> Open:
        """The entry with the rule set named that holds where it names none."""
        told = {name: getattr(self, name) for name in Open.__struct_fields__}
        return Open(**told | {"ruleset": self.ruleset or ruleset})


if TYPE_CHECKING:
    AnyHere = AnyEntry
else:
    AnyHere = Union[(OpenHere, *(kind for kind in get_args(AnyEntry) if kind is not Open))]


class OpenRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Opens a session by its first entry, `open`, alone as `entry` or first among `entries`.

    The client may bring the session's id, so that it can be sent again.
    """

    entries: Annotated[tuple[AnyHere, ...], msgspec.Meta(min_length=1, max_length=BATCH)] | None = None
    entry: OpenHere | None = None
    session_id: UUID | None = None
    dry_run: bool = False
    device: Name | None = None


class SessionInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A session in a list, with who sat where in its last deal, or sits there before the first has ended."""

    session_id: str
    version: int
    date: str
    ruleset: str
    table: str | None
    phase: str
    entries: int
    opened_at: datetime.datetime
    changed_at: datetime.datetime
    voided: bool
    seats: Four[Seated] | None = None


class _Row(SessionInfo, frozen=True, kw_only=True):
    """The same as the database gives it: with the players' ids from N clockwise."""

    players: list[str] | None

    def told(self, names: dict[str, str]) -> SessionInfo:
        fields = {name: getattr(self, name) for name in SessionInfo.__struct_fields__}
        if self.players is not None:
            fields["seats"] = Four(*(Seated(player, names[player]) for player in self.players))
        return SessionInfo(**fields)


class SessionPage(msgspec.Struct, frozen=True):
    sessions: list[SessionInfo]
    next: str | None


class LogPage(msgspec.Struct, frozen=True):
    """Events in order, each the envelope that the log keeps; `next` is the version to ask after, if there are more."""

    events: list[Envelope]
    next: int | None
    version: int


class LogPageRaw(msgspec.Struct, frozen=True):
    events: list[msgspec.Raw]
    next: int | None
    version: int


class VoidRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    reason: Line


class LeaseRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Asks for a table. With `take` it is taken over from whoever holds it."""

    device: Name | None = None
    take: bool = False


class LeaseAnswer(msgspec.Struct, frozen=True):
    """Who records the session, whether that is the one who asked, and everybody who ever took the table."""

    holder: Lease | None
    mine: bool
    takings: list[Taking] = msgspec.field(default_factory=list)


_open_request = msgspec.json.Decoder(OpenRequest)


@post(
    "/sessions",
    opt={"roles": ("recorder", "director"), "reads": OpenRequest},
    status_code=201,
    responses={201: RECORDED},
)
async def open_session(request: Asking, state: State) -> ASGIResponse:
    """Opens a session; the recorder who does so holds its table from then on."""
    recording: Recording = state.recording
    data = await read(request, _open_request)
    if (data.entries is None) == (data.entry is None):
        raise Problem(400, "malformed", "a session is opened by entry or by entries, one of the two")
    opening, *rest = data.entries or (data.entry,)
    if not isinstance(opening, OpenHere):
        raise Problem(400, "malformed", "a session is opened by an entry open")
    club = await state.clubs.get(request.user.club_id)
    if strays := [at for at, entry in enumerate(rest, start=1) if isinstance(entry, OpenHere)]:
        raise Problem(400, "malformed", f"entries[{strays[0]}]: only the first entry opens the session")
    entries = (opening.under(club.ruleset), *rest)
    asked = RecordRequest(entries, None, data.dry_run, data.device)
    session_id = str(data.session_id or uuid7())
    known = await state.recorder.load(session_id, request.user.club_id, current=False)
    if known is not None:
        # Sent again, or by somebody else: then the table is asked for as it is for any entry.
        await recording.hold_table(request.user, session_id, data.device, take=not data.dry_run)
    told = await recording.record(request.user, session_id, asked, 201)
    if request.user.role == "recorder" and not data.dry_run:
        await state.leases.ask(session_id, request.user, data.device, take=False)
    return told.response()


@post(
    "/sessions/{session_id:uuid}/entries",
    opt={"roles": WRITERS, "reads": RecordRequest},
    status_code=200,
    responses={200: RECORDED},
)
async def record_entries(request: Asking) -> ASGIResponse:
    """Records entries, atomically. An entry whose id is known is answered and not repeated."""
    # Asked once a card, and as a rule at the door ahead of the framework: see `service.door`.
    session_id, headers = str(request.path_params["session_id"]), headers_of(request.scope)
    recording: Recording = request.app.state.recording
    told = await recording.entries(request.user, session_id, headers, await request.body())
    return told.response()


class Seen(msgspec.Struct):
    """A session as far as the one who asks may see it."""

    folded: Folded
    whole: bool
    upto: int


Moment = Annotated[
    datetime.datetime | None, QueryParameter(description="A time with its offset, by the server's clock.")
]


async def seen(
    request: Asking,
    state: State,
    session_id: UUID,
    version: int | None = None,
    moment: datetime.datetime | None = None,
) -> Seen:
    """The session for the one who asks: an open deal is for its recorder and the director; raises a problem.

    With a `version` as it was right after it; with a `moment` as far as it had been recorded by then.
    """
    who = request.user
    if version is not None and moment is not None:
        raise Problem(400, "malformed", "ask for a version or for a time, not for both")
    folded = await state.recorder.load(str(session_id), who.club_id)
    if folded is None:
        raise not_found("session")
    whole = sees_open_deal(who.role, who.role == "recorder" and await _records(state, str(session_id), who))
    upto = folded.version if whole else shown_upto(folded)
    if moment is not None:
        version = min(upto, folded.version_at(written(aware(moment))))
    if version is not None:
        if not 1 <= version <= upto:
            raise not_found("version of this session")
        folded = await state.recorder.at(str(session_id), who.club_id, version)
    return Seen(folded, whole, upto)


async def sat_there(request: Asking, state: State, folded: Folded) -> None:
    """Raises a problem where a player asks who never sat at the table of the session, by none of his ids."""
    who = request.user
    if who.role == "player" and not players(folded) & await state.register.same_person(who.club_id, who.player_id):
        raise Problem(403, "not_allowed", "this is for those who sat at the table")


async def _records(state: State, session_id: str, who: Principal) -> bool:
    """Does the one who asks record this table, or did he once? While nobody else does, any recorder may begin to."""
    recording: bool = await state.leases.may_record(session_id, who, None, take=False)
    return recording


@get("/sessions", opt={"roles": ROLES})
async def sessions(
    request: Asking,
    state: State,
    date_from: Annotated[datetime.date | None, QueryParameter(name="from")] = None,
    date_to: Annotated[datetime.date | None, QueryParameter(name="to")] = None,
    in_play: FromQuery[bool | None] = None,
    player: FromQuery[UUID | None] = None,
    cursor: FromQuery[str | None] = None,
    limit: Limit = 50,
) -> SessionPage:
    """The club's sessions, the latest evening first."""
    before = (datetime.date(9999, 12, 31), UUID(int=2**128 - 1))
    if cursor:
        day, session_id = read_cursor(cursor, (datetime.date, UUID))
        before = (day, session_id)
    arguments: dict[str, Any] = {"from": date_from, "to": date_to}
    found = await fetch(
        state.database.reads,
        "sessions_page",
        _Row,
        club=request.user.club_id,
        in_play=in_play,
        player=player,
        before_date=before[0],
        before_id=before[1],
        limit=limit + 1,
        **arguments,
    )
    page, more = cut(found, limit)
    names = await state.register.names(request.user.club_id, {player for row in page for player in row.players or ()})
    told = [row.told(names) for row in page]
    return SessionPage(told, write_cursor(page[-1].date, page[-1].session_id) if more else None)


async def told_state(request: Asking, state: State, saw: Seen) -> SessionState:
    """The session whole as the one who asks may see it."""
    club = await state.clubs.get(request.user.club_id)
    names = await state.register.names(request.user.club_id, players(saw.folded))
    everything = told_all(request.user.role, club.settings)
    return session_state(saw.folded, names, not saw.whole, club.settings.live_view == "current_trick", everything)


@get("/sessions/{session_id:uuid}", opt={"roles": ROLES, "etag": True})
async def session(
    session_id: FromPath[UUID],
    request: Asking,
    state: State,
    at: FromQuery[Version | None] = None,
    at_time: Moment = None,
) -> Response[SessionState]:
    """The state of a session, now or as it was at a version or a time; the ETag is the version."""
    saw = await seen(request, state, session_id, at, at_time)
    club = await state.clubs.get(request.user.club_id)
    told = await told_state(request, state, saw)
    etag = f'"{saw.folded.version}"' if saw.whole else f'"{saw.folded.version}-{club.settings.live_view}"'
    headers = {"etag": etag, "cache-control": "private, no-cache"}
    if request.headers.get("if-none-match") == etag:
        return Response(None, status_code=304, headers=headers)  # type: ignore[arg-type]
    return Response(told, headers=headers)


@get("/sessions/{session_id:uuid}/log", opt={"roles": ROLES}, responses={200: ResponseSpec(LogPage, media_type=JSON)})
async def log(
    session_id: FromPath[UUID],
    request: Asking,
    state: State,
    after: Annotated[int, QueryParameter(ge=0, le=2_000_000_000)] = 0,
    limit: Limit = 200,
) -> Response[bytes]:
    """The events after a version, exactly as the log keeps them; findings only for those who are told of them."""
    saw = await seen(request, state, session_id)
    limit = min(limit, max(0, saw.upto - after))
    bodies = await state.recorder.log.read(str(session_id), after, limit) if limit else []
    reached = after + len(bodies)
    club = await state.clubs.get(request.user.club_id)
    told = (
        bodies if told_all(request.user.role, club.settings) else redacted(bodies, saw.folded.session.docket.published)
    )
    page = LogPageRaw([msgspec.Raw(b) for b in told], reached if reached < saw.upto and bodies else None, saw.upto)
    return Response(msgspec.json.encode(page), media_type=JSON, headers={"cache-control": "no-store"})


@get("/sessions/{session_id:uuid}/record", opt={"roles": ROLES}, media_type="application/jsonl")
async def record(
    session_id: FromPath[UUID], request: Asking, state: State, effective: FromQuery[bool] = False
) -> Response[bytes]:
    """The session in the record format: every entry, or with `effective` the main line alone."""
    saw = await seen(request, state, session_id)
    folded = saw.folded
    if saw.upto < folded.version:
        folded = await state.recorder.at(str(session_id), request.user.club_id, saw.upto)
    names = await state.register.names(request.user.club_id, players(folded))
    told = entries_in_force(folded, names) if effective else all_entries(folded, names)
    lines = b"".join(format_entry(entry) + b"\n" for entry in told)
    return Response(lines, media_type="application/jsonl", headers={"cache-control": "no-store"})


@post("/sessions/{session_id:uuid}/void", opt={"roles": ("director", "admin")}, status_code=200)
async def void(session_id: FromPath[UUID], data: JSONBody[VoidRequest], request: Asking, state: State) -> SessionState:
    """Takes a session out of every statistic; it stays in the log."""
    for _ in range(TRIES):
        folded = await state.recorder.load(str(session_id), request.user.club_id)
        if folded is None:
            raise not_found("session")
        if await state.voiding(folded, data.reason, written_when_voided(folded)):
            break
    else:
        raise Problem(409, "version_conflict", "others are recording in this session without a pause; try again")
    return await told_state(request, state, await seen(request, state, session_id))


@get("/sessions/{session_id:uuid}/stream", opt={"roles": ROLES}, media_type="text/event-stream")
async def stream(session_id: FromPath[UUID], request: Asking, state: State) -> ServerSentEvent:
    """Server-sent events: `state` with the version, whenever the session has moved. The id of each is its version."""
    if await state.recorder.load(str(session_id), request.user.club_id) is None:
        raise not_found("session")
    last = request.headers.get("last-event-id", "")
    seen_version = int(last) if last.isascii() and last.isdigit() and len(last) < 10 else 0
    return ServerSentEvent(_follow(request, state, str(session_id), seen_version))


async def _follow(request: Asking, state: State, session_id: str, sent: int) -> AsyncIterator[ServerSentEventMessage]:
    club_id = request.user.club_id
    quiet = 0.0
    step = min(state.settings.heartbeat, state.settings.key_trust)
    with state.watch.listening(session_id) as heard:
        while not state.stopping.is_set() and await _still_in(request, state):
            heard.clear()
            folded = await state.recorder.load(session_id, club_id)
            if folded is None:
                return
            if folded.version != sent:
                sent, quiet = folded.version, 0.0
                yield ServerSentEventMessage(data=f'{{"version":{sent}}}', event="state", id=str(sent), retry=2000)
            try:
                await asyncio.wait_for(heard.wait(), step)
            except TimeoutError:
                quiet += step
                if quiet >= state.settings.heartbeat:
                    quiet = 0.0
                    yield ServerSentEventMessage(comment="still here")


async def _still_in(request: Asking, state: State) -> bool:
    """Is the key that opened the stream still in force?"""
    header = request.headers.get("authorization")
    if header is not None:
        return await state.secrets.principal(header.partition(" ")[2].strip(), "key_by_digest") is not None
    cookie = request.cookies.get(COOKIE, "")
    return await state.secrets.principal(cookie, "browser_by_digest") is not None


@get("/sessions/{session_id:uuid}/lease", opt={"roles": ROLES})
async def lease(session_id: FromPath[UUID], request: Asking, state: State) -> LeaseAnswer:
    """Who records the session now."""
    await _in_club(session_id, request, state)
    holder = await state.leases.holder(str(session_id))
    takings = await state.leases.takings(str(session_id))
    return LeaseAnswer(holder, holder is not None and holder.key_id == request.user.key_id, takings)


@put("/sessions/{session_id:uuid}/lease", opt={"roles": ("recorder", "director")})
async def take_lease(
    session_id: FromPath[UUID], data: JSONBody[LeaseRequest], request: Asking, state: State
) -> LeaseAnswer:
    """Takes or keeps the table. Sent again every few seconds it is the heartbeat of the one who records."""
    await _in_club(session_id, request, state)
    holder, mine = await state.leases.ask(str(session_id), request.user, data.device, data.take)
    return LeaseAnswer(holder, mine)


@delete("/sessions/{session_id:uuid}/lease", opt={"roles": ("recorder", "director")}, status_code=204)
async def give_lease_back(
    session_id: FromPath[UUID], request: Asking, state: State, device: FromQuery[str | None] = None
) -> None:
    """Gives the table back, so that another tablet need not take it over."""
    await _in_club(session_id, request, state)
    await state.leases.release(str(session_id), request.user, device)


async def _in_club(session_id: UUID, request: Asking, state: State) -> Folded:
    folded: Folded | None = await state.recorder.load(str(session_id), request.user.club_id, current=False)
    if folded is None:
        raise not_found("session")
    return folded


ROUTES = [
    open_session,
    record_entries,
    sessions,
    session,
    log,
    record,
    void,
    stream,
    lease,
    take_lease,
    give_lease_back,
]
