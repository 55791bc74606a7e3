"""Results of a closed panel: final scores per artefact, per condition, and how far raters agreed."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Items, Score, Scores
from mensura.running.panel.adjudication import final_value
from mensura.running.panel.agreement import PanelAgreement, agreement_of, with_scores
from mensura.running.panel.judging.estimates import JudgedRun, judged_runs
from mensura.stats import Estimate, PairwiseDifferences, Scale, pairwise_differences, unit_estimate
from mensura.survey.rubric import Rubric

if TYPE_CHECKING:
    from mensura.store import Store
    from mensura.store.people.panels import Rating


@dataclass(frozen=True)
class FinalScore:
    """The ratings of one artefact by the panel."""

    code: str
    condition: str
    source: str
    values: dict[str, float]
    """By item of the rubric, on its own scale; NaN where nobody rated it."""
    score: float
    """Weighted mean of the items, from 0 to 1; NaN while an item is unknown."""
    raters: int
    """How many rated it, language models and third raters left aside."""
    settled: tuple[str, ...] = ()
    """Items that were adjudicated."""
    comments: tuple[str, ...] = ()
    seconds: float | None = None
    """How long a rater spent on it, the mean over those who count; None where that is not known."""


@dataclass(frozen=True)
class PanelResults:
    """The results of a closed panel."""

    name: str
    rubric: Rubric
    artefacts: tuple[FinalScore, ...]
    agreement: PanelAgreement
    models: dict[str, dict[str, float]]
    """Scores of each language model by code: reported beside the panel's, never part of it."""
    raters: dict[str, str]
    """Rater → subject that answered for them, of those who count."""
    judged: tuple[JudgedRun, ...] = ()
    """Of a panel with a judge: what people would say of each run, corrected by what they say of a sample."""

    @property
    def conditions(self) -> list[str]:
        """The conditions, sorted."""
        return sorted({one.condition for one in self.artefacts})

    def scores(self, condition: str | None = None) -> Scores:
        """Return the final scores as items, one number per artefact: of one condition, or of all."""
        chosen = [one for one in self.artefacts if condition in (None, one.condition)]
        codes = [one.code for one in chosen]
        values: dict[str, Items | float] = {
            item.key: Items([one.values[item.key] for one in chosen], codes) for item in self.rubric.items
        }
        values["score"] = Items([one.score for one in chosen], codes)
        return Scores(values, {"raters": {one.code: one.raters for one in chosen}})

    def estimates(self) -> dict[str, dict[str, Estimate]]:
        """Estimate the mean of each score in each condition; artefacts are the units, raters are taken as given."""
        return {
            condition: {
                name: unit_estimate(items.values, unit="artefact", scale=Scale(*self._bounds(name)))
                for name, items in self.scores(condition).values.items()
                if isinstance(items, Items)
            }
            for condition in self.conditions
        }

    @property
    def declared(self) -> dict[str, Score]:
        """Return the declarations of the scores; more is better for the judged artefacts."""
        names = [*(item.key for item in self.rubric.items), "score"]
        bounds = {name: self._bounds(name) for name in names}
        return {name: Score(name, better="more", low=bounds[name][0], high=bounds[name][1]) for name in names}

    def _bounds(self, name: str) -> tuple[float, float]:
        return (0.0, 1.0) if name == "score" else self.rubric.item(name).bounds

    def time_spent(self, condition: str) -> Estimate:
        """Estimate how many seconds raters spend on an artefact of a condition; artefacts are the units."""
        known = [one.seconds for one in self.artefacts if one.condition == condition and one.seconds is not None]
        return unit_estimate(known, unit="artefact", scale=Scale(low=0))

    def differences(self, score: str = "score") -> PairwiseDifferences | None:
        """Compare every two conditions on a score; None where there are not two with two artefacts each."""
        groups = {}
        for condition in self.conditions:
            items = self.scores(condition).values[score]
            known = [value for value in items.values if value == value] if isinstance(items, Items) else []
            if len(known) >= 2:
                groups[condition] = known
        return pairwise_differences(groups, scale=Scale(*self._bounds(score))) if len(groups) >= 2 else None

    def as_json(self) -> dict[str, Any]:
        """Return the results as JSON."""
        differences = None if self.judged else self.differences()
        return {
            "panel": self.name,
            "raters": self.raters,
            "artefacts": [vars(one) for one in self.artefacts],
            "conditions": {
                condition: {name: estimate.as_json() for name, estimate in estimates.items()}
                for condition, estimates in ({} if self.judged else self.estimates()).items()
            },
            "seconds": {condition: self.time_spent(condition).as_json() for condition in self.conditions},
            "differences": [] if differences is None else [one.as_json() for one in differences.comparisons],
            "agreement": self.agreement.as_json(),
            "models": self.models,
            **({"judged": [one.as_json() for one in self.judged]} if self.judged else {}),
        }


def results(name: str, *, store: "Store") -> PanelResults:
    """Return what a closed panel found; of an open one the conditions are not told, and this is refused."""

    panels = store.panels
    origins = panels.origins(name)
    head = panels.get(name)
    rubric = Rubric.read(head.rubric)
    ratings = panels.ratings(name)
    by_code: dict[str, list[Rating]] = {code: [] for code in origins}
    for rating in ratings:
        by_code[rating.code].append(rating)
    spent = _seconds(name, store=store)
    artefacts = []
    for code, given in sorted(by_code.items()):
        values = {
            item.key: final_value([one for one in given if one.item == item.key], resolution=head.details["resolution"])
            for item in rubric.items
        }
        artefacts.append(
            FinalScore(
                code=code,
                condition=origins[code].condition,
                source=origins[code].source,
                values=values,
                score=rubric.score(values),
                raters=len({one.rater for one in given if one.kind == "rating" and one.item}),
                settled=_settled(given),
                comments=tuple(one.comment for one in given if not one.item and one.kind != "additional"),
                seconds=fmean(spent[code]) if spent.get(code) else None,
            )
        )
    models = {
        model: {
            code: value
            for (_, code, item), value in with_scores([r for r in ratings if _is(r, model)], rubric).items()
            if item == "score"
        }
        for model in sorted({one.rater for one in ratings if one.kind == "additional"})
    }
    raters = {one.rater: one.subject for one in panels.assignments(name) if one.kind == "rating"}
    rated = any(one.kind == "rating" for one in ratings)
    agreement = agreement_of(name, store=store) if rated else PanelAgreement(())
    judged = judged_runs(head, artefacts, ratings)
    return PanelResults(name, rubric, tuple(artefacts), agreement, models, raters, judged)


def _seconds(name: str, *, store: "Store") -> dict[str, list[float]]:
    """Return code → how long each rater who counts spent on all that was asked of it."""
    spent: dict[str, list[float]] = {}
    for assigned in store.panels.assignments(name):
        if assigned.kind != "rating":
            continue
        own: dict[str, float] = {}
        for answer in store.records.find(assigned.session).answers:
            if answer.seconds is not None:
                code = answer.key.partition("/")[0]
                own[code] = own.get(code, 0.0) + answer.seconds
        for code, seconds in own.items():
            spent.setdefault(code, []).append(seconds)
    return spent


def _settled(given: "Sequence[Rating]") -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.item for one in given if one.kind in ("third", "discussion") and one.item))


def _is(rating: "Rating", model: str) -> bool:
    return rating.kind == "additional" and rating.rater == model
