"""Baselines: how alike two texts are by their words alone, from 0 to 1; NaN where a text has no words."""

import re
from collections import Counter
from collections.abc import Sequence
from math import log, nan

import numpy as np

WORD = re.compile(r"[a-z0-9]+")
SENTENCE = re.compile(r"(?<=[.!?])\s+")
ORDERS = (1, 2, 3, 5)
"""How many words make the pieces whose containment is told."""
DIMENSIONS = 5


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case.

    >>> words_of("A mill's dam, 1990.")
    ['a', 'mill', 's', 'dam', '1990']
    """
    return WORD.findall(text.lower())


def containment(first: str, second: str, *, words: int = 1) -> float:
    """Return the share of the distinct runs of so many words of the first text that occur in the second.

    >>> containment("the dam broke", "the dam held and broke", words=2)
    0.5
    """
    one, other = (_runs(words_of(text), words) for text in (first, second))
    return len(one & other) / len(one) if one else nan


def _runs(words: Sequence[str], length: int) -> set[tuple[str, ...]]:
    return {tuple(words[at : at + length]) for at in range(len(words) - length + 1)}


def longest_common_subsequence(first: str, second: str) -> float:
    """Return how long the longest common subsequence of words is, as a share of the first text.

    The rows of the usual table are bits of one number (Crochemore and others, 2001).

    >>> longest_common_subsequence("the dam broke at night", "the old dam at night broke")
    0.8
    """
    one, other = words_of(first), words_of(second)
    if not one:
        return nan
    places: dict[str, int] = {}
    for at, word in enumerate(one):
        places[word] = places.get(word, 0) | 1 << at
    whole = (1 << len(one)) - 1
    row = whole
    for word in other:
        met = row & places.get(word, 0)
        row = ((row + met) | (row - met)) & whole
    return (len(one) - row.bit_count()) / len(one)


def tfidf(first: str, second: str, *, among: Sequence[str] = ()) -> float:
    """Return the cosine of two texts, each word weighing by how often it occurs and how few of the texts have it.

    A word met c times that d of n texts have weighs (1 + log c)(log((1 + n) / (1 + d)) + 1), as scikit-learn's with
    `sublinear_tf`: without the logarithm the commonest words decide. The texts are the two and `among`.

    >>> round(tfidf("the dam broke", "the dam broke"), 3)
    1.0
    """
    one, other = Counter(words_of(first)), Counter(words_of(second))
    if not one or not other:
        return nan
    held = [set(one), set(other), *(set(words_of(text)) for text in among)]
    spread = Counter(word for words in held for word in words)
    vectors = [
        {word: (1 + log(count)) * (log((1 + len(held)) / (1 + spread[word])) + 1) for word, count in text.items()}
        for text in (one, other)
    ]
    sizes = [sum(weight**2 for weight in vector.values()) for vector in vectors]
    product = sum(weight * vectors[1].get(word, 0.0) for word, weight in vectors[0].items())
    return float(min(1.0, product / (sizes[0] * sizes[1]) ** 0.5))


def latent(first: str, second: str, *, dimensions: int = DIMENSIONS) -> float:
    """Return the cosine of two texts in a latent space (LSA) of the sentences of both, at least 0.

    Words that stand together in sentences come near one another; each text is the sum of its words in that space.
    Each word weighs log(1 + count) less what is alike in all sentences (log-entropy).
    """
    texts = [[words_of(sentence) for sentence in SENTENCE.split(text)] for text in (first, second)]
    if not all(any(sentences) for sentences in texts):
        return nan
    sentences = [sentence for text in texts for sentence in text if sentence]
    words = sorted({word for sentence in sentences for word in sentence})
    place = {word: at for at, word in enumerate(words)}
    counts = np.zeros((len(words), len(sentences)))
    for at, sentence in enumerate(sentences):
        for word in sentence:
            counts[place[word], at] += 1
    share = counts / counts.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = -np.where(share > 0, share * np.log(share), 0.0).sum(axis=1) / max(log(len(sentences)), 1e-12)
    # A word that is even over all sentences would weigh nothing, and two texts of such words would have no cosine.
    weighted = np.log1p(counts) * np.maximum(1 - spread, 0.01)[:, None]
    axes = np.linalg.svd(weighted, full_matrices=False)[0][:, :dimensions]
    of_first = sum(1 for sentence in texts[0] if sentence)
    one, other = (axes.T @ part.sum(axis=1) for part in (weighted[:, :of_first], weighted[:, of_first:]))
    size = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(np.clip(one @ other / size, 0.0, 1.0)) if size > 0 else 0.0
