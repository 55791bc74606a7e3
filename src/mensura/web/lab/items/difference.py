"""Difference: how two replies to one item differ, word by word."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

MOST_WORDS = 3000
"""Words of a reply that are compared; the transcript has all of them."""
WORDS = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True)
class Piece:
    """Some words that both replies have, or only one of them."""

    of: str
    """"both", "first" or "second"."""
    text: str


def word_difference(first: str, second: str) -> list[Piece]:
    """Part two texts into what both say and what only one of them says.

    >>> [(piece.of, piece.text) for piece in word_difference("It is four.", "It is five.")]
    [('both', 'It is '), ('first', 'four'), ('second', 'five'), ('both', '.')]
    """
    one, other = WORDS.findall(first)[: 2 * MOST_WORDS], WORDS.findall(second)[: 2 * MOST_WORDS]
    pieces = []
    for kind, begin, end, start, stop in SequenceMatcher(None, one, other).get_opcodes():
        if kind == "equal":
            pieces.append(Piece("both", "".join(one[begin:end])))
            continue
        pieces += [Piece("first", "".join(one[begin:end]))] if end > begin else []
        pieces += [Piece("second", "".join(other[start:stop]))] if stop > start else []
    return pieces
