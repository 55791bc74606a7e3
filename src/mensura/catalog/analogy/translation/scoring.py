"""Scores of the translation test: does closeness follow the order stated beforehand, and do splits and joins matter?"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.catalog.analogy.damage.damaging import HARMLESS
from mensura.catalog.analogy.ranking import correlation
from mensura.catalog.analogy.translation.corpus import UNCHANGED
from mensura.dialogue import Items, Record, Score

SCORES = (
    Score("trend", better="more", low=-1, high=1, label="closeness follows the stated order (Spearman)"),
    Score(
        "split_loss", best=0, low=-1, high=1, unanswered=1.0, label="closeness lost by splitting and joining sentences"
    ),
)


def told(record: Record, truths: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """Return text → language → how close it was said to be; NaN where nothing was said, without what we lost."""
    found: dict[str, dict[str, float]] = {}
    for answer in {answer.key: answer for answer in record.answers if answer.key in truths}.values():
        outcome = record.outcome_of(answer)
        if outcome and outcome != "lost":
            truth = truths[answer.key]
            value = float(answer.value) if outcome == "answered" else np.nan
            found.setdefault(truth["text"], {})[truth["language"]] = value
    return found


def score(record: Record, truths: Mapping[str, Any]) -> dict[str, Items]:
    """Return for each text how closeness follows the order, and what splitting and joining sentences costs.

    What was not answered is put where it hurts the trend most, and costs all there is where it belongs to a loss.
    """
    order = {truth["language"]: truth["tier"] for truth in truths.values() if truth["tier"] is not None}
    trends, losses = dict[str, float](), dict[str, float]()
    for text, known in sorted(told(record, truths).items()):
        tiers = [(order[language], value) for language, value in sorted(known.items()) if language in order]
        if len({tier for tier, _ in tiers}) > 1:
            trends[text] = correlation([value for _, value in tiers], [-tier for tier, _ in tiers])
        kept = [known[language] for language in HARMLESS if language in known]
        if kept and UNCHANGED in known:
            loss = known[UNCHANGED] - float(np.mean(kept))
            losses[text] = 1.0 if np.isnan(loss) else loss
    rows = {"trend": trends, "split_loss": losses}
    return {name: Items(list(row.values()), list(row), separate=True) for name, row in rows.items() if row}
