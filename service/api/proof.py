"""The proof over HTTP: checkpoints for all members, receipts for those who sat at the table."""

from __future__ import annotations

import io
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
import segno
from litestar import Response, get, post
from litestar.datastructures import State
from litestar.params import FromPath, FromQuery, QueryParameter

from service.api.pages import Limit, cut, read_cursor, write_cursor
from service.api.sessions import Seen, sat_there, seen
from service.envelope import now
from service.findings import told_all
from service.folded import Folded
from service.policy import shown_upto
from service.principal import ROLES, Asking
from service.problems import not_found
from service.proof.bundle import MEDIA
from service.proof.bundles import Bundles
from service.proof.checkpoints import NEWEST, CheckpointFile, CheckpointInfo
from service.proof.keyring import signing
from service.proof.receipts import ReceiptFile, bound, digest_of, evidence_of, statement_of
from service.proof.statement import short_form
from service.proof.withholding import shown

SVG = "image/svg+xml"
SIGNERS = ("admin", "director", "auditor")
"""Who may have a checkpoint made."""
CONCERNED = ("director", "auditor", "player")
"""Who may take a whole session along; a player only one that he sat in."""
SEATED = ("recorder", "director", "auditor", "player")
"""Who may take a receipt along; a player only of a session that he sat in."""


class CheckpointPage(msgspec.Struct, frozen=True):
    """Checkpoints, the latest first."""

    checkpoints: list[CheckpointInfo]
    next: str | None


@get("/checkpoints", opt={"roles": ROLES})
async def checkpoints(
    request: Asking, state: State, cursor: FromQuery[str | None] = None, limit: Limit = 50
) -> CheckpointPage:
    """The club's checkpoints, the latest first."""
    before = read_cursor(cursor, (Annotated[int, msgspec.Meta(ge=0, le=NEWEST)],))[0] if cursor else NEWEST  # type: ignore[arg-type]
    found = await state.checkpoints.page(request.user.club_id, before, limit + 1)
    page, more = cut([CheckpointInfo.of(signed) for signed in found], limit)
    return CheckpointPage(page, write_cursor(page[-1].number) if more else None)


@post("/checkpoints", opt={"roles": SIGNERS}, status_code=200)
async def make_checkpoint(request: Asking, state: State) -> CheckpointInfo:
    """Makes a checkpoint of all sessions as they stand; the last one, where nothing has moved since."""
    return CheckpointInfo.of(await state.checkpoints.make(request.user.club_id))


@get("/checkpoints/latest", opt={"roles": ROLES})
async def latest_checkpoint(request: Asking, state: State) -> CheckpointInfo:
    """The club's last checkpoint in short, as it is printed under a score sheet."""
    last = await state.checkpoints.last(request.user.club_id)
    if last is None:
        raise not_found("checkpoint yet")
    return CheckpointInfo.of(last)


@get("/checkpoints/{number:int}", opt={"roles": ROLES})
async def checkpoint(number: FromPath[int], request: Asking, state: State) -> Response[CheckpointFile]:
    """A checkpoint whole, with the head of every session: a file to be kept, that later shows what was cut since."""
    found = await state.checkpoints.file(request.user.club_id, number) if 1 <= number < NEWEST else None
    if found is None:
        raise not_found("checkpoint")
    return Response(found, headers=_file(f"checkpoint-{number}.json"))


@get(
    "/sessions/{session_id:uuid}/lines/{line:int}/receipt",
    opt={"roles": SEATED, "also": {SVG: str}},
)
async def receipt(
    session_id: FromPath[UUID],
    line: FromPath[int],
    request: Asking,
    state: State,
    form: Annotated[Literal["json", "svg"], QueryParameter(name="format")] = "json",
) -> Response[ReceiptFile]:
    """A signed receipt for a line of the score sheet: a file, or the short form of it as a QR code."""
    who = request.user
    saw = await _seated(request, state, session_id)
    # Whoever takes it hands it to a player, so it tells what a player may know.
    whole, folded = saw.folded, await _upto(saw, state, shown_upto(saw.folded))
    of = bound(folded, line)
    if of is None:
        raise not_found(f"line {line} on the score sheet of this session")
    bodies = await state.recorder.log.read(folded.session_id, 0, folded.version)
    bodies = shown(bodies, folded.hashes, folded.session.docket.published)
    covered = await state.checkpoints.covering_last(who.club_id, folded.session_id)
    # A checkpoint may cover more than is shown here; the way to it is over all hashes, which tell nothing.
    hashes, head = whole.hashes, folded.version
    events, after, link = evidence_of(of, hashes, bodies, head, covered)
    digest = digest_of(events, after)
    async with signing(state.database, who.club_id) as (_, signer):
        told = statement_of(folded.session_id, who.club_id, of, hashes, head, digest, now(), signer.key)
        signed = signer.sign(told)
    if form == "svg":
        picture: Any = qr(f"{state.settings.public_url}/verify.html#{short_form(signed, signer.public)}")
        return Response(picture, media_type=SVG, headers=_FRESH)
    file = ReceiptFile(signed.line, [key.line for key in signer.keys], events, after, link)
    return Response(file, headers=_file(f"receipt-{session_id}-{line}.json"))


@get(
    "/sessions/{session_id:uuid}/bundle",
    opt={"roles": CONCERNED},
    media_type=MEDIA,
)
async def bundle(session_id: FromPath[UUID], request: Asking, state: State) -> Response[bytes]:
    """The session with all that proves it, as one file, to be checked without a service."""
    who = request.user
    saw = await _seated(request, state, session_id)
    everything = told_all(who.role, (await state.clubs.get(who.club_id)).settings)
    bundles = Bundles(state.database, state.recorder.log, state.register)
    made = await bundles.make(await _upto(saw, state, saw.upto), saw.folded.version, everything)
    return Response(made, media_type=MEDIA, headers=_file(f"{session_id}.bundle.jsonl"))


async def _seated(request: Asking, state: State, session_id: UUID) -> Seen:
    """The session and how far of it the one who asks may see; a player's own alone."""
    saw = await seen(request, state, session_id)
    await sat_there(request, state, saw.folded)
    return saw


async def _upto(saw: Seen, state: State, version: int) -> Folded:
    """The session as it was at a version."""
    if version == saw.folded.version:
        return saw.folded
    folded: Folded = await state.recorder.at(saw.folded.session_id, saw.folded.club_id, version)
    return folded


_FRESH = {"cache-control": "no-store"}


def _file(name: str) -> dict[str, str]:
    return _FRESH | {"content-disposition": f'attachment; filename="{name}"'}


def qr(text: str) -> bytes:
    """A QR code as an SVG picture; a receipt is long, so it spends nothing on mending what is hidden."""
    picture = io.BytesIO()
    segno.make(text, error="l").save(picture, kind="svg", scale=4, border=4, xmldecl=False, svgns=True)
    return picture.getvalue()


ROUTES = [checkpoints, make_checkpoint, latest_checkpoint, checkpoint, receipt, bundle]
