"""What training a classifier came to: its cross-validated score, beside cue words and the commonest category."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from mensura.catalog.analogy.rhetoric.category import categorise
from mensura.catalog.analogy.rhetoric.training import cross_validated, read_labelled, save_classifier, train
from mensura.stats.intervals.bootstrap import clustered_bootstrap_estimate, record_generator


def trained(file: Path, output: Path, *, folds: int = 10) -> dict[str, Any]:
    """Train on all, save, and report the score of classifiers that had not seen the document they judged."""
    sentences, labels, documents = read_labelled(file)
    said = cross_validated(sentences, labels, documents, folds=folds)
    right = np.array([one == other for one, other in zip(said, labels, strict=True)], dtype=float)
    cues = np.array([one == other for one, other in zip(categorise(sentences), labels, strict=True)], dtype=float)
    groups = [np.flatnonzero(np.array(documents) == one) for one in dict.fromkeys(documents)]
    estimates = {
        name: clustered_bootstrap_estimate(
            [values[group] for group in groups], rng=record_generator(values), kind="percentile"
        )
        for name, values in (("accuracy", right), ("cue_words", cues))
    }
    save_classifier(train(sentences, labels), output)
    counted = Counter(labels)
    per_category = {
        name: {
            "n": counted[name],
            "precision": _share([one == name for one, two in zip(labels, said, strict=True) if two == name]),
            "recall": _share([two == name for one, two in zip(labels, said, strict=True) if one == name]),
        }
        for name in counted
    }
    commonest = counted.most_common(1)[0][1] / len(labels)
    lines = [
        f"accuracy, cross-validated by documents: {estimates['accuracy']}",
        f"cue words on the same sentences: {estimates['cue_words']}",
        f"always the commonest category: {commonest:.3f}",
        f"classifier: {output}",
    ]
    return {
        "file": str(output),
        "n": len(sentences),
        "documents": len(groups),
        "accuracy": estimates["accuracy"].as_json(),
        "cue_words": estimates["cue_words"].as_json(),
        "commonest": commonest,
        "categories": per_category,
        "lines": lines,
    }


def _share(values: list[bool]) -> float | None:
    return sum(values) / len(values) if values else None
