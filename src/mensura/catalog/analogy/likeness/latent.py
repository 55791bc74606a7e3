"""Latent semantic analysis of two texts: words that stand together in sentences come near one another."""

from math import log

import numpy as np

from mensura.catalog.analogy.damage.sentences import sentences_of
from mensura.catalog.analogy.likeness.plain import words_of

DIMENSIONS = 10


def latent(first: str, second: str, *, dimensions: int = DIMENSIONS) -> float | None:
    """Return the cosine of two texts in a latent space (LSA) of the sentences of both, at least 0.

    Words that stand together in sentences come near one another; each text is the sum of its words in that space.
    Each word weighs log(1 + count) less what is alike in all sentences (log-entropy).
    """
    texts = [[words_of(sentence) for sentence in sentences_of(text)] for text in (first, second)]
    if not all(any(sentences) for sentences in texts):
        return None
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
    # Rounded, so that processors that add in another order say the same.
    return round(float(np.clip(one @ other / size, 0.0, 1.0)), 9) if size > 0 else 0.0
