"""What a check finds: a code and where. The page that checks in a browser uses the same codes."""

from __future__ import annotations

import msgspec

SAYS = {
    "unreadable": "does not read; a byte of it was changed or lost",
    "cut": "the end is missing",
    "order": "stands in the wrong place, or something before it is missing",
    "sealed": "the lines before the seal are not those that were sealed",
    "signature": "the signature does not hold: it was altered, or not signed with this key",
    "key": "signed with another key than the club's",
    "other": "belongs to another club or session",
    "chain": "the hash is not that of the event before and this body: one of them was altered",
    "hash": "the events do not lead to the hash that was signed",
    "settlement": "the events tell another settlement than the one that was signed",
    "path": "the path does not lead to what the checkpoint covers",
    "record": "the record tells something else than the event",
    "text": "the text is not the one whose digest was recorded",
    "tail": "the end of the session was cut: it had come further once",
    "gone": "is not covered any more, although it was there before",
    "fork": "two histories: something else was signed for the same place",
    "judged": "does not follow under the rules of the session",
}
"""What is wrong, by its code."""

NOTES = {
    "signed": "signed with the key {where}; compare it with the one printed on the club's score sheets",
    "covered": "is covered by {where}",
    "uncovered": "no checkpoint covers it yet; until one does, only the signature vouches for it",
    "stands": "{where} stands as the receipt says",
    "superseded": "the receipt is good, and was superseded: see {where}",
    "corrected": "{where} corrected what had been settled before",
    "partial": "a deal was in progress and is not shown: the session had come to {where}",
    "older": "the session went on after this file was sealed: {where} was signed for later",
    "withheld": "{where} is not shown; the signature alone vouches for what stands before it here",
    "erased": "{where} texts or names were erased since; what was hashed holds all the same",
}
"""What is worth knowing, by its code."""


class Finding(msgspec.Struct, frozen=True, order=True):
    """Something that does not hold, or with a code of `NOTES` something worth knowing.

    `where` names the place: a key, a checkpoint, an event, an entry, a line of the file.
    """

    code: str
    where: str = ""

    @property
    def grave(self) -> bool:
        return self.code in SAYS

    def __str__(self) -> str:
        if self.code in NOTES:
            return NOTES[self.code].format(where=self.where)
        return f"{self.where or 'the file'}: {SAYS[self.code]} ({self.code})"
