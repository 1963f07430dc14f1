"""A parent for an embedded server, to be killed: it starts one and then obeys one word a line.

    python embedded_driver.py DATA [PORT]

It answers every word, and its own start, with one line of JSON.
"""

import json
import os
import sys
import time
from itertools import chain
from pathlib import Path

from ops.embedded import EmbeddedError, EmbeddedPostgres


def main() -> None:
    data, *port = sys.argv[1:]
    server = EmbeddedPostgres(Path(data), port=int(port[0]) if port else None)

    def start() -> dict[str, object]:
        server.start()
        return {"url": server.url, "owner_url": server.owner_url, "folder": str((Path(data) / "postgres").resolve())}

    def fork() -> dict[str, object]:
        child = os.fork()
        if child == 0:
            time.sleep(120)
            os._exit(0)
        return {"child": child}

    words = {
        "start": start,
        "stop": lambda: {"stopped": server.stop() is None},
        "alive": lambda: {"alive": server.alive()},
        "fork": fork,
    }
    for word in chain(["start"], map(str.strip, sys.stdin)):
        try:
            said: dict[str, object] = words[word]()
        except EmbeddedError as error:
            said = {"error": str(error)}
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
