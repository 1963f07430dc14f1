"""The one error of reading: text that is not what the record format says."""


class Malformed(ValueError):
    """Input that does not read as the record format; its message says what was expected instead."""
