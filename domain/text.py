"""Text of the record format: which characters it may hold, and the one error of reading."""

import unicodedata

import msgspec

# A text may hold any character but NUL, which no PostgreSQL text can keep.
WITHOUT_NUL = r"^[^\x00]*$"

# What is not seen or turns the text around it: controls, soft hyphens, marks of no width or of direction, fillers.
# The inside of a class of regular expressions, in escapes that JSON Schema reads too.
UNSEEN = (
    r"\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e"
    r"\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
)
WITHOUT_UNSEEN = rf"^[^{UNSEEN}]*$"
SHA256 = r"^[0-9a-f]{64}$"

_WORDS = {
    WITHOUT_NUL: "text without the character NUL",
    WITHOUT_UNSEEN: "text without invisible characters (controls, marks of no width or of direction)",
    SHA256: "64 hexadecimal digits",
}


UNREAD = (msgspec.DecodeError, UnicodeError, RecursionError)
"""What decoders raise: for bytes that are not of the shape, for text that is none, for what is nested too deeply."""


class Malformed(ValueError):
    """Input that does not read as the record format; its message says what was expected instead."""


def composed(name: str) -> str:
    """A name with its letters put together in Unicode's composed form, and single spaces."""
    return unicodedata.normalize("NFC", " ".join(name.split()))


def said(error: object) -> str:
    """What an error of reading says, in words where it shows a pattern."""
    if isinstance(error, RecursionError):
        return "this is nested too deeply"
    text = str(error)
    for pattern, words in _WORDS.items():
        text = text.replace(f"`str` matching regex {pattern!r}", words)
    return text
