"""Surveys over many sessions: whether the items of a category hang together, and what was answered in words."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.dialogue import Items
from mensura.errors import BadData, BadParameter, UnknownName
from mensura.running.reference import definition_of
from mensura.stats import Estimate, Reliability, Scale, cronbach_alpha, unit_estimate

if TYPE_CHECKING:
    from mensura.store import RunHead, Store


@dataclass(frozen=True)
class Category:
    """One category of a survey: its mean over sessions, and Cronbach's alpha of its items."""

    name: str
    mean: Estimate
    reliability: Reliability | None
    why_not: str = ""
    """Why alpha cannot be told."""

    def as_json(self) -> dict[str, Any]:
        """Return the category as JSON."""
        alpha = None if self.reliability is None else self.reliability.as_json()
        return {"mean": self.mean.as_json(), "reliability": alpha, "why_not": self.why_not}


@dataclass(frozen=True)
class SurveySummary:
    """The pooled results of the sessions of a survey."""

    run: str
    categories: dict[str, Category]
    open_answers: dict[str, list[str]]
    """By item, in the order of sessions; whose answer it is is not said."""

    def as_json(self) -> dict[str, Any]:
        """Return the summary as JSON."""
        categories = {name: category.as_json() for name, category in self.categories.items()}
        return {"run": self.run, "categories": categories, "open_answers": self.open_answers}


def summarise_survey(run: str, *, store: "Store") -> SurveySummary:
    """Summarise a run of a survey: each category's mean with its interval, Cronbach's alpha, and open answers.

    Reversed items have been turned by the survey's scoring. Sessions in which an item of a category was not answered
    count for the category's mean, and not for its alpha.
    """
    head = store.runs.find(run)
    sessions = list(store.results.of(head.id).values())
    if not sessions:
        raise BadParameter(f"The run {head.id} has no finished session to be summarised.")
    collected: dict[str, list[Items]] = {}
    opened: dict[str, list[str]] = {}
    for scores in sessions:
        for name, value in scores.values.items():
            if isinstance(value, Items):
                collected.setdefault(name, []).append(value)
        for key, words in scores.details.get("open_answers", {}).items():
            opened.setdefault(key, []).append(words)
    scales = _scales(head)
    categories = {name: _category(name, answers, scales.get(name, Scale())) for name, answers in collected.items()}
    return SurveySummary(head.id, categories, opened)


def _scales(head: "RunHead") -> dict[str, Scale]:
    """Return the range of each score; nothing where the survey is no longer found."""
    try:
        declared = definition_of(head).declared_scores(head.parameters)
    except UnknownName:
        return {}
    return {name: Scale(score.low, score.high) for name, score in declared.items()}


def _category(name: str, answers: list[Items], scale: Scale) -> Category:
    means = [float(np.nanmean(one.values)) for one in answers if not np.isnan(one.values).all()]
    mean = unit_estimate(means, scale=scale)
    try:
        return Category(name, mean, cronbach_alpha(np.array([one.values for one in answers])))
    except BadData as error:
        return Category(name, mean, None, str(error))
