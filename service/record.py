"""Recording: load the session, let the domain decide, append, answer.

A batch is only a parcel. An entry's own id is its idempotency key: entries that the log knows are
answered, not repeated, whichever batch brings them; a known id with another content is an error. What
is left is taken if it builds on the head, as a whole or not at all. Otherwise the answer is a conflict
with what was missed, and with a dry run of the same entries on top of the head. A dry run, a refusal and a
conflict use up nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Protocol

import msgspec
from msgspec.structs import replace
from psycopg import errors

from domain.entries import AnyEntry, Open
from domain.entry_events import entry_of
from domain.evolve import Impossible
from domain.game import Unopened, phase
from domain.refusal import Refusal
from domain.session import Session, decide, evolve
from domain.text import UNREAD
from service import texts
from service.append import Also, Append, Opening
from service.envelope import Actor, Envelope, Sealed, now, seal
from service.folded import Cache, Folded, Tampered
from service.lines import Lines, followed
from service.log import InDoubt, Log
from service.seating import called, seated
from service.texts import Text

TRIES = 8
"""How often a batch that names no base is put on top of a head that others keep moving."""


class Players(msgspec.Struct, frozen=True):
    """The ids of players by what an entry calls them, and what must be written to know them from now on."""

    ids: dict[str, str]
    also: tuple[Also, ...] = ()


class Register(Protocol):
    """The club's register of players."""

    async def players(self, club_id: str, names: Sequence[str], beside: Collection[str] = ()) -> Players | Refusal:
        """The players called so, by name or id; new ones are added by the statements that come along.

        `beside` are the ids of those who sit in the session too.
        """
        ...


class Standing(msgspec.Struct, frozen=True):
    """The session right before an entry of a batch, with its lines as the log knows them."""

    folded: Folded
    session: Session
    lines: Lines

    def hash_of(self, line: int) -> str | None:
        """The hash that a line of the score sheet is bound to; none where the batch itself has changed it."""
        version = self.lines[line - 1].version
        return self.folded.hashes[version - 1].hex() if version <= self.folded.version else None


Allow = Callable[[Standing, AnyEntry], Refusal | None]
"""What the service forbids although the game allows it: None, or why not."""

Rows = Callable[[Folded, Sequence[Envelope]], Iterable[Also]]
"""What the projections write with an append: the session before it, and the events appended."""


class Problem(msgspec.Struct, frozen=True):
    """Why an entry of a batch is not taken: its place in the batch from 0, and the number it would have had."""

    index: int
    number: int
    refusal: Refusal


class Answer(msgspec.Struct, frozen=True):
    """An entry's number in the session. `replayed`: it was in the log already."""

    number: int
    id: str | None
    replayed: bool


class Foreseen(msgspec.Struct, frozen=True):
    """A session as it will stand once an append is written, and what will be told of the batch then."""

    session_id: str
    club_id: str
    session: Session
    version: int
    entries: list[Answer]
    events: list[bytes]


Meanwhile = Callable[[Foreseen], Awaitable[None]]
"""What is done while an append is being written; it prepares what is told if that succeeds, and raises nothing."""


class Recorded(msgspec.Struct, frozen=True):
    """The batch is in the log, or would be after a dry run; `events` are its bodies as they stand there."""

    folded: Folded
    entries: list[Answer]
    events: list[bytes]


class Rejected(msgspec.Struct, frozen=True):
    """The batch was not taken, with every problem that was found. `folded` is None where there is no such session."""

    folded: Folded | None
    problems: list[Problem]


class Conflicted(msgspec.Struct, frozen=True):
    """The batch builds on another version than the head's: what was missed, and what a rebase would find."""

    folded: Folded
    missed: list[bytes]
    problems: list[Problem]

    @property
    def accepted(self) -> bool:
        """Would the same entries be taken on top of the head?"""
        return not self.problems


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """Entries to record in one session of a club. `expected` is the version they build on; None takes any head."""

    club_id: str
    session_id: str
    entries: tuple[AnyEntry, ...]
    expected: int | None = None
    actor: Actor = Actor()
    dry_run: bool = False
    digest: bytes | None = None


class _Sorted(msgspec.Struct):
    """A batch against what the log knows: the version of each known entry by place, and the places of fresh ones."""

    known: dict[int, int]
    twins: dict[int, int]
    fresh: list[int]
    problems: list[Problem]


class _Judged(msgspec.Struct):
    """What the domain says of the fresh entries."""

    session: Session
    lines: Lines
    envelopes: list[Envelope]
    numbers: dict[int, int]
    texts: list[Text]
    also: list[Also]
    problems: list[Problem]


class Recorder:
    """Records batches in one log."""

    def __init__(self, log: Log, register: Register, rows: Rows | None = None, keep: int = 256) -> None:
        self.log = log
        self._register = register
        self._rows = rows
        self._cache = Cache(keep)

    async def load(self, session_id: str, club_id: str, *, current: bool = True) -> Folded | None:
        """The session as the log has it; None where the club has no such session.

        With `current` false a version that another process has moved on from may be given, without asking the log.
        """
        folded = await self._load(session_id, current)
        return folded if folded is not None and folded.club_id == club_id else None

    async def _load(self, session_id: str, current: bool) -> Folded | None:
        """The session of whichever club it is."""
        folded = self._cache.get(session_id)
        return await self._read(session_id, folded) if folded is None or current else folded

    async def at(self, session_id: str, club_id: str, version: int) -> Folded | None:
        """The session as it was right after a version; None where there is no such session or version."""
        folded = await self.load(session_id, club_id)
        if folded is None or not 1 <= version <= folded.version:
            return None
        kept = Folded(session_id, club_id, voided=folded.voided, texts=folded.texts)
        return kept.read(await self.log.read(session_id, limit=version))

    async def record(
        self, batch: Batch, allow: Allow | None = None, meanwhile: Meanwhile | None = None
    ) -> Recorded | Rejected | Conflicted:
        """Records a batch. Raises `InDoubt` and `Unavailable` like `Log.append`, and `Tampered`."""
        folded = await self._load(batch.session_id, batch.dry_run)
        opening = _opens(batch)
        if opening and batch.expected is None:
            batch = replace(batch, expected=0)
        if folded is None and opening:
            folded = Folded(batch.session_id, batch.club_id)
        if folded is None or folded.club_id != batch.club_id:
            return _not_of_the_club(opening)
        for _ in range(TRIES):
            try:
                answer = await self._try(batch, folded, allow, meanwhile)
            except errors.UniqueViolation as error:
                if error.diag.constraint_name != "player_names_claimed":
                    raise
                # Another session has brought a player of the same new name at the same moment; now he is known.
                continue
            if answer is not None:
                return answer
            moved = await self._read(batch.session_id, folded if folded.version else None)
            if moved is None:
                # Removed by the owner, with its club, while it was remembered here.
                self._cache.drop(batch.session_id)
                return _not_of_the_club(opening=False)
            if moved.club_id != batch.club_id:
                return _not_of_the_club(opening)
            if moved.version == folded.version and moved.voided == folded.voided:
                raise Tampered(f"session {batch.session_id} does not take an append on its own head {moved.version}")
            folded = moved
        return await self._conflict(batch, folded, await self._sort(batch, folded), allow)

    async def _try(
        self, batch: Batch, folded: Folded, allow: Allow | None, meanwhile: Meanwhile | None
    ) -> Recorded | Rejected | Conflicted | None:
        """One attempt on top of a version; None when the log has moved on from it."""
        sorted_ = await self._sort(batch, folded)
        if sorted_.problems:
            return Rejected(folded, sorted_.problems)
        # Read before anything is written: what fails here has recorded nothing.
        known = await self._known(folded, sorted_)
        if not sorted_.fresh:
            return Recorded(folded, _answers(batch, folded, sorted_, {}), known)
        if folded.voided:
            text = "this session was voided; nothing is recorded in it any more"
            return Rejected(
                folded, [Problem(0, folded.session.number + 1, Refusal("session_voided", text, family="conflict"))]
            )
        if batch.expected is not None and _base(folded, batch.expected, sorted_) != folded.version:
            if await self._outdated(folded):
                return None
            return await self._conflict(batch, folded, sorted_, allow)
        judged = await self._judge(batch, folded, sorted_.fresh, allow)
        if judged.problems:
            return None if await self._outdated(folded) else Rejected(folded, judged.problems)
        events = seal(folded.hash, judged.envelopes)
        entries, bodies = _answers(batch, folded, sorted_, judged.numbers), [event.body for event in events]
        if not batch.dry_run:
            version = folded.version + len(events)
            foreseen = Foreseen(folded.session_id, folded.club_id, judged.session, version, entries, bodies)
            prepare = None if meanwhile is None or sorted_.known else partial(meanwhile, foreseen)
            if not await self._append(batch, folded, judged, events, prepare):
                return None
        after = self._after(batch, folded, judged, events)
        return Recorded(after, entries, [*known, *bodies])

    async def _outdated(self, folded: Folded) -> bool:
        """Has the log moved on from a version? What is refused is refused by the head, not by an old memory of it."""
        head = await self.log.head(folded.session_id)
        return head is not None and head.version != folded.version

    async def _append(
        self,
        batch: Batch,
        folded: Folded,
        judged: _Judged,
        events: list[Sealed],
        prepare: Callable[[], Awaitable[None]] | None,
    ) -> bool:
        also = judged.also
        # A player's new name can be told only once it is written.
        prepare = None if also or not folded.version else prepare
        if judged.texts:
            also.append(texts.keep(folded.session_id, judged.texts))
        if self._rows is not None:
            also.extend(self._rows(folded, judged.envelopes))
        append = Append(
            session_id=folded.session_id,
            base=folded.version,
            base_hash=folded.hash,
            events=events,
            phase=phase(judged.session.game),
            opening=None if folded.version else _opening(batch),
            also=also,
        )
        written = self.log.begin(append)
        try:
            if prepare is not None:
                # The statements are out, and the disk takes longer than what is prepared here.
                await prepare()
            return await written
        except InDoubt:
            self._cache.drop(folded.session_id)
            raise

    def _after(self, batch: Batch, folded: Folded, judged: _Judged, events: list[Sealed]) -> Folded:
        if batch.dry_run:
            # What is not in the log must not get into what later versions share.
            told = folded.envelopes[: folded.version]
            chain = folded.hashes[: folded.version]
            folded = replace(folded, envelopes=told, hashes=chain, ids=dict(folded.ids), texts=dict(folded.texts))
        hashes = [event.hash for event in events]
        after = folded.moved(judged.session, judged.envelopes, hashes, judged.lines, judged.texts)
        if not batch.dry_run:
            self._cache.put(after)
        return after

    async def _sort(self, batch: Batch, folded: Folded) -> _Sorted:
        """Which entries of a batch the log knows already, by their ids, or by their place where a session is opened."""
        if len(batch.entries) == 1 and batch.entries[0].id not in folded.ids and not _opens(batch):
            return _Sorted({}, {}, [0], [])
        known: dict[int, int] = {}
        twins: dict[int, int] = {}
        fresh: list[int] = []
        problems: list[Problem] = []
        first: dict[str, int] = {}
        opening = folded.primaries() if folded.version and _opens(batch) else []
        for index, entry in enumerate(batch.entries):
            version = None if entry.id is None else folded.ids.get(entry.id)
            if version is not None and version > folded.version:
                version = None
            if version is None and entry.id is None and index < len(opening) and opening[index].id is None:
                version = opening[index].version
            if version is not None:
                known[index] = version
                if not await self.same(folded, version, entry):
                    problems.append(_reused(index, entry, folded.envelopes[version - 1].entry))
            elif entry.id is not None and entry.id in first:
                twins[index] = first[entry.id]
                if batch.entries[first[entry.id]] != entry:
                    problems.append(_reused(index, entry, 0))
            else:
                fresh.append(index)
                if entry.id is not None:
                    first[entry.id] = index
        return _Sorted(known, twins, fresh, problems)

    async def same(self, folded: Folded, version: int, sent: AnyEntry) -> bool:
        """Does an entry say the same as the one whose first event has this version?"""
        envelope = folded.envelopes[version - 1]
        known = entry_of(envelope.data, envelope.id, envelope.tablet)
        if known is None:
            return False
        names = called(sent)
        if names:
            players = await self._register.players(folded.club_id, names)
            # Names that are no longer clear prove no difference: they stand for whoever sits there.
            ids = dict(zip(names, called(known), strict=False)) if isinstance(players, Refusal) else players.ids
            sent = seated(sent, ids)
        return texts.same(known, sent, folded.texts)

    async def _judge(self, batch: Batch, folded: Folded, fresh: Sequence[int], allow: Allow | None) -> _Judged:
        """Lets the domain decide each fresh entry on top of those before it; a refused one is left out of the rest."""
        judged = _Judged(folded.session, folded.lines, [], {}, [], [], [])
        device, at = self._device(batch.actor, folded, judged), now()
        ids: dict[str, str] = {}
        for index in fresh:
            sent = batch.entries[index]
            entry, hidden = texts.hide(sent)
            names = called(sent)
            if names:
                if unknown := [name for name in names if name not in ids]:
                    beside = _sitting(judged.session) | {ids[name] for name in names if name in ids}
                    players = await self._register.players(folded.club_id, unknown, beside)
                    if isinstance(players, Refusal):
                        judged.problems.append(Problem(index, judged.session.number + 1, players))
                        continue
                    ids |= players.ids
                    judged.also.extend(players.also)
                entry = seated(entry, ids)
            standing = Standing(folded, judged.session, judged.lines)
            decided = (allow(standing, sent) if allow is not None else None) or decide(judged.session, entry)
            if isinstance(decided, Refusal):
                problem = Problem(index, judged.session.number + 1, _named(decided, ids))
                judged.problems.append(problem)
                continue
            judged.texts.extend(hidden)
            number = judged.numbers[index] = judged.session.number + 1
            before = judged.session
            for event in decided:
                judged.session = evolve(judged.session, event)
                primary = event is decided[0]
                version = folded.version + len(judged.envelopes) + 1
                judged.envelopes.append(
                    Envelope(
                        session=folded.session_id,
                        version=version,
                        entry=number,
                        id=entry.id if primary else None,
                        club=folded.club_id if version == 1 else None,
                        key=batch.actor.key,
                        role=batch.actor.role,
                        device=device,
                        second=batch.actor.second,
                        at=at,
                        tablet=entry.time if primary else None,
                        data=event,
                    )
                )
            judged.lines = followed(judged.lines, before, judged.session, decided[0], judged.envelopes[-1].version, at)
        return judged

    def _device(self, actor: Actor, folded: Folded, judged: _Judged) -> str | None:
        """The digest of the device's name, the same throughout a session."""
        if actor.device is None:
            return None
        for text in folded.texts.values():
            if text.text == actor.device:
                return text.digest
        judged.texts.append(texts.salted(actor.device))
        return judged.texts[-1].digest

    async def _known(self, folded: Folded, sorted_: _Sorted) -> list[bytes]:
        """The bodies of the events of entries that the log knew already."""
        bodies: list[bytes] = []
        for version in sorted_.known.values():
            of = folded.entry_versions(version)
            bodies += await self.log.read(folded.session_id, of.start - 1, len(of))
        return bodies

    async def _conflict(self, batch: Batch, folded: Folded, sorted_: _Sorted, allow: Allow | None) -> Conflicted:
        expected = folded.version if batch.expected is None else batch.expected
        missed = await self.log.read(batch.session_id, expected) if expected < folded.version else []
        judged = await self._judge(batch, folded, sorted_.fresh, allow)
        return Conflicted(folded, missed, judged.problems)

    async def _read(self, session_id: str, folded: Folded | None) -> Folded | None:
        """The session as the log has it now, read on from what is known of it."""
        head = await self.log.head(session_id)
        if head is None:
            return None
        known = folded
        cached = folded is not None and folded.version <= head.version
        if folded is None or not cached:
            folded = Folded(session_id, head.club_id)
        if folded.version < head.version:
            bodies = await self.log.read(session_id, folded.version, head.version - folded.version)
            try:
                folded = folded.read(bodies)
            except (*UNREAD, Impossible) as error:
                raise Tampered(f"the events of session {session_id} do not fold") from error
        if folded.version != head.version or folded.hash != head.hash or folded.session.number != head.entries:
            self._cache.drop(session_id)
            if cached:
                return await self._read(session_id, None)
            raise Tampered(f"the events of session {session_id} do not agree with its head")
        if folded is not known or folded.erasures != head.erasures:
            kept = await self.log.texts(session_id)
            told = {digest: Text(digest, salt, text) for digest, salt, text in kept}
            folded = replace(folded, texts=told, erasures=head.erasures)
        if folded.voided != head.voided:
            folded = replace(folded, voided=head.voided)
        self._cache.put(folded)
        return folded


def _answers(batch: Batch, folded: Folded, sorted_: _Sorted, numbers: Mapping[int, int]) -> list[Answer]:
    """The number of each entry, whether it was known already or is fresh; `numbers` are those of the fresh ones."""
    answers = []
    for index, entry in enumerate(batch.entries):
        if index in sorted_.known:
            answers.append(Answer(folded.envelopes[sorted_.known[index] - 1].entry, entry.id, True))
        else:
            of_twin = sorted_.twins.get(index)
            answers.append(Answer(numbers[index if of_twin is None else of_twin], entry.id, of_twin is not None))
    return answers


def _base(folded: Folded, expected: int, sorted_: _Sorted) -> int:
    """The version that the fresh entries build on: that of the known entry which the batch puts right before them.

    That entry was taken on its own base, so whoever sends them together has seen everything up to it.
    """
    if not sorted_.known:
        return expected
    before = [version for index, version in sorted_.known.items() if index < sorted_.fresh[0]]
    return max([expected, *(folded.entry_versions(version)[-1] for version in before)])


def _sitting(session: Session) -> set[str]:
    """The ids of all who sat in a session at any time."""
    seatings = () if isinstance(session.game, Unopened) else session.game.base.seatings
    return {player for seating in seatings for player in seating.seats}


def _named(refusal: Refusal, ids: Mapping[str, str]) -> Refusal:
    """The refusal with players called in its sentence as the batch called them."""
    message = refusal.message
    for name, player_id in ids.items():
        message = message.replace(player_id, name)
    return replace(refusal, message=message)


def _opens(batch: Batch) -> bool:
    return bool(batch.entries) and type(batch.entries[0]) is Open


def _not_of_the_club(opening: bool) -> Rejected:
    """The answer where the club has no such session: its id is nobody's, or another club's."""
    if opening:
        refusal = Refusal("session_exists", "this session id is taken; make another", family="conflict")
        return Rejected(None, [Problem(0, 1, refusal)])
    refusal = Refusal("session_not_found", "there is no such session", family="not_found")
    return Rejected(None, [Problem(0, 0, refusal)])


def _opening(batch: Batch) -> Opening:
    entry = batch.entries[0]
    assert isinstance(entry, Open)
    return Opening(
        club_id=batch.club_id, date=entry.date, ruleset=entry.ruleset, table=entry.table, digest=batch.digest
    )


def _reused(index: int, entry: AnyEntry, number: int) -> Problem:
    if entry.id is None:
        text = f"the session is there already, and its entry {number} says something else; make another session id"
        return Problem(index, number, Refusal("session_exists", text, family="conflict"))
    where = f"entry {number}" if number else "an earlier entry of the same batch"
    text = f"the id {entry.id!r} belongs to {where}, which says something else; give a new entry a new id"
    return Problem(index, number, Refusal("id_reused", text, family="conflict", facts={"id": entry.id}))
