"""What is logged of an error: of what kind it is and where it was raised, never its words, which may hold a name."""

from __future__ import annotations

from traceback import format_tb


def logged(error: Exception) -> dict[str, str]:
    """The fields of a line of the log."""
    state = getattr(error, "sqlstate", None)
    kind = f"{type(error).__name__} {state}" if state else type(error).__name__
    return {"error": kind, "trace": "".join(format_tb(error.__traceback__))}
