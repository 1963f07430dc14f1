"""What the service is told from outside; every setting has one name, in the environment `BOSTON_NAME`."""

from __future__ import annotations

from pathlib import Path

import msgspec

WEB = Path(__file__).parent / "web"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Times are seconds."""

    database_url: str
    public_url: str = "http://127.0.0.1:8700"
    """The address that tablets use; links and QR codes begin with it."""
    secure_cookies: bool = False
    """Set when the public address is https; a browser then sends the cookie over nothing else."""
    key_trust: float = 3.0
    """How long a worker may go on trusting a key before it looks again: the bound of a revocation."""
    heartbeat: float = 15.0
    watch_every: float = 1.0
    """How often a worker with listeners asks for versions that other workers moved."""
    lease_stale: float = 60.0
    checkpoint_every: float = 15.0
    """How soon after a session is over a worker makes the club's checkpoint."""
    pairing_lasts: float = 900.0
    sign_in_lasts: float = 60 * 60 * 24 * 180.0
    sign_in_attempts: int = 10
    sign_in_window: float = 600.0
    """So many attempts from one address within so long; a code that signs in begins the count anew."""
    body_limit: int = 4 * 1024 * 1024
    log_json: bool = False
    """Write the log as a JSON object a line, for machines; else as lines for people."""
    web: Path = WEB
