"""Recording over HTTP: what a body of entries is read as, and what is answered, whichever route or door brought it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec
from litestar.openapi.datastructures import ResponseSpec

from domain.entries import AnyEntry, Name
from domain.refusal import Refusal
from domain.session import Session
from service.api.bodies import JSON, check_media, decoded
from service.clubs import Clubs
from service.envelope import Actor, Envelope
from service.findings import redacted, told_all
from service.leases import Leases
from service.log import InDoubt, Unavailable
from service.policy import Permission
from service.principal import Keys, Principal
from service.problems import EntryProblem, Problem, not_found, refused
from service.record import Answer, Batch, Conflicted, Foreseen, Recorder, Rejected
from service.record import Problem as BatchProblem
from service.register import Register
from service.state import Standing, TableState, players, table_state
from service.told import Told

BATCH = 500
Version = Annotated[int, msgspec.Meta(ge=0, le=2_000_000_000)]


class RecordRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Entries in the record format, taken whole or not at all.

    `expected_version` is the version that they build on; without it, and without `If-Match`, any is taken.
    `second_key` is the secret of another director's or an admin's key, who agrees where one key is not enough.
    """

    entries: Annotated[tuple[AnyEntry, ...], msgspec.Meta(min_length=1, max_length=BATCH)]
    expected_version: Version | None = None
    dry_run: bool = False
    device: Name | None = None
    second_key: Annotated[str, msgspec.Meta(min_length=1, max_length=200)] | None = None


class RecordAnswer(msgspec.Struct, frozen=True):
    """What was recorded: each entry's number, the events with their envelopes, and the table afterwards.

    `second_key_needed` says of a dry run that a second key will have to agree.
    """

    session_id: str
    version: int
    entries: list[Answer]
    events: list[msgspec.Raw]
    state: TableState
    dry_run: bool = False
    second_key_needed: bool = False


class RecordAnswerShape(msgspec.Struct, frozen=True):
    """What was recorded: each entry's number, the events with their envelopes, and the table afterwards.

    `second_key_needed` says of a dry run that a second key will have to agree.
    """

    session_id: str
    version: int
    entries: list[Answer]
    events: list[Envelope]
    state: TableState
    dry_run: bool = False
    second_key_needed: bool = False


RECORDED = ResponseSpec(RecordAnswerShape, description="Recorded, and durable", media_type=JSON)
_encode = msgspec.json.Encoder().encode
_record_request = msgspec.json.Decoder(RecordRequest)


class Recording:
    """Takes entries from those who may record them."""

    def __init__(self, recorder: Recorder, keys: Keys, clubs: Clubs, register: Register, leases: Leases) -> None:
        self._recorder, self._keys, self._clubs = recorder, keys, clubs
        self._register, self._leases = register, leases

    async def entries(self, who: Principal, session_id: str, headers: Mapping[bytes, bytes], body: bytes) -> Told:
        """Records the entries of a body in a session; raises problems."""
        check_media(headers.get(b"content-type", b"").decode("latin-1"))
        asked = decoded(body, _record_request)
        if who.role == "recorder" and not self._leases.is_known(session_id, who):
            if await self._recorder.load(session_id, who.club_id, current=False) is None:
                raise not_found("session")
            await self.hold_table(who, session_id, asked.device, take=not asked.dry_run)
        match = headers.get(b"if-match")
        if match is not None and asked.expected_version is None:
            asked = msgspec.structs.replace(asked, expected_version=_etag_version(match.decode("latin-1")))
        return await self.record(who, session_id, asked, 200)

    async def hold_table(self, who: Principal, session_id: str, device: str | None, take: bool) -> None:
        """Raises a problem where the one who asks is a recorder and another tablet records the table."""
        if who.role == "recorder" and not await self._leases.may_record(session_id, who, device, take=take):
            raise Problem(409, "table_taken", "another tablet records this table; take it over first")

    async def record(self, who: Principal, session_id: str, asked: RecordRequest, status: int) -> Told:
        """Records entries as asked; raises problems."""
        club = await self._clubs.get(who.club_id)
        second = None if asked.second_key is None else await self._agreeing(who, asked.second_key)
        mine = await self._register.same_person(who.club_id, who.player_id) if who.role == "player" else frozenset()
        permission = Permission(who, mine, club.settings, second, asked.dry_run)
        batch = Batch(
            club_id=who.club_id,
            session_id=session_id,
            entries=asked.entries,
            expected=asked.expected_version,
            actor=Actor(
                key=who.key_id,
                role=who.role,
                device=asked.device or who.name,
                second=None if second is None else second.key_id,
            ),
            dry_run=asked.dry_run,
        )
        narrow, current_trick = who.role == "player", club.settings.live_view == "current_trick"
        everything = told_all(who.role, club.settings)

        async def table(standing: Standing) -> TableState:
            names = await self._register.names(who.club_id, players(standing))
            return table_state(standing, names, narrow, current_trick)

        async def told(standing: Standing, entries: list[Answer], events: list[bytes]) -> Told:
            shown = events if everything else redacted(events, standing.session.docket.published)
            recorded = RecordAnswer(
                session_id,
                standing.version,
                entries,
                [msgspec.Raw(body) for body in shown],
                await table(standing),
                asked.dry_run,
                asked.dry_run and permission.second_needed,
            )
            return Told(status, JSON, {"etag": f'"{standing.version}"'}, _encode(recorded))

        foreseen: tuple[Session, Told] | None = None

        async def meanwhile(if_written: Foreseen) -> None:
            nonlocal foreseen
            try:
                foreseen = if_written.session, await told(if_written, if_written.entries, if_written.events)
            except Unavailable:
                # A name cannot be asked for; what became of the append is still waited for.
                foreseen = None

        answer = await self._recorder.record(batch, permission, meanwhile)
        if isinstance(answer, Rejected):
            raise _rejected(answer)
        if isinstance(answer, Conflicted):
            published = answer.folded.session.docket.published
            missed = [] if narrow else answer.missed if everything else redacted(answer.missed, published)
            raise _conflict(answer, await table(answer.folded), missed)
        if foreseen is not None and answer.folded.session is foreseen[0]:
            return foreseen[1]
        try:
            return await told(answer.folded, answer.entries, answer.events)
        except Unavailable as error:
            if asked.dry_run:
                raise
            # It is not true any more that nothing was written.
            raise InDoubt(f"the entries are recorded, and the table cannot be told: {error}") from error

    async def _agreeing(self, who: Principal, key: str) -> Principal:
        """Who agrees by a second key: another director or an admin of the club; raises a problem for any other key."""
        second = await self._keys.principal(key, "key_by_digest")
        if second is None or second.club_id != who.club_id or second.role not in ("director", "admin"):
            raise Problem(403, "second_key_needed", "the second key is not in force as a director's or an admin's key")
        if second.key_id == who.key_id:
            raise Problem(403, "second_key_needed", "the second key has to be another one than the key that asks")
        return second


def _etag_version(etag: str) -> int:
    plain = etag.strip().removeprefix("W/").strip('"')
    if not (plain.isascii() and plain.isdigit()) or len(plain) > 9:
        raise Problem(400, "malformed", "If-Match carries the version of the session, as its ETag did")
    return int(plain)


def _problems(problems: list[BatchProblem]) -> list[EntryProblem]:
    return [
        EntryProblem(p.index, p.number, p.refusal.code, p.refusal.message, p.refusal.rule, p.refusal.facts)
        for p in problems
    ]


def _rejected(answer: Rejected) -> Problem:
    first: Refusal = answer.problems[0].refusal
    problem = refused(first)
    problem.details = msgspec.structs.replace(
        problem.details,
        problems=_problems(answer.problems),
        version=answer.folded.version if answer.folded is not None else None,
    )
    return problem


def _conflict(answer: Conflicted, table: TableState, missed: list[bytes]) -> Problem:
    version = answer.folded.version
    rebase = {"accepted": answer.accepted, "problems": msgspec.to_builtins(_problems(answer.problems))}
    return Problem(
        409,
        "version_conflict",
        f"the session has moved on to version {version}; what was missed is listed",
        version=version,
        missed=[msgspec.Raw(body) for body in missed],
        rebase=rebase,
        state=msgspec.Raw(_encode(table)),
    )
