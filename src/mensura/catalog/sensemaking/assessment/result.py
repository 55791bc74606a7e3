"""A model's whole assessment as it is printed, stored and compared."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.answers.answer import Defect
from mensura.catalog.sensemaking.assessment.assess import Benchmark, ModelSide, Resemblance, score_model
from mensura.catalog.sensemaking.assessment.behaviour.direction import Direction, directions
from mensura.catalog.sensemaking.assessment.behaviour.drawing import DrawingError, drawing_errors
from mensura.catalog.sensemaking.assessment.behaviour.surprise import SurprisePrediction, predict_surprise
from mensura.catalog.sensemaking.assessment.cfa import BIASES, NEEDED, exhibits
from mensura.catalog.sensemaking.assessment.cfa import PASS_MARK as BIAS_MARK
from mensura.catalog.sensemaking.assessment.cpa import PASS_MARK, overall
from mensura.catalog.sensemaking.assessment.resampling import Resamples, interval, trials_quantile
from mensura.catalog.sensemaking.assessment.skill import over_trials, skill_by_task, skill_json
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

    def _estimate(self, value: float, of: Callable[[Resemblance], Any], *, over: str = "people") -> Estimate:
        count = len(self.benchmark.people)
        if over not in self.resamples:
            return Estimate(value, np.nan, np.nan, count, "not resampled", over)
        low, high = interval(value, np.atleast_1d(of(self.resamples[over])))
        return Estimate(value, low, high, count, f"bootstrap over {over}, bias-corrected normal", over)

    def cpa_over(self, what: str) -> Estimate:
        """Return CPA with its interval over other trials of the same kind, or over other people and other trials.

        There are few trials a task, so t and not normal is taken over trials alone.
        """
        found = self._estimate(float(self.scores.cpa), lambda scores: scores.cpa, over=what)
        if what != "trials":
            return found
        trials, weights = self.benchmark.trials(), self.benchmark.rules.weights
        count = sum(trials[number] for number in weights if number in trials)
        if not found.has_interval:
            return replace(found, n=count)
        resampled = self.resamples[what]
        quantile = trials_quantile(resampled.tasks, weights=weights, trials=trials)
        low, high = interval(found.value, resampled.cpa, quantile=quantile)
        return Estimate(found.value, low, high, count, "bootstrap over trials, bias-corrected t (Satterthwaite)", what)

    @property
    def missing(self) -> dict[int, int]:
        """Assessed stages (trials of Task 6) that a run left out or answered unusably, by task; they count 0 for it."""
        return {number: int((use & (share < 1)).sum()) for number, (use, share) in self._coverage.items()}

    @property
    def answered(self) -> float:
        """CPA on what was answered alone."""
        tasks = dict(self.scores.tasks)
        for number, (use, share) in self._coverage.items():
            tasks[number] = tasks[number] / (share[use].mean() or np.nan)
        return float(overall(tasks, weights=self.benchmark.rules.weights))

    @cached_property
    def _coverage(self) -> dict[int, tuple[NDArray[np.bool_], NDArray[np.float64]]]:
        """What is assessed of each task, and the share of the runs that answered it."""
        human, found = self.benchmark.human, dict(self.benchmark.assessed_stages)
        if human.sequences is not None:
            found[6] = np.asarray(human.sequences.any(axis=-1))
        return {
            number: (use, self.side.answered[number])
            for number, use in found.items()
            if number in self.scores.tasks and use.any()
        }

    @property
    def passes_cpa(self) -> bool:
        """At least 50, what is missing counting 0, and no task left out altogether."""
        whole = all(number in self._coverage and self._coverage[number][1].any() for number in self.scores.tasks)
        return whole and float(self.scores.cpa) >= PASS_MARK

    @property
    def biases_assessed(self) -> tuple[str, ...]:
        """Return the biases that people show, so that a model can be compared with them."""
        return tuple(bias for bias in BIASES if np.isfinite(self.scores.biases[bias]))

    @property
    def biases_passed(self) -> tuple[str, ...]:
        """The biases on which the model agrees with people on at least half of the assessed items."""
        return tuple(bias for bias in BIASES if float(self.scores.biases[bias]) >= BIAS_MARK)

    @property
    def passes_cfa(self) -> bool | None:
        """Return whether at least two biases are passed; None where fewer can be assessed."""
        return len(self.biases_passed) >= NEEDED if len(self.biases_assessed) >= NEEDED else None

    def as_json(self) -> dict[str, Any]:
        """Return the whole assessment as JSON; unknown is NaN."""
        from mensura.catalog.sensemaking.assessment.wording import notes
        from mensura.dialogue.canonical import short_hash

        rules = self.benchmark.rules
        populations = ("trials", "people and trials") if self.resamples else ()
        over = {f"over_{each.replace(' ', '_')}": asdict(self.cpa_over(each)) for each in populations}
        return {
            "exam": self.benchmark.exam.id,
            "model": self.model,
            "runs": len(self.side.runs),
            "declared": [{"hash": short_hash(dict(each)), "parameters": dict(each)} for each in self.declared],
            "parameters_hash": short_hash([dict(each) for each in self.declared]),
            "people": len(self.benchmark.people),
            "people_by_task": _by_name(self.benchmark.human.people),
            "exclusions": self.benchmark.exclusions,
            "cpa": asdict(self.cpa) | {"pass": self.passes_cpa, "answered": self.answered} | over,
            "tasks": {str(number): self.task_json(number) for number in self.scores.tasks},
            "cfa": {
                "passed": len(self.biases_passed),
                "of": len(self.biases_assessed),
                "needed": NEEDED,
                "pass": self.passes_cfa,
                "rule": "published" if rules.sign else "Table 7 as printed",
                "biases": {bias: self.bias_json(bias) for bias in BIASES},
            },
            "excluded": self.excluded(),
            "direction": {who: _by_name(found) for who, found in self.directions.items()},
            "drawn": {who: _by_name(found) for who, found in self.drawings.items()},
            "surprise": [each.as_json() for each in self.surprise],
            "missing": _by_name(self.missing),
            "notes": notes(self),
            "faults": [asdict(fault) for fault in self.faults],
        }

    def task_json(self, number: int) -> dict[str, Any]:
        """Return what is known of a task as JSON."""
        estimate = asdict(self.task(number))
        estimate["rmr" if number == 6 else "rsr"] = estimate.pop("value")
        return estimate | {
            "weight": self.benchmark.rules.weights[number],
            "assessed": int(self._coverage[number][0].sum()) if number in self._coverage else 0,
            "missing": self.missing.get(number, 0),
            **skill_json(*self.skill.get(number, ())),
        }

    def bias_json(self, bias: str) -> dict[str, Any]:
        """Return what is known of a bias as JSON."""
        benchmark, use, items = self.benchmark, self.benchmark.assessed_items[bias], self.scores.items[bias]
        score = float(self.scores.biases[bias])
        estimate = asdict(self._estimate(score, lambda scores: scores.biases[bias], over="people and trials"))
        human = exhibits(benchmark.human, normative=benchmark.normative, sign=benchmark.rules.sign)
        return {
            "score": score,
            **{name: estimate[name] for name in ("low", "high", "method")},
            "pass": bias in self.biases_passed if bias in self.biases_assessed else None,
            "items": sum(int(np.isfinite(values).sum()) for values in items.values()),
            "missing": sum(int((use[number] & (self.side.shown[bias][number] < 1)).sum()) for number in items),
            "people_exhibit": _shown(human.items[bias], use),
            "model_exhibits": _shown(self.side.exhibits(benchmark).items[bias], use),
        }

    def excluded(self) -> dict[str, list[str]]:
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
    resamples: Resamples | None = None,
    declared: Sequence[Mapping[str, Any]] = (),
) -> Assessment:
    """Assess a model's runs against people.

    Resamples of people and trials are shared with other models, so that they can be compared pair by pair; without
    them there are no intervals. `declared` is what the model declares of itself, run by run.
    """
    side = ModelSide(benchmark, runs)
    scores = score_model(benchmark, side)
    found: dict[str, Resemblance] = {}
    if resamples is not None:
        found = {
            "people": score_model(benchmark, side, resamples=resamples.only_people()),
            "trials": score_model(benchmark, side, resamples=resamples.only_trials()),
            "people and trials": score_model(benchmark, side, resamples=resamples),
        }
    exam, people = benchmark.exam, benchmark.people
    skill = skill_by_task(exam, runs)
    return Assessment(
        model=model,
        benchmark=benchmark,
        side=side,
        scores=scores,
        resamples=found,
        directions={"people": directions(exam, people), "model": directions(exam, runs)},
        drawings={"people": drawing_errors(exam, people), "model": drawing_errors(exam, runs)},
        surprise=predict_surprise(exam, people, side.runs, side.mean, rng=rng),
        skill={number: (over_trials(each.s1), over_trials(each.s2)) for number, each in skill.items()},
        declared=tuple(declared),
        faults=runs.faults,
    )


def _shown(items: Mapping[int, NDArray[np.float64]], use: Mapping[int, NDArray[np.bool_]]) -> float | None:
    """Percent of assessed items on which a bias shows."""
    chosen = [values[use[number] & np.isfinite(values)] for number, values in items.items() if number in use]
    flat = np.concatenate(chosen) if chosen else np.zeros(0)
    return None if len(flat) == 0 else float(100 * flat.mean())


def _by_name(found: Mapping[int, Any]) -> dict[str, Any]:
    return {str(number): each.as_json() if hasattr(each, "as_json") else each for number, each in found.items()}
