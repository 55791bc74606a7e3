"""How well an extractor finds what sentences state: precision and recall on annotated sentences."""

from collections import Counter
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from mensura.catalog.analogy.document.reading import decoded
from mensura.catalog.analogy.document.rows import rows_of
from mensura.catalog.analogy.extraction.find import find_extractor
from mensura.catalog.analogy.graph.sentence import sentences
from mensura.errors import BadFile
from mensura.json_file import read_json
from mensura.stats import Estimate
from mensura.stats.intervals.bootstrap import record_generator, resampled_estimate

Triple = tuple[str, str, str]
FORM = '{"source": "a.txt", "sentence": 0, "hash": "...", "triples": [["dog", "see", "cat"]]}'


@dataclass(frozen=True)
class ExtractionScore:
    """Precision, recall and their harmonic mean; whole triples, and relations only."""

    extractor: str
    n: int
    skipped: int
    stated: int
    found: int
    right: int
    estimates: dict[str, Estimate]

    def as_json(self) -> dict[str, Any]:
        """Return it for a machine."""
        return {
            "extractor": self.extractor, "sentences": self.n, "not_found": self.skipped, "annotated": self.stated,
            "extracted": self.found, "right": self.right,
            "scores": {name: one.as_json() for name, one in self.estimates.items()},
        }  # fmt: skip

    @property
    def lines(self) -> list[str]:
        """Say it in lines."""
        return [
            f"{self.extractor}: {self.n} sentences, {self.stated} annotated triples, {self.found} extracted, "
            f"{self.right} right",
            *(f"{name}: {one}" for name, one in self.estimates.items()),
        ]


def measure(annotated: Path, data: Path, *, extractor: str = "shallow") -> ExtractionScore:
    """Compare what an extractor finds with annotated triples; the same sentence written down twice counts once.

    A triple is right if subject, relation and object are the annotated ones, small letters and large alike. What an
    extractor adds of prepositional objects beside an object is not part of the annotation and is left out.
    """
    rows = [row for _, row in rows_of(annotated, _annotated, form=FORM)]
    source = find_extractor(extractor)
    counts: list[tuple[int, ...]] = []
    seen: set[str] = set()
    skipped = 0
    for row in rows:
        if row["hash"] in seen:
            continue
        seen.add(row["hash"])
        sentence = _sentence(data, row)
        if sentence is None:
            skipped += 1
            continue
        stated = source.read([sentence])
        said = [_bare(one.triple) for one in stated.statements if not one.oblique]
        true = [_bare(tuple(one)) for one in row["triples"]]
        counts.append((*_matched(said, true), *_matched([one[1] for one in said], [one[1] for one in true])))
    if not counts:
        raise BadFile(f"None of the sentences of {annotated} is in {data}.")
    table = np.array(counts, dtype=float)
    estimates = {}
    for name, at, over in (
        ("precision", 0, 1), ("recall", 0, 2), ("relation_precision", 3, 4), ("relation_recall", 3, 5),
    ):  # fmt: skip

        def share(drawn: Any, at: int = at, over: int = over) -> float:
            return float(table[drawn, at].sum() / max(1.0, table[drawn, over].sum()))

        estimates[name] = resampled_estimate(
            share, units=len(table), unit="sentences", rng=record_generator(table), kind="percentile"
        )
    right, found, stated_count = (int(table[:, at].sum()) for at in (0, 1, 2))
    return ExtractionScore(source.name, len(table), skipped, stated_count, found, right, estimates)


def _annotated(row: Any) -> dict[str, Any]:
    return {name: row[name] for name in ("source", "sentence", "hash", "triples")}


def _bare(triple: Any) -> Triple:
    one, relation, other = (str(word).lower() for word in triple)
    return one, relation, other


def _matched(said: list[Any], true: list[Any]) -> tuple[int, int, int]:
    return sum((Counter(said) & Counter(true)).values()), len(said), len(true)


def _sentence(data: Path, row: dict[str, Any]) -> str | None:
    """Return the sentence that a row names, None where the text is not there or has changed."""
    name, _, key = row["source"].partition("#")
    file = data / name
    if not file.is_file():
        return None
    if key:
        text: Any = read_json(file)
        for part in key.split("/"):
            text = text[part]
    else:
        text = decoded(file.read_bytes())
    held = sentences(str(text))
    if row["sentence"] >= len(held):
        return None
    found = held[row["sentence"]]
    return found if sha256(found.encode()).hexdigest().startswith(row["hash"]) else None
