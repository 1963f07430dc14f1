"""What players are called: how a name is written down, and how it is looked for.

Names that look alike must not be two players. So a name is kept in Unicode's composed form with single spaces, none
with characters that nobody sees is taken, and it is looked for without case and accents.
"""

from __future__ import annotations

import re
import unicodedata

from domain.text import UNSEEN, Malformed, composed

# Beside what no name may hold: the tags, and the selectors that only choose how the letter before them is drawn.
_SILENT = re.compile(f"[{UNSEEN}\ufe00-\ufe0f\U000e0000-\U000e0fff]")
_REFUSED = re.compile(f"[{UNSEEN}\U000e0000-\U000e0fff]")
_STROKES = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d"})
"""Letters that Unicode does not take apart, as people type them who do not have them."""


def spelled(name: str) -> str:
    """The name as it is kept; raises `Malformed` for one that nobody could read or tell from another."""
    kept = composed(name)
    if found := _REFUSED.search(kept):
        seen, unseen = _REFUSED.sub("", kept), unicodedata.name(found[0], "a control character")
        raise Malformed(f"the name {seen!r} holds an invisible character, {unseen}; type the name anew")
    if not fold(kept):
        raise Malformed("a player's name has at least one letter")
    return kept


def speaks_of(text: str, name: str) -> tuple[bool, bool]:
    """Does a text hold every word of a name, and does it hold any? Endings may differ, as they do in many languages."""
    said = _words(text)
    found = [any(_same_word(word, other) for other in said) for word in _words(name)]
    return bool(found) and all(found), any(found)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", fold(text))


def _same_word(word: str, said: str) -> bool:
    """A word of a name in some case: "Ivanova" for "Ivanov", "Annu" for "Anna". Short ones must be alike."""
    stem = word if len(word) < 4 else word[:-1]
    return said == word or (len(word) >= 4 and said.startswith(stem) and len(said) <= len(word) + 3)


def fold(name: str) -> str:
    """A name as it is looked for: without case, accents, superfluous space and what cannot be seen."""
    plain = unicodedata.normalize("NFKD", _SILENT.sub("", name))
    folded = "".join(c for c in plain if not unicodedata.combining(c)).casefold()
    return " ".join(folded.translate(_STROKES).split())
