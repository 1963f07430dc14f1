"""Making bundles: a session as somebody may see it, read from the log and sealed by its club."""

from __future__ import annotations

from service.database import Database
from service.envelope import now
from service.folded import Folded
from service.log import Log
from service.proof.bundle import Checkpointed, parts, seal_of, written
from service.proof.checkpoints import Checkpoints
from service.proof.keyring import signing
from service.proof.withholding import shown
from service.register import Register
from service.state import players


class Bundles:
    """Makes the bundles of sessions in one database."""

    def __init__(self, database: Database, log: Log, register: Register) -> None:
        self._database, self._log, self._register = database, log, register
        self._checkpoints = Checkpoints(database)

    async def make(self, folded: Folded, head: int, everything: bool = True) -> bytes:
        """The bundle of a session up to its folded version, where it has come to `head`.

        Without `everything` findings are withheld.
        """
        bodies = await self._log.read(folded.session_id, 0, folded.version)
        if not everything:
            bodies = shown(bodies, folded.hashes, folded.session.docket.published)
        names = await self._register.names(folded.club_id, players(folded))
        covering = [
            Checkpointed(one.statement, one.head, one.index, one.path)
            for one in await self._checkpoints.covering(folded.club_id, folded.session_id)
            if one.head.version <= folded.version
        ]
        async with signing(self._database, folded.club_id) as (_, signer):
            keys = signer.keys
            told = parts(folded, bodies, keys, covering, names)
            return written(told, lambda n, digest: signer.sign(seal_of(folded, head, n, digest, now(), signer.key)))
