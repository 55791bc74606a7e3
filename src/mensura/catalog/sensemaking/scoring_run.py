"""One scoring from files to a finished result: what the command and the page show."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.answers.answer import Answers
from mensura.catalog.sensemaking.answers.check import check_answers
from mensura.catalog.sensemaking.assessment.assess import AssessmentRules, Benchmark, took_part
from mensura.catalog.sensemaking.assessment.compare import ModelDifference, compare_models
from mensura.catalog.sensemaking.assessment.cpa import WEIGHTS
from mensura.catalog.sensemaking.assessment.exclusion import Exclusions, default_exclusions
from mensura.catalog.sensemaking.assessment.foraging import foraging
from mensura.catalog.sensemaking.assessment.individual import individual_cpa
from mensura.catalog.sensemaking.assessment.result import Assessment, assess
from mensura.catalog.sensemaking.assessment.skill import over_trials, skill_by_task
from mensura.catalog.sensemaking.assessment.wording import notes
from mensura.catalog.sensemaking.exam import Exam
from mensura.catalog.sensemaking.minds import answer_exam
from mensura.catalog.sensemaking.minds.fitting import AnchoringFit, fit_anchoring, split_people
from mensura.catalog.sensemaking.minds.simulated import PREFIX
from mensura.catalog.sensemaking.people import Respondents, respondents_of
from mensura.errors import BadFile, BadParameter


@dataclass(frozen=True)
class ScoringRun:
    """A model's assessment, with the comparison and the individuals where they were asked for."""

    assessment: Assessment
    second: Assessment | None
    difference: ModelDifference | None
    individuals: NDArray[np.float64] | None
    people: Respondents
    fit: AnchoringFit | None = None

    @property
    def sentences(self) -> list[str]:
        """What the numbers mean."""
        said = notes(self.assessment)
        if self.difference is not None:
            said.append(self.difference.sentence)
        if self.individuals is not None:
            below = float(np.mean(self.individuals < float(self.assessment.scores.cpa)))
            low, middle, high = np.nanquantile(self.individuals, [0.05, 0.5, 0.95])
            said.append(
                f"Taken as models of each other, people reach a median CPA of {middle:.1f} (5 % to 95 %: {low:.1f} to "
                f"{high:.1f}); this model is nearer to the average than {100 * below:.0f} % of them."
            )
        if self.fit is not None:
            said.append(
                f"The model was fitted to {self.fit.people} people ({self.fit.divergence_bits:.4f} bits from them on "
                "average) and is assessed on the others."
            )
        made_up = sum(name.startswith(PREFIX) for name in self.assessment.benchmark.people.subjects)
        if made_up:
            said.append(f"{made_up} of the {len(self.assessment.benchmark.people)} people are simulated.")
        if self.people.faults:
            said.append(f"{len(self.people.faults)} of people's answers could not be used; --json lists them.")
        return said

    def as_json(self) -> dict[str, Any]:
        """Give all of it as JSON."""
        found = self.assessment.as_json() | {"notes": self.sentences}
        if self.difference is not None:
            found["against"] = self.difference.as_json()
        if self.individuals is not None:
            known = self.individuals[np.isfinite(self.individuals)]
            found["individuals"] = {
                "n": len(known),
                "mean": float(known.mean()),
                "quantiles": dict(
                    zip(
                        ("5", "25", "50", "75", "95"),
                        np.quantile(known, [0.05, 0.25, 0.5, 0.75, 0.95]).tolist(),
                        strict=True,
                    )
                ),
                "share_below_model": float(np.mean(known < float(self.assessment.scores.cpa))),
            }
        bought = foraging(self.assessment.benchmark.exam, self.people) if self.individuals is not None else None
        if bought is not None:
            found["foraging"] = bought.as_json()
        found["people_faults"] = [fault.as_json() for fault in self.people.faults]
        return found


def score_against_people(
    exam: Exam,
    *,
    people: Respondents,
    answers: Sequence[Answers] | None,
    against: Sequence[Answers] | None = None,
    exclusions: str | None = None,
    sign: bool = True,
    order: str = "standard",
    weights: dict[int, float] | None = None,
    draws: int = 2000,
    individuals: bool = False,
) -> ScoringRun:
    """Assess a model's runs against people; intervals are the same every time.

    Without answers the anchoring mind is fitted to a random half of the people and assessed against the other half.
    """
    if len(people) < 2:
        raise BadFile(f"There are answers of {len(people)} people; an average human needs at least two.")
    if order not in people.layer_order:
        raise BadParameter(f"None of these people saw the INT menu in {order} order.")
    chosen = cast(Exclusions | None, exclusions) or default_exclusions(exam.id, took_part(people))
    rules = AssessmentRules(chosen, weights or WEIGHTS, sign, order)
    fit = None
    if answers is None:
        half, people = split_people(people, rng=np.random.default_rng(20123))
        fit = fit_anchoring(exam, half)
        found = answer_exam(exam, fit.mind, rng=np.random.default_rng(0), subject="anchoring, fitted")
        answers = [check_answers(found, exam)]
    benchmark = Benchmark(exam, people, rules=rules)
    rng = np.random.default_rng(20121)
    shared = benchmark.resamples(draws=draws, rng=rng) if draws else None

    def one(runs: Sequence[Answers]) -> Assessment:
        return assess(
            benchmark,
            respondents_of(runs, exam),
            model=runs[0].subject,
            rng=np.random.default_rng(20122),
            draws=0,
            resamples=shared,
            declared=[run.parameters for run in runs],
        )

    first = one(answers)
    second = None if against is None else one(against)
    return ScoringRun(
        assessment=first,
        second=second,
        difference=None if second is None else compare_models(first, second),
        individuals=individual_cpa(benchmark) if individuals else None,
        people=people,
        fit=fit,
    )


def skill_json(answers: Sequence[Answers], exam: Exam) -> dict[str, Any]:
    """S1 and S2 per task, where there are no people to compare with."""
    respondents = respondents_of(answers, exam)
    skill = skill_by_task(exam, respondents)

    found = {number: (over_trials(each.s1), over_trials(each.s2)) for number, each in sorted(skill.items())}
    return {
        "exam": exam.id,
        "model": answers[0].subject,
        "runs": len(answers),
        "tasks": {
            str(number): {
                "s1": s1.as_json()["value"],
                "s2": s2.as_json()["value"],
                "trials": s2.n,
                "s1_estimate": s1.as_json(),
                "s2_estimate": s2.as_json(),
            }
            for number, (s1, s2) in found.items()
        },
        "faults": [fault.as_json() for fault in respondents.faults],
    }
