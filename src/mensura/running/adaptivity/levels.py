"""Levels: the scores of courses between chance and oracle, task by task."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.catalog.find import find_test
from mensura.dialogue import Score
from mensura.errors import BadData
from mensura.running.adaptivity.gathering import Courses, Floats, PhaseScores
from mensura.running.adaptivity.measures import Measures
from mensura.stats import Estimate, Scale
from mensura.stats.adaptivity import course_mean, performance
from mensura.stats.generalise import ANYWHERE
from mensura.subjects.naming import split_group, split_settings

if TYPE_CHECKING:
    from mensura.running.study.plan import Study

PERFORMANCE = (
    "Levels are performances: 0 is chance, 1 the oracle, (s - c)/(o - c) with the mean scores of chance c and oracle o "
    "in the same phase; below chance estimates of one level are (s - c)/(c - w), w being the worst."
)
SCORES = "Levels are mean scores: no oracle is named, so they are not set between chance and the best there is."


@dataclass(frozen=True)
class CourseLevels:
    """All courses of a study, and the scale that their scores are read on."""

    study: "Study"
    measures: Measures
    courses: Sequence[Courses]

    @property
    def how(self) -> str:
        """What a level is, in a sentence."""
        return SCORES if self.measures.oracle is None else PERFORMANCE

    @property
    def better(self) -> str:
        """Whether more or less is better: of performances more, of scores what their test declares."""
        declared = self._declared(next(iter(self.courses[0].taken.values())))
        return "less" if self.measures.oracle is None and declared is not None and declared.better == "less" else "more"

    @property
    def subjects(self) -> list[Courses]:
        """The courses of those who are measured: neither chance nor oracle."""
        named = (self.measures.chance, self.measures.oracle)
        return [one for one in self.courses if one.cell.cast.name not in named]

    @property
    def sound(self) -> list[Courses]:
        """The same without those whom a fault befalls."""
        return [one for one in self.subjects if not one.subject.startswith("fault:")]

    def scaled(self, courses: Courses, phase: PhaseScores, values: Floats) -> Floats:
        """Return scores of a phase as levels."""
        if self.measures.oracle is None:
            return values
        chance, oracle = (float(np.nanmean(self._side(name, courses, phase))) for name in ("chance", "oracle"))
        if np.isclose(chance, oracle):
            raise BadData(f"Oracle and chance both score {oracle:.4g} in {phase.phase.name}: nothing lies between.")
        return (values - chance) / (oracle - chance)

    def level(self, courses: Courses, phase: PhaseScores) -> Estimate:
        """Estimate the level of a phase over courses, with chance's own error where there is an oracle."""
        if self.measures.oracle is None:
            return self.mean(courses, phase, phase.levels)
        chance, oracle = (self._side(name, courses, phase) for name in ("chance", "oracle"))
        return performance(
            score=phase.levels,
            chance=chance if np.ndim(chance) else float(chance),
            oracle=oracle,
            worst=self._worst(phase),
            # Those who stand apart are not chance's course of the same number, though they met its instances.
            paired=bool(np.ndim(chance)) and not courses.apart,
        )

    def mean(self, courses: Courses, phase: PhaseScores, levels: Floats) -> Estimate:
        """Estimate a mean of levels over courses, within what the score can be; no performance is above 1."""
        scored = self.measures.oracle is None
        found = course_mean(levels, scale=self.scale(courses, phase) if scored else ANYWHERE)
        return self.within(courses, phase, found)

    def within(self, courses: Courses, phase: PhaseScores, found: Estimate) -> Estimate:
        """Cut the interval of a mean level at what the score can be, and that of a performance at the oracle.

        The bounds are those of the mean that is estimated, so this takes nothing from its coverage.
        """
        if not found.has_interval:
            return found
        scale, best = self.scale(courses, phase), np.inf if self.measures.oracle is None else 1.0
        least = -np.inf if scale.low is None else scale.low
        most = min(best, np.inf if scale.high is None else scale.high)
        # By luck, or by an oracle that is none, a mean may lie beyond.
        low, high = max(found.low, min(least, found.value)), min(found.high, max(most, found.value))
        return replace(found, low=float(low), high=float(high))

    def scale(self, courses: Courses, phase: PhaseScores) -> Scale:
        """Return what levels of a phase can be, by what its score can be."""
        declared = self._declared(phase)
        bounds = (None, None) if declared is None else (declared.low, declared.high)
        known = [np.nan if bound is None else bound for bound in bounds]
        zero, one, *ends = self.scaled(courses, phase, np.array([0.0, 1.0, *known])).tolist()
        # Where less of the score is better, levels rise as it falls.
        low, high = ends if zero < one else ends[::-1]
        return Scale(None if np.isnan(low) else low, None if np.isnan(high) else high)

    def curve(self, courses: Courses, task: str) -> Floats:
        """Return the levels of training on a task, course by course (rows), in blocks of sessions (columns)."""
        parts = [one for one in courses.training if (one.phase.task or one.phase.name) == task]
        rows = np.concatenate([self.scaled(courses, one, one.scores) for one in parts], axis=1)
        block = self.measures.block
        cut = rows[:, : rows.shape[1] // block * block].reshape(len(rows), -1, block)
        known = ~np.isnan(cut)
        total = np.where(known, cut, 0.0).sum(axis=2)
        means: Floats = np.divide(total, known.sum(axis=2), out=np.full(total.shape, np.nan), where=known.any(axis=2))
        return means

    def _side(self, name: str, courses: Courses, phase: PhaseScores) -> Any:
        """Return what chance or the oracle scores in a phase: a number, or one per course."""
        given = getattr(self.measures, name)
        if isinstance(given, str):
            theirs = next(
                one
                for one in self.courses
                if one.cell.cast.name == given
                and (one.cell.test, one.cell.condition) == (courses.cell.test, courses.cell.condition)
            )
            return theirs.taken[phase.phase.name].levels
        if given is not None:
            return np.float64(given)
        test = find_test(phase.phase.test)
        known = test.chance_levels(test.fill(phase.phase.parameters)) if name == "chance" else {}
        if self.measures.score not in known:
            raise BadData(f"{test.id} does not say what chance scores in {self.measures.score}: name a cast for it.")
        return np.float64(known[self.measures.score])

    def _declared(self, phase: PhaseScores) -> Score | None:
        test = find_test(phase.phase.test)
        return test.declared_scores(test.fill(phase.phase.parameters)).get(self.measures.score)

    def _worst(self, phase: PhaseScores) -> float | None:
        declared = self._declared(phase)
        return self.measures.worst if self.measures.worst is not None or declared is None else declared.worst


@dataclass(frozen=True)
class Dose:
    """A fault round a subject, and how much of it."""

    fault: str
    subject: str
    amount: float
    unit: str
    onset: int | None

    @classmethod
    def of(cls, name: str) -> "Dose | None":
        """Read the dose off a subject's name; None where no fault is round it.

        >>> Dose.of("fault:drop(q-learner)#rate=0.1#onset=5")
        Dose(fault='drop', subject='q-learner', amount=0.1, unit='rate', onset=5)
        """
        from mensura.subjects.fault.fault import find_fault

        sort, title, members = split_group(name)
        if sort != "fault":
            return None
        options: Mapping[str, Any] = split_settings(name)[1]
        made = find_fault(title)(**{key: one for key, one in options.items() if key not in ("onset", "end", "clock")})
        kind = title if getattr(made, "what", "seen") == "seen" else f"{title} of what is done"
        onset = options.get("onset") if options.get("clock", "session") == "session" else None
        return cls(kind, members[0], float(getattr(made, made.dose)), made.dose, onset)
