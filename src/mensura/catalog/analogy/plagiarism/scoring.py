"""Scores of the plagiarism test: how well closeness tells copies from answers of one's own, and levels apart."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.catalog.analogy.plagiarism.corpus import LABELS, LEVELS
from mensura.catalog.analogy.ranking import Rated
from mensura.dialogue import Record, Score, Scores
from mensura.dialogue.record import ESTIMATES
from mensura.stats import Estimate

COPIES, NONE = (0, 1, 2), 3
ADJACENT = ((0, 1), (1, 2), (2, 3))
SCORES = (
    Score("auc", better="more", low=0, high=1, label="copies told from answers of one's own (AUC)"),
    Score("auc_heavy", better="more", low=0, high=1, label="heavy revisions told from answers of one's own (AUC)"),
    Score("auc_adjacent", better="more", low=0, high=1, label="adjacent levels told apart (mean AUC)"),
    Score("spearman_within", better="more", low=-1, high=1, label="order of levels within a task (Spearman)"),
)
CHANCE = {"auc": 0.5, "auc_heavy": 0.5, "auc_adjacent": 0.5, "spearman_within": 0.0}


def rated(record: Record, truths: Mapping[str, Any]) -> Rated:
    """Read what was said of each answer; one that we lost is left out, one that was not given is unknown."""
    rows = []
    for answer in {answer.key: answer for answer in record.answers if answer.key in truths}.values():
        outcome = record.outcome_of(answer)
        if outcome and outcome != "lost":
            closeness = float(answer.value) if outcome == "answered" else float("nan")
            truth = truths[answer.key]
            rows.append((closeness, LEVELS.index(truth["level"]), truth["task"], truth["participant"]))
    # The order in which answers were shown must not move a resample.
    rows.sort(key=lambda row: (*row[1:], np.nan_to_num(row[0], nan=-1.0)))
    columns = list(zip(*rows, strict=True)) or [(), (), (), ()]
    return Rated.of(columns[0], level=columns[1], task=columns[2], unit=columns[3])


def score(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Score a session over the people who wrote the answers: they are drawn anew, not the answers."""
    found = rated(record, truths)
    estimates = estimates_of(found)
    levels = {
        f"{LABELS[LEVELS[one]]} against {LABELS[LEVELS[other]]}": found.area([one], [other]).as_json()
        for one, other in ADJACENT
    }
    details = {
        ESTIMATES: {name: estimate.as_json() for name, estimate in estimates.items()},
        "medians": medians(found),
        "adjacent": levels,
    }
    return Scores({name: estimate.value for name, estimate in estimates.items()}, details)


def estimates_of(found: Rated) -> dict[str, Estimate]:
    """Estimate every score."""
    return {
        "auc": found.area(COPIES, [NONE]),
        "auc_heavy": found.area([2], [NONE]),
        "auc_adjacent": found.mean_area(ADJACENT),
        "spearman_within": found.order_within(),
    }


def medians(found: Rated) -> dict[str, float | None]:
    """Return the median closeness of each level; None where nothing was said."""
    told = {
        level: found.closeness[(found.level == place) & ~np.isnan(found.closeness)]
        for place, level in enumerate(LEVELS)
    }
    return {level: float(np.median(values)) if len(values) else None for level, values in told.items()}
