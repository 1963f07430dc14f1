"""The record format: JSON Lines of entries, read, written and replayed without a database."""

from collections.abc import Iterable
from typing import Any

import msgspec

from domain.entries import AnyEntry
from domain.entry_events import entry_of
from domain.game import Closed, DealRow, Unopened, phase
from domain.refusal import Refusal
from domain.session import Session, initial, record, skipped
from domain.text import UNREAD, Malformed, said
from domain.value import Value

_decoder = msgspec.json.Decoder(AnyEntry)
_encoder = msgspec.json.Encoder()


def parse_line(line: bytes | str) -> AnyEntry:
    """The entry on a line; raises `Malformed` with what is wrong and where."""
    try:
        return _decoder.decode(line)
    except UNREAD as error:
        raise Malformed(said(error)) from error


def format_entry(entry: AnyEntry) -> bytes:
    """The line of an entry, without a line break; the inverse of `parse_line`."""
    return _encoder.encode(entry)


class Refused(Value, frozen=True):
    """A line of a record that was not taken."""

    number: int
    line: int
    entry: str | None
    code: str
    rule: int | None
    message: str


class Replay(Value, frozen=True):
    """A record folded as far as it goes."""

    session: Session
    refused: tuple[Refused, ...]

    @property
    def malformed(self) -> bool:
        return any(refused.code == "malformed" for refused in self.refused)


def replay(lines: Iterable[bytes], keep_going: bool = False) -> Replay:
    """Folds a record; stops at the first entry that is not taken, or with `keep_going` skips and lists those."""
    session, refused = initial(), []
    known: dict[str, int] = {}
    for line, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        problem: Refusal
        kind: str | None = None
        try:
            entry = parse_line(text)
            kind = str(entry.__struct_config__.tag)
            if entry.id is not None and entry.id in known:
                told = f"the id {entry.id!r} is that of entry {known[entry.id]} already"
                taken: tuple[Session, object] | Refusal = Refusal("id_reused", told, family="conflict")
            else:
                taken = record(session, entry)
            if not isinstance(taken, Refusal):
                session = taken[0]
                if entry.id is not None:
                    known[entry.id] = session.number
                continue
            problem = taken
        except Malformed as error:
            kind = kind or _kind_of(text)
            problem = Refusal("malformed", str(error), family="malformed")
        code = "malformed" if problem.family == "malformed" else problem.code
        refused.append(Refused(session.number + 1, line, kind, code, problem.rule, problem.message))
        if not keep_going:
            break
        session = skipped(session)
    return Replay(session, tuple(refused))


def _kind_of(text: bytes) -> str | None:
    try:
        read = msgspec.json.decode(text)
    except UNREAD:
        return None
    kind = read.get("entry") if isinstance(read, dict) else None
    return kind if isinstance(kind, str) else None


def replay_object(replayed: Replay) -> dict[str, Any]:
    """What `boston replay` prints: the phase, the deals, the money and what was refused."""
    game = replayed.session.game
    shown: dict[str, Any] = {"ruleset": None, "phase": phase(game), "deals": [], "balances": None, "pool": None}
    if not isinstance(game, Unopened):
        base = game.base
        shown |= {
            "ruleset": base.rules.id,
            "deals": [row_object(row) for row in base.rows],
            "balances": base.balances,
            "pool": base.pool,
        }
    if isinstance(game, Closed):
        shown |= {"balances": game.final, "pool": (0, 0), "final": game.final, "winners": game.winners}
    shown["refused"] = replayed.refused
    built: dict[str, Any] = msgspec.to_builtins(shown)
    return built


def row_object(row: DealRow) -> dict[str, Any]:
    """One line of the score sheet with the keys that its outcome has."""
    shown: dict[str, Any] = {"dealer": row.dealer, "counts": row.counts, "outcome": row.outcome}
    if row.contract is not None:
        shown |= {"contract": row.contract, "preference": row.preference, "caller": row.caller, "trumps": row.trumps}
    if row.tricks is not None:
        shown["tricks"] = row.tricks
    if row.contract is not None:
        shown["shortfall"] = row.shortfall
    if row.conceded:
        shown["conceded"] = True
    if row.deltas is not None:
        shown["deltas"] = row.deltas
    shown |= {"balances": row.balances, "pool": row.pool}
    built: dict[str, Any] = msgspec.to_builtins(shown)
    return built


__all__ = ["Refused", "Replay", "entry_of", "format_entry", "parse_line", "replay", "replay_object", "row_object"]
