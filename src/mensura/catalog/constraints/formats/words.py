"""Values as words of a text file, and back."""

from collections.abc import Iterable
from typing import Any

from mensura.errors import BadData

MOST = 1_000_000
"""Values of the largest domain that is read."""


def read_values(words: Iterable[str]) -> tuple[Any, ...]:
    """Read values from words: whole numbers if all are, else numbers, else texts; `1..3` is 1, 2 and 3.

    >>> read_values(["1..3", "7"]), read_values(["R", "1"])
    ((1, 2, 3, 7), ('R', '1'))
    """
    words = list(words)
    for read in (_whole, lambda word: [float(word)]):
        try:
            return tuple(value for word in words for value in read(word))
        except ValueError:
            continue
    return tuple(words)


def write_values(values: Iterable[Any], *, what: str) -> list[str]:
    """Write values as words, or say which of them would not be read as it was."""
    values = tuple(values)
    words = [str(value) for value in values]
    for value, word in zip(values, words, strict=True):
        if not word or any(sign in word for sign in " \t\n|:,") or ".." in word:
            raise BadData(f"The value {value!r} of {what} cannot be written in this format; save it as .json.")
    read = read_values(words)
    if read != values or [type(one) for one in read] != [type(one) for one in values]:
        raise BadData(f"The values of {what} would be read as others in this format; save it as .json.")
    return words


def _whole(word: str) -> list[int]:
    first, dots, last = word.partition("..")
    if dots and int(last) - int(first) >= MOST:
        raise BadData(f"A domain {word} has more than {MOST:,} values.")
    return list(range(int(first), int(last) + 1)) if dots else [int(word)]
