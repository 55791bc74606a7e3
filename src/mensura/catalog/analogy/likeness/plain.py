"""Plain measures of how alike two texts are: shared words, shared runs of words, longest common subsequence."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from math import log, sqrt

WORD = re.compile(r"[a-z0-9]+")


def words_of(text: str) -> list[str]:
    """Return the words of a text: runs of a to z and 0 to 9 in small letters."""
    return WORD.findall(text.lower())


def containment(first: str, second: str, *, size: int = 3) -> float | None:
    """Return the share of the first text's distinct runs of so many words that occur in the second; None without any.

    >>> containment("the cat sat on the mat", "a cat sat on the mat", size=3)
    0.75
    """
    one, other = runs(words_of(first), size), runs(words_of(second), size)
    return len(one & other) / len(one) if one else None


def runs(words: list[str], size: int) -> set[tuple[str, ...]]:
    """Return the distinct runs of so many words."""
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}


def longest_common_subsequence(first: str, second: str) -> float | None:
    """Return the length of the longest common subsequence of words, as a share of the first text's words.

    Bits of one long number hold a row of the usual table (Hyyrö 2004), so that long texts take no longer.

    >>> longest_common_subsequence("a b c d", "a x c d")
    0.75
    """
    one, other = words_of(first), words_of(second)
    if not one:
        return None
    places: dict[str, int] = {}
    for at, word in enumerate(one):
        places[word] = places.get(word, 0) | 1 << at
    full = (1 << len(one)) - 1
    row = full
    for word in other:
        matched = row & places.get(word, 0)
        row = ((row + matched) | (row - matched)) & full
    return (len(one) - row.bit_count()) / len(one)


def document_frequencies(texts: Iterable[str]) -> tuple[Counter[str], int]:
    """Return in how many texts each word occurs, and how many texts there are."""
    found: Counter[str] = Counter()
    count = 0
    for text in texts:
        found.update(set(words_of(text)))
        count += 1
    return found, count


def tfidf_vector(text: str, frequencies: Mapping[str, int], count: int) -> dict[str, float]:
    """Return the weight of every word of a text: 1 + ln(times it occurs), times ln((1 + n) / (1 + texts with it)) + 1.

    Without the first logarithm the commonest words decide, and copies are told less well from other texts.
    """
    held = Counter(words_of(text))
    return {
        word: (1 + log(times)) * (log((1 + count) / (1 + frequencies.get(word, 0))) + 1) for word, times in held.items()
    }


def cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float | None:
    """Return the cosine of two vectors of words; None where one has no word."""
    lengths = [sqrt(sum(value * value for value in held.values())) for held in (one, other)]
    if not all(lengths):
        return None
    return min(1.0, sum(value * other.get(word, 0.0) for word, value in one.items()) / (lengths[0] * lengths[1]))


def tfidf(first: str, second: str, *, corpus: tuple[Mapping[str, int], int] | None = None) -> float | None:
    """Return the cosine of two texts by TF-IDF; without a corpus the two texts are the corpus."""
    frequencies, count = corpus if corpus is not None else document_frequencies((first, second))
    return cosine(tfidf_vector(first, frequencies, count), tfidf_vector(second, frequencies, count))
