"""What comes of assessing models against people: the numbers, what they mean, and the answer in a sentence."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.answers.answer import SIMULATED, Answers
from mensura.catalog.sensemaking.answers.check import check_answers
from mensura.catalog.sensemaking.assessment.assess import AssessmentRules, Benchmark, took_part
from mensura.catalog.sensemaking.assessment.behaviour.foraging import Foraging, foraging
from mensura.catalog.sensemaking.assessment.behaviour.individual import individual_cpa
from mensura.catalog.sensemaking.assessment.cfa import BIASES, VERDICT
from mensura.catalog.sensemaking.assessment.compare import ModelDifference, compare_models
from mensura.catalog.sensemaking.assessment.cpa import PASS_MARK
from mensura.catalog.sensemaking.assessment.exclusion import default_exclusions
from mensura.catalog.sensemaking.assessment.result import Assessment, assess
from mensura.catalog.sensemaking.assessment.wording import notes
from mensura.catalog.sensemaking.exam.model import Exam
from mensura.catalog.sensemaking.minds import answer_exam
from mensura.catalog.sensemaking.minds.fitting import AnchoringFit, fit_anchoring, split_people
from mensura.catalog.sensemaking.people import Respondents, respondents_of
from mensura.errors import BadFile, BadParameter

QUANTILES = (5, 25, 50, 75, 95)


@dataclass(frozen=True)
class Findings:
    """One or more models assessed against the same people, the first compared with each of the others."""

    assessments: tuple[Assessment, ...]
    differences: tuple[ModelDifference, ...]
    individuals: NDArray[np.float64]
    """CPA of each person, taken as a model of the others; those without one are left out."""
    foraging: Foraging | None
    people: Respondents
    models: Sequence[Sequence[Answers]]
    fit: AnchoringFit | None = None

    @property
    def assessment(self) -> Assessment:
        """The first model's."""
        return self.assessments[0]

    @property
    def title(self) -> str:
        """Who is assessed against whom."""
        names = " and ".join(each.model for each in self.assessments)
        return f"{names} against {len(self.assessment.benchmark.people)} people"

    @property
    def answer(self) -> str:
        """The answer in a sentence."""
        first, cpa = self.assessment, self.assessment.cpa
        interval = f", 95 % interval {cpa.ends}" if cpa.has_interval else ""
        verdicts = [VERDICT[passed] for passed in (first.passes_cpa, first.passes_cfa)]
        return (
            f"{first.model} comes {cpa.rounded[0]} % of the way from a uniform model to the average of "
            f"{len(first.benchmark.people)} people (CPA{interval}: {verdicts[0]} at {PASS_MARK:g}) and shares "
            f"{len(first.biases_passed)} of {len(first.biases_assessed)} of their biases{_assessable(first)} "
            f"(CFA: {verdicts[1]})."
        )

    @property
    def sentences(self) -> list[str]:
        """What the numbers mean."""
        said = notes(self.assessment) + [each.sentence for each in self.differences]
        if len(self.individuals):
            low, middle, high = np.quantile(self.individuals, [0.05, 0.5, 0.95])
            said.append(
                f"Taken as models of each other, people reach a median CPA of {middle:.1f} (5 % to 95 %: {low:.1f} to "
                f"{high:.1f}); this model is nearer to the average than {100 * self._below:.0f} % of them."
            )
        if self.fit is not None:
            said.append(
                f"The model was fitted to {self.fit.people} people ({self.fit.divergence_bits:.4f} bits from them on "
                "average) and is assessed on the others."
            )
        made_up = sum(name.startswith(SIMULATED) for name in self.assessment.benchmark.people.subjects)
        if made_up:
            said.append(f"{made_up} of the {len(self.assessment.benchmark.people)} people are simulated.")
        if models := self.people.models:
            named = f"{models[0]}{f' and {len(models) - 1} more' if len(models) > 1 else ''}"
            many = "are models' and are" if len(models) > 1 else "is a model's and is"
            said.append(f"{len(models)} of the files of answers {many} left out: {named}.")
        if self.people.faults:
            said.append(f"{len(self.people.faults)} of people's answers could not be used; --json lists them.")
        return said

    @property
    def _below(self) -> float:
        return float(np.mean(self.individuals < float(self.assessment.scores.cpa)))

    def as_json(self) -> dict[str, Any]:
        """Return all of it as JSON."""
        found = self.assessment.as_json() | {"notes": self.sentences}
        if self.differences:
            found["against"] = self.differences[0].as_json()
        if len(self.individuals):
            quantiles = np.percentile(self.individuals, QUANTILES).tolist()
            found["individuals"] = {
                "n": len(self.individuals),
                "mean": float(self.individuals.mean()),
                "quantiles": dict(zip(map(str, QUANTILES), quantiles, strict=True)),
                "share_below_model": self._below,
            }
        if self.foraging is not None:
            found["foraging"] = self.foraging.as_json()
        faults = [asdict(fault) for fault in self.people.faults]
        return found | {"people_faults": faults, "models_left_out": list(self.people.models)}


def _assessable(assessment: Assessment) -> str:
    return "" if len(assessment.biases_assessed) == len(BIASES) else " that can be assessed"


def assess_models(
    exam: Exam,
    people: Respondents,
    models: Sequence[Sequence[Answers]],
    *,
    rules: AssessmentRules | None = None,
    draws: int = 2000,
) -> Findings:
    """Assess models, each by its runs, against people; intervals are the same every time.

    Without models the anchoring mind is fitted to a random half of the people and assessed against the other half.
    """
    if len(people) < 2:
        raise BadFile(f"There are answers of {len(people)} people; an average human needs at least two.")
    rules = rules or AssessmentRules()
    if rules.order not in people.layer_order:
        raise BadParameter(f"None of these people saw the INT menu in {rules.order} order.")
    # The published list belongs to all of the people, also where half of them serve to fit a model.
    rules = replace(rules, exclusions=rules.exclusions or default_exclusions(exam.id, took_part(people)))
    fit = None
    if not models:
        half, people = split_people(people, rng=np.random.default_rng(20123))
        fit = fit_anchoring(exam, half)
        found = answer_exam(exam, fit.mind, rng=np.random.default_rng(0), subject="anchoring, fitted")
        models = [[check_answers(found, exam)]]
    benchmark = Benchmark(exam, people, rules=rules)
    shared = benchmark.resamples(draws=draws, rng=np.random.default_rng(20121)) if draws else None
    assessments = tuple(
        assess(
            benchmark,
            respondents_of(runs, exam),
            model=runs[0].subject,
            rng=np.random.default_rng(20122),
            resamples=shared,
            declared=[run.parameters for run in runs],
        )
        for runs in models
    )
    individuals = individual_cpa(benchmark)
    return Findings(
        assessments=assessments,
        differences=tuple(compare_models(assessments[0], other) for other in assessments[1:]),
        individuals=individuals[np.isfinite(individuals)],
        foraging=foraging(exam, people),
        people=people,
        models=models,
        fit=fit,
    )
