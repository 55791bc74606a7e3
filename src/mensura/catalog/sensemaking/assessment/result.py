"""A model's whole assessment as it is printed, stored and compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.answers.answer import Defect
from mensura.catalog.sensemaking.assessment.assess import Benchmark, ModelSide, Resemblance, score_model
from mensura.catalog.sensemaking.assessment.cfa import BIASES, NEEDED, exhibits
from mensura.catalog.sensemaking.assessment.cfa import PASS_MARK as BIAS_MARK
from mensura.catalog.sensemaking.assessment.cpa import PASS_MARK, overall
from mensura.catalog.sensemaking.assessment.direction import Direction, directions
from mensura.catalog.sensemaking.assessment.drawing import DrawingError, drawing_errors
from mensura.catalog.sensemaking.assessment.resampling import Resamples, interval, trials_quantile
from mensura.catalog.sensemaking.assessment.skill import over_trials, skill_by_task
from mensura.catalog.sensemaking.assessment.surprise import SurprisePrediction, predict_surprise
from mensura.catalog.sensemaking.people.respondents import Respondents
from mensura.stats.estimate import Estimate


@dataclass(frozen=True)
class Assessment:
    """CPA, CFA and all that stands beside them for one model."""

    model: str
    benchmark: Benchmark
    side: ModelSide
    scores: Resemblance
    resamples: Mapping[str, Resemblance]
    directions: Mapping[str, Mapping[int, Direction]]
    drawings: Mapping[str, Mapping[int, DrawingError]]
    surprise: list[SurprisePrediction]
    skill: Mapping[int, tuple[Estimate, Estimate]]
    """S1 and S2 of the model by task, over its trials."""
    declared: tuple[Mapping[str, Any], ...]
    """What each run declares of its parameters, which are fixed within a run (section 4.4)."""
    faults: tuple[Defect, ...]

    @property
    def cpa(self) -> Estimate:
        """CPA with its interval over people."""
        return self._estimate(float(self.scores.cpa), lambda scores: scores.cpa)

    def task(self, number: int) -> Estimate:
        """RSR of a task, or RMR of Task 6, with its interval over people."""
        return self._estimate(float(self.scores.tasks[number]), lambda scores: scores.tasks[number])

    def _estimate(self, value: float, of: Any, *, over: str = "people") -> Estimate:
        count = len(self.benchmark.people)
        if over not in self.resamples:
            return Estimate(value, float("nan"), float("nan"), count, "not resampled")
        low, high = interval(value, np.atleast_1d(of(self.resamples[over])))
        return Estimate(value, low, high, count, f"bootstrap over {over}, bias-corrected normal")

    @property
    def cpa_over_trials(self) -> Estimate:
        """CPA with its interval over other trials of the same kind; few trials a task, so t and not normal."""
        value, trials = float(self.scores.cpa), self.benchmark.trials()
        count = sum(trials[number] for number in self.benchmark.rules.weights if number in trials)
        if "trials" not in self.resamples:
            return Estimate(value, float("nan"), float("nan"), count, "not resampled")
        found = self.resamples["trials"]
        quantile = trials_quantile(found.tasks, weights=self.benchmark.rules.weights, trials=trials)
        low, high = interval(value, found.cpa, quantile=quantile)
        return Estimate(value, low, high, count, "bootstrap over trials, bias-corrected t (Satterthwaite)")

    @property
    def missing(self) -> dict[int, int]:
        """Assessed stages (trials of Task 6) without a usable answer, by task."""
        found = {}
        for number, use in self.benchmark.assessed_stages.items():
            values = self.scores.stages.stages.get(number)
            found[number] = int(use.sum()) if values is None else int((use & ~np.isfinite(values)).sum())
        if self.benchmark.human.sequences is not None:
            matches = self.scores.stages.matches
            trials = self.benchmark.human.sequences.shape[0]
            found[6] = trials if matches is None else int((~np.isfinite(matches)).sum())
        return found

    @property
    def worst(self) -> float:
        """CPA if everything missing had scored 0."""
        tasks: dict[int, NDArray[np.float64]] = {}
        for number, value in self.scores.tasks.items():
            seen = self._assessed(number) - self.missing.get(number, 0)
            share = seen / self._assessed(number) if self._assessed(number) else float("nan")
            tasks[number] = np.asarray(float(value) * share if seen else 0.0)
        return float(overall(tasks, weights=self.benchmark.rules.weights))

    def _assessed(self, number: int) -> int:
        if number == 6:
            return 0 if self.benchmark.human.sequences is None else self.benchmark.human.sequences.shape[0]
        use = self.benchmark.assessed_stages.get(number)
        return 0 if use is None else int(use.sum())

    @property
    def passes_cpa(self) -> bool:
        """At least 50, and no task left out altogether."""
        whole = all(np.isfinite(value) for value in self.scores.tasks.values())
        return whole and float(self.scores.cpa) >= PASS_MARK

    @property
    def biases_passed(self) -> tuple[str, ...]:
        """The biases on which the model agrees with people on at least half of the assessed items."""
        return tuple(bias for bias in BIASES if float(self.scores.biases[bias]) >= BIAS_MARK)

    @property
    def passes_cfa(self) -> bool:
        """At least two of the four biases."""
        return len(self.biases_passed) >= NEEDED

    def as_json(self) -> dict[str, Any]:
        """Give the whole assessment as JSON; unknown is null."""
        from mensura.catalog.sensemaking.assessment.wording import notes
        from mensura.dialogue.canonical import short_hash

        people = self.benchmark.people
        return {
            "exam": self.benchmark.exam.id,
            "model": self.model,
            "runs": len(self.side.runs),
            "declared": [{"hash": short_hash(dict(each)), "parameters": dict(each)} for each in self.declared],
            "parameters_hash": short_hash([dict(each) for each in self.declared]),
            "people": len(people),
            "people_by_task": {str(number): count for number, count in self.benchmark.human.people.items()},
            "exclusions": self.benchmark.exclusions,
            "cpa": self._cpa_json(),
            "tasks": {str(number): self._task_json(number) for number in self.scores.tasks},
            "cfa": self._cfa_json(),
            "excluded": self._excluded_json(),
            "direction": {
                who: {str(number): each.as_json() for number, each in found.items()}
                for who, found in self.directions.items()
            },
            "drawn": {
                who: {str(number): each.as_json() for number, each in found.items()}
                for who, found in self.drawings.items()
            },
            "surprise": [each.as_json() for each in self.surprise],
            "missing": {str(number): count for number, count in self.missing.items()},
            "notes": notes(self),
            "faults": [fault.as_json() for fault in self.faults],
        }

    def _cpa_json(self) -> dict[str, Any]:
        found = self.cpa.as_json() | {"pass": self.passes_cpa, "worst": _number(self.worst)}
        if self.resamples:
            both = self._estimate(float(self.scores.cpa), lambda scores: scores.cpa, over="people and trials")
            for name, estimate in (("over_trials", self.cpa_over_trials), ("over_people_and_trials", both)):
                found[name] = {
                    "low": _number(estimate.low), "high": _number(estimate.high), "n": estimate.n,
                    "method": estimate.method,
                }  # fmt: skip
        return found

    def _task_json(self, number: int) -> dict[str, Any]:
        estimate = self.task(number).as_json()
        estimate["rmr" if number == 6 else "rsr"] = estimate.pop("value")
        nothing = Estimate(float("nan"), float("nan"), float("nan"), 0, "none")
        s1, s2 = self.skill.get(number, (nothing, nothing))
        return estimate | {
            "weight": self.benchmark.rules.weights[number],
            "assessed": self._assessed(number),
            "missing": self.missing.get(number, self._assessed(number)),
            "s1": _number(s1.value),
            "s2": _number(s2.value),
            "s1_estimate": s1.as_json(),
            "s2_estimate": s2.as_json(),
        }

    def _cfa_json(self) -> dict[str, Any]:
        rules = self.benchmark.rules
        human = exhibits(self.benchmark.human, normative=self.benchmark.normative, sign=rules.sign)
        own = self.side.exhibits(self.benchmark)
        biases = {}
        for bias in BIASES:
            use = self.benchmark.assessed_items[bias]
            items = self.scores.items[bias]
            score = float(self.scores.biases[bias])
            estimate = self._estimate(score, lambda scores, b=bias: scores.biases[b], over="people and trials")
            biases[bias] = {
                "score": _number(score),
                "low": _number(estimate.low),
                "high": _number(estimate.high),
                "method": estimate.method,
                "pass": bool(score >= BIAS_MARK),
                "items": sum(int(np.isfinite(values).sum()) for values in items.values()),
                "missing": sum(int((use[number] & ~np.isfinite(values)).sum()) for number, values in items.items()),
                "people_exhibit": _shown(human.items[bias], use),
                "model_exhibits": _shown(own.items[bias], use),
            }
        return {
            "passed": len(self.biases_passed),
            "of": len(BIASES),
            "pass": self.passes_cfa,
            "rule": "published" if rules.sign else "Table 7 as printed",
            "biases": biases,
        }

    def _excluded_json(self) -> dict[str, list[str]]:
        """What is not assessed, as task.trial.stage with trials from 1 and stages from 0."""
        found = {
            "cpa": [
                f"{number}.{int(trial) + 1}.{int(stage)}"
                for number, use in self.benchmark.assessed_stages.items()
                for trial, stage in np.argwhere(~use)
                if not (number == 5 and stage == 0)
            ]
        }
        for bias in BIASES:
            found[bias] = [
                f"{number}.{int(trial) + 1}" + (f".{int(item) + 1}" if bias == "anchoring" else "")
                for number, use in self.benchmark.assessed_items[bias].items()
                for trial, item in np.argwhere(~use)
            ]
        return found


def assess(
    benchmark: Benchmark,
    runs: Respondents,
    *,
    model: str,
    rng: np.random.Generator,
    draws: int = 2000,
    resamples: Resamples | None = None,
    declared: Sequence[Mapping[str, Any]] = (),
) -> Assessment:
    """Assess a model against people.

    Parameters
    ----------
    benchmark : Benchmark
        The exam, its people and the rules.
    runs : Cohort
        One or more runs of the model; never more than there are people.
    model : str
        Its name.
    rng : Generator
        For the intervals.
    draws : int
        Resamples of people and trials; 0 leaves the intervals out.
    resamples : Resamples, optional
        Resamples to share with another model, so that the two can be compared pair by pair.
    declared : sequence of mappings, optional
        What the model declares of itself, run by run.
    """
    side = ModelSide(benchmark, runs)
    scores = score_model(benchmark, side)
    found: dict[str, Resemblance] = {}
    if draws > 0 or resamples is not None:
        shared = resamples if resamples is not None else benchmark.resamples(draws=draws, rng=rng)
        for over, each in (
            ("people", shared.only_people()),
            ("trials", shared.only_trials()),
            ("people and trials", shared),
        ):
            found[over] = score_model(benchmark, side, resamples=each)
    exam, people = benchmark.exam, benchmark.people
    skill = skill_by_task(exam, runs)
    return Assessment(
        model=model,
        benchmark=benchmark,
        side=side,
        scores=scores,
        resamples=found,
        directions={
            "people": directions(exam, people),
            "model": directions(exam, runs),
        },
        drawings={
            "people": drawing_errors(exam, people),
            "model": drawing_errors(exam, runs),
        },
        surprise=predict_surprise(exam, people, runs, side.mean, rng=rng),
        skill={number: (over_trials(each.s1), over_trials(each.s2)) for number, each in skill.items()},
        declared=tuple(declared),
        faults=runs.faults,
    )


def _shown(items: Mapping[int, NDArray[np.float64]], use: Mapping[int, NDArray[np.bool_]]) -> float | None:
    """Percent of assessed items on which a bias shows."""
    chosen = [values[use[number] & np.isfinite(values)] for number, values in items.items() if number in use]
    flat = np.concatenate(chosen) if chosen else np.zeros(0)
    return None if len(flat) == 0 else float(100 * flat.mean())


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
