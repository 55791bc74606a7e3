"""Phrases: sentences in English that remember how they were made, so that a page can show them in another language."""

from collections.abc import Iterable, Mapping
from typing import Any


class Sentence(str):
    """A sentence with its values filled in. It is a text like any other; `words` and `values` lead to its translation.

    Sentences that people may be shown are written as `phrase("... {name} ...", name=...)`, with the words as one
    literal, so that they are found by what collects sentences for translators.
    """

    words: str
    values: Mapping[str, Any]

    def __new__(cls, words: str, **values: Any) -> "Sentence":
        """Fill in the values; words without values are taken as they are."""
        made = super().__new__(cls, words.format(**values) if values else words)
        made.words, made.values = words, values
        return made


def phrase(words: str, **values: Any) -> Sentence:
    """Return a sentence that can be translated; values may be phrases themselves.

    >>> phrase("{what} must be whole; got {got}.", what=phrase("Number {i}", i=2), got=0.5)
    'Number 2 must be whole; got 0.5.'
    """
    return Sentence(words, **values)


def joined(parts: Iterable[str], between: str = " ") -> Sentence:
    """Put phrases and texts one after the other.

    >>> joined([phrase("Too late."), phrase("Please wait.")])
    'Too late. Please wait.'
    """
    values = {f"part{i}": part for i, part in enumerate(parts)}
    return Sentence(between.join(f"{{{name}}}" for name in values), **values)
