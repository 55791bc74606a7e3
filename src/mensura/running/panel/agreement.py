"""Agreement: how far the raters of a panel say the same, item by item; language models apart."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.errors import BadData, BadParameter
from mensura.running.panel.raters.collecting import collect
from mensura.stats import Agreement, cohen_kappa, intraclass_correlation, krippendorff_alpha, record_generator
from mensura.stats.consistency.agreement import Weights
from mensura.stats.intervals.sample import Floats
from mensura.survey.rubric import Rubric

if TYPE_CHECKING:
    from mensura.store import Store
    from mensura.store.people.panels import Rating

WEIGHTS: dict[str, Weights] = {"nominal": "none", "ordinal": "linear", "interval": "quadratic"}
"""How disagreements weigh in kappa, by what the scale measures."""


@dataclass(frozen=True)
class ItemAgreement:
    """Agreement on one item: Krippendorff's alpha of all raters, kappa of each two, and the intraclass correlation."""

    item: str
    alpha: Agreement | None
    kappas: dict[str, Agreement] = field(default_factory=dict)
    """By the names of two raters, "ann and bob"; weighted unless the scale is nominal."""
    intraclass: Agreement | None = None
    why_not: str = ""
    """Why something cannot be told."""

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        return f"{self.item}: {self.alpha.sentence if self.alpha is not None else self.why_not}"

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "item": self.item,
            "alpha": None if self.alpha is None else self.alpha.as_json(),
            "kappas": {pair: kappa.as_json() for pair, kappa in self.kappas.items()},
            "intraclass": None if self.intraclass is None else self.intraclass.as_json(),
            "why_not": self.why_not,
        }


@dataclass(frozen=True)
class PanelAgreement:
    """Agreement of the raters on every item and on the weighted score; of each language model with them, apart."""

    items: tuple[ItemAgreement, ...]
    models: dict[str, tuple[ItemAgreement, ...]] = field(default_factory=dict)

    def __getitem__(self, item: str) -> ItemAgreement:
        return next(one for one in self.items if one.item == item)

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "items": [one.as_json() for one in self.items],
            "models": {name: [one.as_json() for one in items] for name, items in self.models.items()},
        }


def agreement_of(name: str, *, store: "Store") -> PanelAgreement:
    """Return how far the raters of a panel agree, by their own ratings before any adjudication.

    Krippendorff's alpha takes every artefact that two rated. Cohen's kappa goes by pairs of raters where a scale has
    points, weighted by distance for ordinal scales and its square for quantities. The intraclass correlation is
    ICC(2,1) where all raters rated the same artefacts, else ICC(1,1) over as many ratings as every artefact has. The
    agreement of a language model is with the mean of the raters as if they were one, and enters none of the others.
    """

    panels = store.panels
    rubric = Rubric.read(panels.get(name).rubric)
    collect(name, store=store)
    ratings = panels.ratings(name)
    counting = [rating for rating in ratings if rating.kind == "rating"]
    if not counting:
        raise BadParameter(f"Nobody has rated anything in the panel {name!r} yet.")
    people = with_scores(counting, rubric)
    items = [agreement_on(item.key, people, measure=item.measure, points=item.points) for item in rubric.items]
    items.append(agreement_on("score", people, measure="interval"))
    models = {}
    for model in sorted({rating.rater for rating in ratings if rating.kind == "additional"}):
        theirs = with_scores([one for one in ratings if one.rater == model and one.kind == "additional"], rubric)
        measures = {item.key: (item.measure, item.points) for item in rubric.items}
        models[model] = tuple(
            _beside(one.item, people, theirs, *measures.get(one.item, ("interval", ()))) for one in items
        )
    return PanelAgreement(tuple(items), models)


Values = dict[tuple[str, str, str], float]
"""Rater, code and item → value."""


def with_scores(ratings: "Iterable[Rating]", rubric: Rubric) -> Values:
    """Return ratings by rater, code and item, with the weighted score of each rater as one item more."""
    values = {(one.rater, one.code, one.item): one.value for one in ratings if one.item and one.value is not None}
    for rater, code in {(rater, code) for rater, code, _ in values}:
        given = {item.key: values.get((rater, code, item.key), float("nan")) for item in rubric.items}
        values[rater, code, "score"] = rubric.score(given)
    return values


def agreement_on(item: str, values: Values, *, measure: str, points: Sequence[float] = ()) -> ItemAgreement:
    """Return how far raters agree on one item; kappa needs the points of its scale."""
    raters, table = _table(item, values)
    shared = (~np.isnan(table)).sum(axis=0) >= 2
    if not shared.any():
        return ItemAgreement(item, None, why_not="no artefact was rated by two raters, so agreement cannot be told.")
    rng = record_generator(np.nan_to_num(table, nan=-1e9))
    alpha = krippendorff_alpha(table, scale=measure, rng=rng)  # type: ignore[arg-type]
    kappas = {}
    for first, second in combinations(range(len(raters)), 2):
        both = ~np.isnan(table[[first, second]]).any(axis=0)
        if points and both.sum() >= 2:
            pair = f"{raters[first]} and {raters[second]}"
            kappas[pair] = _kappa(table[first, both], table[second, both], WEIGHTS[measure], points)
    intraclass, why_not = _intraclass(table[:, shared])
    return ItemAgreement(item, alpha, kappas, intraclass, why_not)


def _table(item: str, values: Values) -> tuple[list[str], Floats]:
    raters = sorted({rater for rater, _, _ in values})
    codes = sorted({code for _, code, _ in values})
    rows = [[values.get((rater, code, item), np.nan) for code in codes] for rater in raters]
    return raters, np.array(rows, dtype=float)


def _kappa(first: Floats, second: Floats, weights: Weights, points: Sequence[float]) -> Agreement:
    rng = record_generator(first, second)
    return cohen_kappa(first=first.tolist(), second=second.tolist(), weights=weights, order=points, rng=rng)


def _intraclass(table: Floats) -> tuple[Agreement | None, str]:
    try:
        if not np.isnan(table).any():
            return intraclass_correlation(table, kind="agreement"), ""
        least = int((~np.isnan(table)).sum(axis=0).min())
        columns = [column[~np.isnan(column)][:least] for column in table.T]
        return intraclass_correlation(np.array(columns).T, kind="one-way"), ""
    except BadData as error:
        return None, str(error)


def _beside(item: str, people: Values, model: Values, measure: str, points: Sequence[float]) -> ItemAgreement:
    """Compare a language model with the mean of the raters, as if they were one; kappa needs means that are points."""
    given: dict[str, list[float]] = {}
    for (_, code, key), value in people.items():
        if key == item and not np.isnan(value):
            given.setdefault(code, []).append(value)
    values: Values = {}
    for (name, code, key), value in model.items():
        if key == item and code in given and not np.isnan(value):
            values[name, code, item] = value
            values["people", code, item] = float(np.mean(given[code]))
    if len(values) < 4:
        return ItemAgreement(item, None, why_not="fewer than two artefacts were rated by both.")
    on_points = all(value in points for value in values.values())
    return agreement_on(item, values, measure=measure, points=points if on_points else ())
