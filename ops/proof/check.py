"""One file by itself: what kind it is, whether everything in it is as it was signed, and what it claims."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec

from domain.text import UNREAD, Malformed
from ops.proof.evidence import Claim, Evidence, read_hash, read_head
from ops.proof.reported import check_record
from ops.proof.settled import settled
from service.envelope import GENESIS, link
from service.proof import tree
from service.proof.bundle import Checkpointed, Event, Free, Heading, Key, Part, Person, Sealed, Stands
from service.proof.checkpoints import CheckpointFile
from service.proof.receipts import ReceiptFile, digest_of
from service.proof.statement import Checkpoint, Receipt, Seal, fingerprint, key_id, split_short
from service.texts import digest


class Entry(Part, frozen=True, tag="entry"):
    """An entry of a bundle as it was read, before it is held against its event."""

    entry: dict[str, Any]


ORDER = (Heading, Key, Checkpointed, Event, Entry, Free, Person, Stands, Sealed)
_part: msgspec.json.Decoder[Any] = msgspec.json.Decoder(
    Heading | Key | Checkpointed | Event | Entry | Free | Person | Stands | Sealed
)
_file: msgspec.json.Decoder[Any] = msgspec.json.Decoder(ReceiptFile | CheckpointFile)
_BLANK = " \t\r\n"
_anything = msgspec.json.Decoder()


def check(name: str, content: bytes) -> Evidence:
    """What a file comes to, whatever it is."""
    told = Evidence(name)
    try:
        text = content.decode().removeprefix("\ufeff").strip(_BLANK)
    except UnicodeDecodeError:
        told.find("unreadable")
        return told
    lines = [line for line in (line.rstrip("\r") for line in text.split("\n")) if line.strip(_BLANK)]
    if not text.startswith("{"):
        _check_code(told, text)
    elif (kind := _kind(text)) in ("receipt", "checkpoint"):
        told.kind = kind
        try:
            file = _file.decode(text)
        except UNREAD:
            told.find("unreadable")
            return told
        (_check_receipt if isinstance(file, ReceiptFile) else _check_checkpoint)(told, file)
    elif kind == "bundle" or len(lines) > 1:
        _check_bundle(told, lines)
    else:
        told.find("unreadable" if text.endswith("}") else "cut")
    return told


def _kind(text: str) -> str:
    """What a file of one object says that it is."""
    try:
        read = _anything.decode(text)
    except UNREAD:
        return ""
    return str(read.get("type", "")) if isinstance(read, dict) else ""


def _check_code(told: Evidence, text: str) -> None:
    """The short form of a receipt or a checkpoint, as a QR code holds it, or the address that it opens."""
    told.kind = "code"
    try:
        signed, public = split_short(text.rpartition("#")[2])
        statement = signed.statement
    except Malformed:
        told.find("unreadable")
        return
    told.keys[key_id(public)] = public
    told.club = statement.club
    where = "receipt" if isinstance(statement, Receipt) else "statement"
    if not told.vouched(signed, statement, where):
        return
    told.find("signed", fingerprint(statement.key))
    if isinstance(statement, Receipt):
        _take_receipt(told, statement)
        told.find("uncovered")
    elif isinstance(statement, Checkpoint):
        told.checkpoints.append((statement, signed))


def _take_receipt(told: Evidence, receipt: Receipt) -> None:
    told.receipt, told.session = receipt, receipt.session
    told.claims.append(Claim(receipt.session, receipt.version, receipt.hash, receipt.at))
    if receipt.head != receipt.version:
        told.claims.append(Claim(receipt.session, receipt.head, receipt.head_hash, receipt.at))


def _check_receipt(told: Evidence, file: ReceiptFile) -> None:
    signed, receipt = told.take(file.statement, "receipt")
    if signed is not None and not isinstance(receipt, Receipt):
        told.find("unreadable", "receipt")
    if isinstance(receipt, Receipt):
        told.club, told.session = receipt.club, receipt.session
    told.take_keys(file.keys)
    if signed is None or not isinstance(receipt, Receipt):
        return
    vouched = told.vouched(signed, receipt, "receipt")
    hash_ = read_hash(file.events.before)
    if hash_ is None:
        told.find("unreadable", "receipt")
        return
    events = _events(told, receipt.session, file.events.first, file.events.bodies)
    for body in file.events.bodies:
        hash_ = _followed(hash_, body)
    if file.events.first + len(file.events.bodies) - 1 != receipt.version or file.events.first < 1:
        told.find("order", "receipt")
    elif hash_ != receipt.hash or digest_of(file.events, file.after) != receipt.events:
        told.find("hash", "receipt")
    elif not settled(receipt, events) and {} not in events:
        told.find("settlement", "receipt")
    if file.link is not None:
        way = file.link.checkpoint
        told.take_checkpoint(way.statement, way.head, way.index, way.path, receipt.session)
        path, events_root = [read_hash(one) for one in file.link.path], read_hash(way.head.events)
        plain = [one for one in path if one is not None]
        if None in path or events_root is None:
            told.find("unreadable", "receipt")
        elif tree.led(receipt.hash, receipt.version - 1, way.head.version, plain) != events_root:
            told.find("path", "receipt")
    elif file.after is not None:
        _events(told, receipt.session, receipt.version + 1, file.after)
        hash_ = receipt.hash
        for body in file.after:
            hash_ = _followed(hash_, body)
        if hash_ != receipt.head_hash or receipt.version + len(file.after) != receipt.head:
            told.find("hash", "head")
        told.find("uncovered")
    else:
        told.find("cut", "receipt")
    if vouched:
        told.find("signed", fingerprint(receipt.key))
        _take_receipt(told, receipt)


def _events(told: Evidence, session: str | None, first: int, bodies: list[str]) -> list[dict[str, Any]]:
    """The events of these bodies, as far as they read; each has to name its session and version."""
    events: list[dict[str, Any]] = []
    for version, body in enumerate(bodies, start=first):
        where = f"event {version}"
        if read_hash(body) is not None:
            told.find("withheld", where)
            events.append({})
            continue
        try:
            event = _anything.decode(body)
        except UNREAD:
            event = None
        if not isinstance(event, dict) or not isinstance(event.get("data"), dict):
            told.find("unreadable", where)
            events.append({})
            continue
        if event.get("version") != version or session not in (None, event.get("session")):
            told.find("order", where)
        events.append(event)
    return events


def _followed(previous: bytes, body: str) -> bytes:
    """The hash of an event: told by its body, or standing in place of one that is withheld."""
    return read_hash(body) or link(previous, body.encode())


def _check_checkpoint(told: Evidence, file: CheckpointFile) -> None:
    signed, made = told.take(file.statement, "checkpoint")
    if signed is not None and not isinstance(made, Checkpoint):
        told.find("unreadable", "checkpoint")
    if isinstance(made, Checkpoint):
        told.club = made.club
    told.take_keys(file.keys)
    if signed is None or not isinstance(made, Checkpoint):
        return
    where = f"checkpoint {made.number}"
    vouched = told.vouched(signed, made, where)
    heads = [read_head(head) for head in file.heads]
    whole = [head for head in heads if head is not None]
    if len(whole) != len(heads):
        told.find("unreadable", where)
    elif len(whole) != made.sessions or tree.root([head.leaf for head in whole]) != made.root:
        told.find("path", where)
    elif vouched:
        told.find("signed", fingerprint(made.key))
        told.checkpoints.append((made, signed))
        told.heads = (made, {head.session_id: head for head in whole})
        told.claims += [Claim(head.session_id, head.version, head.hash, made.at) for head in whole]


def _check_bundle(told: Evidence, lines: list[str]) -> None:
    told.kind = "bundle"
    read: list[tuple[int, Any]] = []
    rank = 0
    for number, line in enumerate(lines, start=1):
        try:
            part = _part.decode(line)
        except UNREAD:
            told.find("unreadable", f"line {number}")
            continue
        at = ORDER.index(type(part))
        if at < rank or (at == 0) != (number == 1):
            told.find("order", f"line {number}")
        rank = max(rank, at)
        read.append((number, part))
    parts = [part for _, part in read]
    heading = next((part for part in parts if isinstance(part, Heading)), None)
    if heading is not None:
        told.club, told.session = heading.club, heading.session
    told.take_keys([part.statement for part in parts if isinstance(part, Key)])
    _check_events(told, [part for part in parts if isinstance(part, Event)])
    for part in parts:
        if isinstance(part, Checkpointed):
            _check_covering(told, part)
    texts = [part for part in parts if isinstance(part, Free)]
    for number, text in enumerate(texts, start=1):
        if not _held(text):
            told.find("text", f"text {number}")
    check_record(told, [part.entry for part in parts if isinstance(part, Entry)], {t.digest: t.text for t in texts})
    for part in parts:
        if isinstance(part, Stands):
            told.lines[part.line] = part.version
            if not 1 <= part.version <= len(told.hashes) or part.line != len(told.lines):
                told.find("order", f"row {part.line}")
    gone = sum(text.text is None for text in texts)
    gone += sum(part.name is None for part in parts if isinstance(part, Person))
    if gone:
        told.find("erased", str(gone))
    _check_seal(told, lines, read)


def _check_events(told: Evidence, events: list[Event]) -> None:
    previous = GENESIS
    for version, event in enumerate(events, start=1):
        expected = _followed(previous, event.body)
        hash_ = read_hash(event.hash)
        if hash_ is None:
            told.find("unreadable", f"event {version}")
        elif hash_ != expected:
            told.find("chain", f"event {version}")
        previous = expected if hash_ is None else hash_
        told.hashes.append(previous)
    told.bodies = [event.body.encode() for event in events]
    told.events = _events(told, told.session, 1, [event.body for event in events])
    if told.club is not None and told.events and told.events[0].get("club") != told.club:
        told.find("other", "event 1")
    for read in told.events:
        if read.get("data", {}).get("type") in ("correction_made", "transfer_ruled"):
            told.find("corrected", f"entry {read.get('entry')}")


def _check_covering(told: Evidence, part: Checkpointed) -> None:
    held = told.take_checkpoint(part.statement, part.head, part.index, part.path, told.session)
    if held and part.head.version <= len(told.hashes):
        number = told.checkpoints[-1][0].number
        if tree.root(told.hashes[: part.head.version]).hex() != part.head.events:
            told.find("path", f"checkpoint {number}")


def _held(text: Free) -> bool:
    """Is the text the one whose digest was recorded, or erased with its salt?"""
    if text.salt is None or text.text is None:
        return text.salt is None and text.text is None
    even = len(text.salt) % 2 == 0 and all(letter in "0123456789abcdef" for letter in text.salt)
    return even and digest(bytes.fromhex(text.salt), text.text) == text.digest


def _check_seal(told: Evidence, lines: list[str], read: list[tuple[int, Any]]) -> None:
    number, last = read[-1] if read else (0, None)
    if not isinstance(last, Sealed) or number != len(lines):
        told.find("cut")
        return
    signed, seal = told.take(last.statement, "seal")
    if signed is None or not isinstance(seal, Seal):
        told.find("unreadable", "seal")
        return
    if seal.session != told.session:
        told.find("other", "seal")
    vouched = told.vouched(signed, seal, "seal")
    text = "".join(line + "\n" for line in lines[:-1])
    if seal.lines != len(lines) - 1 or seal.digest != sha256(text.encode()).digest():
        told.find("sealed", "seal")
    elif vouched:
        told.find("signed", fingerprint(seal.key))
        told.sealed_at, told.sealed_head = seal.at, seal.head
        if seal.head > len(told.hashes):
            told.find("partial", f"version {seal.head}")
        if told.session is not None and told.hashes:
            told.claims.append(Claim(told.session, len(told.hashes), told.hashes[-1], seal.at))
