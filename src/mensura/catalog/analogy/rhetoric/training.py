"""A logistic classifier of sentences, trained on the user's own labels, with its cross-validated score."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from mensura.catalog.analogy.document.rows import rows_of
from mensura.catalog.analogy.likeness.plain import words_of
from mensura.catalog.analogy.rhetoric.category import CATEGORIES, CUES
from mensura.errors import BadFile
from mensura.json_file import loads
from mensura.text_file import read_text, write_text

FORM = '{"sentence": "...", "category": "approach", "document": "paper-1"}'
"""A line of labels; without a document every sentence is one of its own."""
PENALTY = 0.01
LEAST = 2
"""How many sentences a word, or a pair of words, must occur in to be a feature."""


@dataclass(frozen=True)
class SentenceClassifier:
    """Weights of every feature for every category, the last row for the intercept."""

    labels: tuple[str, ...]
    features: Mapping[str, int]
    weights: Any

    def predict(self, sentences: Sequence[str]) -> list[str]:
        """Return the likeliest category of each sentence."""
        from mensura.catalog.analogy.rhetoric.category import COMPILED

        found = _matrix(sentences, self.features, COMPILED) @ self.weights
        return [self.labels[at] for at in found.argmax(axis=1)]

    def as_json(self) -> dict[str, Any]:
        """Return it for a file."""
        return {
            "labels": self.labels,
            "features": list(self.features),
            "weights": [[round(float(one), 6) for one in row] for row in self.weights],
        }


def load_classifier(file: str) -> SentenceClassifier:
    """Read a classifier that was trained before."""
    try:
        data = loads(read_text(file))
        features = {name: at for at, name in enumerate(data["features"])}
        return SentenceClassifier(tuple(data["labels"]), features, np.array(data["weights"]))
    except (ValueError, KeyError, TypeError):
        raise BadFile(f"{file} is not a classifier; `mensura analogy rhetoric train` writes one.") from None


def _labelled(row: Any) -> tuple[str, str, str]:
    label = str(row["category"]).strip().lower().replace("-", " ").replace("_", " ")
    if label not in CATEGORIES:
        raise ValueError(f"the category is {label!r}; categories are {', '.join(CATEGORIES)}")
    return str(row["sentence"]), label, str(row.get("document", ""))


def read_labelled(file: str | Path) -> tuple[list[str], list[str], list[str]]:
    """Return sentences, labels and documents of JSON lines `{"sentence", "category", "document"}`."""
    rows = [(number, *one) for number, one in rows_of(file, _labelled, form=FORM)]
    sentences, labels = [sentence for _, sentence, _, _ in rows], [label for _, _, label, _ in rows]
    documents = [document or str(number) for number, _, _, document in rows]
    if len(set(labels)) < 2:
        raise BadFile(f"{file} holds fewer than two categories, so there is nothing to tell apart.")
    return sentences, labels, documents


def train(sentences: Sequence[str], labels: Sequence[str]) -> SentenceClassifier:
    """Fit a logistic classifier to words, pairs of words and cues; the penalty on large weights is fixed."""
    from scipy.optimize import minimize

    from mensura.catalog.analogy.rhetoric.category import COMPILED

    names = tuple(one for one in CATEGORIES if one in set(labels))
    counted = Counter(feature for one in sentences for feature in _features(one))
    features = {name: at for at, name in enumerate(sorted(name for name, times in counted.items() if times >= LEAST))}
    matrix = _matrix(sentences, features, COMPILED)
    truth = np.zeros((len(labels), len(names)))
    truth[np.arange(len(labels)), [names.index(one) for one in labels]] = 1.0

    def loss(flat: Any) -> tuple[float, Any]:
        weights = flat.reshape(matrix.shape[1], len(names))
        raw = matrix @ weights
        raw -= raw.max(axis=1, keepdims=True)
        shares = np.exp(raw)
        shares /= shares.sum(axis=1, keepdims=True)
        free = weights.copy()
        free[-1] = 0.0
        value = -np.sum(truth * np.log(shares + 1e-300)) / len(labels) + PENALTY * np.sum(free**2) / 2
        return float(value), (matrix.T @ (shares - truth) / len(labels) + PENALTY * free).ravel()

    start = np.zeros(matrix.shape[1] * len(names))
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300})
    return SentenceClassifier(names, features, found.x.reshape(matrix.shape[1], len(names)))


def cross_validated(
    sentences: Sequence[str], labels: Sequence[str], documents: Sequence[str], *, folds: int = 10, seed: int = 24
) -> list[str]:
    """Return what is said of every sentence by a classifier that has seen no sentence of its document."""
    groups = sorted(set(documents))
    if len(groups) < 2:
        raise BadFile("All sentences are of one document, so nothing can be left out to try the classifier on.")
    order = np.random.default_rng(seed).permutation(len(groups))
    fold = {groups[at]: place % min(folds, len(groups)) for place, at in enumerate(order.tolist())}
    found = [""] * len(sentences)
    for number in range(min(folds, len(groups))):
        out = [at for at, one in enumerate(documents) if fold[one] == number]
        kept = [at for at, one in enumerate(documents) if fold[one] != number]
        seen = {labels[at] for at in kept}
        if len(seen) < 2:
            said = [seen.pop()] * len(out)
        else:
            held = train([sentences[at] for at in kept], [labels[at] for at in kept])
            said = held.predict([sentences[at] for at in out])
        for at, one in zip(out, said, strict=True):
            found[at] = one
    return found


def save_classifier(classifier: SentenceClassifier, file: Path) -> Path:
    """Write a classifier to a file."""
    return write_text(file, json.dumps(classifier.as_json()))


def _features(sentence: str) -> set[str]:
    words = words_of(sentence)
    return {*words, *(f"{one} {other}" for one, other in pairwise(words))}


def _matrix(sentences: Sequence[str], features: Mapping[str, int], cues: Mapping[str, Any]) -> Any:
    found = np.zeros((len(sentences), len(features) + len(CUES) + 1))
    for row, sentence in enumerate(sentences):
        for name in _features(sentence):
            if name in features:
                found[row, features[name]] = 1.0
        for at, cue in enumerate(cues.values()):
            found[row, len(features) + at] = 1.0 if cue.search(sentence) else 0.0
    found[:, -1] = 1.0
    return found
