"""A process that records evenings until it is killed, and prints each entry's id once it is acknowledged.

Arguments: the database's URL, then one session id for each table to record at; evening follows evening there.
"""

from __future__ import annotations

import asyncio
import sys

import msgspec

from service.record import Recorded
from tests.log.world import evening, new_session, world


async def main(url: str, sessions: list[str]) -> None:
    async with world(url) as here:

        async def table(session: str) -> None:
            while True:
                await record(session)
                session = new_session()

        async def record(session: str) -> None:
            entries, version = evening("mixed-whist-32"), 0
            for at in range(0, len(entries), 2):
                parcel = entries[at : at + 2]
                parcel = [msgspec.structs.replace(entry, id=f"{session}/{at + n}") for n, entry in enumerate(parcel)]
                answer = await here.send(session, parcel, version)
                assert isinstance(answer, Recorded), answer
                version = answer.folded.version
                print(session, version, *(entry.id for entry in answer.entries), flush=True)

        await asyncio.gather(*map(table, sessions))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2:]))
