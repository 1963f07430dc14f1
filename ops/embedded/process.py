"""A process as number and start time, so that a later process with the same number is never taken for it.

Process numbers are used again. Every signal here goes through a pidfd, which
stays bound to one process: the identity is compared after the pidfd is open,
so nothing can change between the comparison and the signal.
"""

from __future__ import annotations

import json
import os
import select
import signal
from dataclasses import asdict, dataclass
from pathlib import Path

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True)
class Process:
    """One process of this machine.

    `started` counts clock ticks since boot, as /proc/PID/stat does (field 22);
    it does not move when the wall clock is set. `boot` tells one boot from the next.
    """

    pid: int
    started: int
    boot: str

    @classmethod
    def find(cls, pid: int) -> Process | None:
        """The process that has this number now, or None when there is none or it is a zombie."""
        try:
            stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        except (FileNotFoundError, ProcessLookupError):
            return None
        # The command's name, in parentheses, may itself hold spaces and parentheses.
        state, *fields = stat[stat.rindex(")") + 2 :].split()
        if state in "ZX":
            return None
        return cls(pid, int(fields[18]), BOOT_ID.read_text(encoding="ascii").strip())

    @classmethod
    def parse(cls, text: str) -> Process | None:
        """The inverse of `format`; None for text that was cut off or is not a process."""
        try:
            fields = json.loads(text)
            return cls(int(fields["pid"]), int(fields["started"]), str(fields["boot"]))
        except (ValueError, KeyError, TypeError):
            return None

    def format(self) -> str:
        return json.dumps(asdict(self))

    def alive(self) -> bool:
        return Process.find(self.pid) == self

    def folder(self) -> Path | None:
        """The process's working folder, or None when it is gone or somebody else's."""
        try:
            return Path(os.readlink(f"/proc/{self.pid}/cwd"))
        except OSError:
            return None

    def signal(self, number: signal.Signals, wait: float) -> bool:
        """Send a signal to this very process and wait up to `wait` seconds; True when it has ended."""
        try:
            handle = os.pidfd_open(self.pid)
        except ProcessLookupError:
            return True
        try:
            if not self.alive():
                return True
            signal.pidfd_send_signal(handle, number)
            poll = select.poll()
            poll.register(handle, select.POLLIN)
            return bool(poll.poll(wait * 1000))
        except ProcessLookupError:
            return True
        finally:
            os.close(handle)
