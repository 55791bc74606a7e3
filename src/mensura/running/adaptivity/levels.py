"""Levels: the scores of courses between chance and oracle, task by task."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.catalog.find import find_test
from mensura.dialogue import Score
from mensura.errors import BadData
from mensura.running.adaptivity.gathering import Courses, Floats, PhaseScores
from mensura.running.adaptivity.measures import Measures
from mensura.stats import Estimate, Scale
from mensura.stats.adaptivity import (
    TimeToLevel,
    course_difference,
    course_mean,
    cut,
    first_reached,
    performance,
    time_to_level,
)
from mensura.stats.generalise import ANYWHERE
from mensura.stats.intervals.mean import t_estimate
from mensura.subjects.naming import split_group, split_settings

if TYPE_CHECKING:
    from mensura.running.study.plan import Study

PERFORMANCE = (
    "Levels are performances: 0 is chance, 1 the oracle, (s - c)/(o - c) with the mean scores of chance c and oracle o "
    "in the same phase; below chance it is (s - c)/(c - w), w being the worst. Differences are of two such levels."
)
SCORES = "Levels are mean scores: no oracle is named, so they are not set between chance and the best there is."


def sided(towards: Floats, *, steeper: float) -> Floats:
    """Return levels of courses from scores in units of the oracle's distance from chance, by the side of their mean.

    A unit below chance counts `steeper` times as much. Where the mean may as well lie on the other side of chance,
    courses keep the spread of the side that is steeper: else an interval could not reach what lies there. Simulated,
    so intervals of differences cover 94 to 99 %, the most where levels are at chance.

    >>> sided(np.array([-0.4, -0.3]), steeper=2.0), sided(np.array([0.4, 0.5, 0.6]), steeper=2.0)
    (array([-0.8, -0.6]), array([0.4, 0.5, 0.6]))
    """
    known = towards[~np.isnan(towards)]
    if not len(known) or steeper == 1.0:
        return towards
    found = t_estimate(known)
    slope = steeper if found.value < 0 else 1.0
    unclear = found.has_interval and found.low <= 0 <= found.high
    return found.value * slope + (max(steeper, 1.0) if unclear else slope) * (towards - found.value)


@dataclass(frozen=True)
class CourseLevels:
    """All courses of a study, and the scale that their scores are read on."""

    study: "Study"
    measures: Measures
    courses: Sequence[Courses]

    @property
    def how(self) -> str:
        """Return the meaning of a level, as a sentence."""
        return SCORES if self.measures.oracle is None else PERFORMANCE

    @property
    def better(self) -> str:
        """Return whether more or less is better: of performances more, of scores what their test declares."""
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

    @property
    def scale(self) -> Scale:
        """Return the range of a level: of performances -1 to 1, of scores what the test of the first phase declares."""
        if self.measures.oracle is not None:
            return Scale(-1, 1)
        declared = self._declared(next(iter(self.courses[0].taken.values())))
        return Scale() if declared is None else Scale(declared.low, declared.high)

    def scaled(self, courses: Courses, phase: PhaseScores, values: Floats) -> Floats:
        """Return scores of a phase as levels, one for each course.

        All courses are set on the side of chance on which their mean lies, so that a mean of levels is the performance
        and a difference of means that of two performances.
        """
        towards = self._towards_oracle(courses, phase, values)
        return towards if self.measures.oracle is None else sided(towards, steeper=self._steeper(courses, phase))

    def _towards_oracle(self, courses: Courses, phase: PhaseScores, values: Floats) -> Floats:
        if self.measures.oracle is None:
            return values
        chance, oracle = self._ends(courses, phase)
        if np.isclose(chance, oracle):
            raise BadData(f"Oracle and chance both score {oracle:.4g} in {phase.phase.name}: nothing lies between.")
        return (values - chance) / (oracle - chance)

    def _steeper(self, courses: Courses, phase: PhaseScores) -> float:
        """Return how much more a score counts below chance than above it."""
        (chance, oracle), worst = self._ends(courses, phase), self._worst(phase)
        return 1.0 if worst is None or np.isclose(chance, worst) else (oracle - chance) / (chance - worst)

    def _ends(self, courses: Courses, phase: PhaseScores) -> tuple[float, float]:
        chance, oracle = (float(np.nanmean(self._side(name, courses, phase))) for name in ("chance", "oracle"))
        return chance, oracle

    def level(self, courses: Courses, phase: PhaseScores, scores: Floats | None = None) -> Estimate:
        """Estimate the level of a phase over courses, with chance's own error where there is an oracle.

        Every table and picture takes the level of a phase from here, so that it has one interval.

        Parameters
        ----------
        scores
            Mean scores of some of its sessions, one per course; those of all unless given.
        """
        given = phase.levels if scores is None else scores
        if self.measures.oracle is None:
            return course_mean(given, scale=self.scale)
        chance, oracle = (self._side(name, courses, phase) for name in ("chance", "oracle"))
        return performance(
            score=given,
            chance=chance if np.ndim(chance) else float(chance),
            oracle=oracle,
            worst=self._worst(phase),
            # Those who stand apart are not chance's course of the same number, though they met its instances.
            paired=bool(np.ndim(chance)) and not courses.apart,
        )

    def average(self, probed: Sequence[tuple[Courses, PhaseScores]], levels: Floats) -> Estimate:
        """Estimate the mean level of several probes, of which each course has the mean; of one probe its level."""
        if len(probed) == 1:
            return self.level(*probed[0])
        return cut(course_mean(levels, scale=ANYWHERE if self.measures.oracle else self.scale), scale=self.scale)

    def curve(self, courses: Courses, task: str, *, own: bool = False) -> Floats:
        """Return the levels of training on a task, course by course (rows), in blocks of sessions (columns).

        Each block is set on the side of chance on which its mean lies, as a phase is; with `own` each course is set on
        its own side, for what is asked of single courses: whether one has reached a level.
        """
        scores, owners = self._along(courses, task)
        blocks = [self._towards_oracle(courses, owner, one) for owner, one in zip(owners, scores.T, strict=True)]
        if self.measures.oracle is not None:
            steep = [self._steeper(courses, owner) for owner in owners]
            set_on: Any = (lambda one, steeper: np.where(one < 0, one * steeper, one)) if own else sided
            blocks = [set_on(one, steeper=by) for one, by in zip(blocks, steep, strict=True)]
        return np.stack(blocks, axis=1)

    def _along(self, courses: Courses, task: str) -> tuple[Floats, list[PhaseScores]]:
        """Return the mean scores of courses in each block of training on a task, and the phase in which each begins."""
        parts, block = _trained(courses, task), self.measures.block
        scores = self._blocks(np.concatenate([one.scores for one in parts], axis=1))
        every = [one for one in parts for _ in range(one.phase.sessions)]
        return scores, every[::block][: scores.shape[1]]

    def along(self, courses: Courses, task: str) -> list[Estimate]:
        """Estimate the level of each block of training on a task."""
        scores, owners = self._along(courses, task)
        return [self.level(courses, owner, column) for owner, column in zip(owners, scores.T, strict=True)]

    def change(self, courses: Courses, task: str) -> tuple[Estimate, Estimate]:
        """Estimate what is gained from the first block of training to the last, and the mean level over all blocks."""
        curve = self.curve(courses, task)
        area = course_mean(curve.mean(axis=1), scale=ANYWHERE if self.measures.oracle else self.scale)
        return course_difference(curve[:, -1], curve[:, 0], scale=self.scale), cut(area, scale=self.scale)

    def spent(self, courses: Courses, task: str) -> dict[str, Floats]:
        """Return what each course (row) had spent by the end of each block of training on a task, by what it is of.

        Knowledge is what was noted as the last session of the block began.
        """
        parts, block = _trained(courses, task), self.measures.block
        names = [name for name in parts[0].spent if all(name in one.spent for one in parts)]
        totals = {"sessions": np.cumsum(np.ones_like(np.concatenate([one.scores for one in parts], axis=1)), axis=1)}
        totals |= {
            name: np.cumsum(np.concatenate([one.spent[name] for one in parts], axis=1), axis=1) for name in names
        }
        totals["knowledge"] = np.concatenate([one.knowledge for one in parts], axis=1)
        ends = {name: total[:, block - 1 :: block] for name, total in totals.items()}
        return {name: end for name, end in ends.items() if not np.isnan(end).any() and (end.max(axis=1) > 0).all()}

    def titled(self, courses: Courses, task: str, name: str) -> str:
        """Return what is spent, with the unit that the test declares."""
        phase = _trained(courses, task)[0].phase
        test = find_test(phase.test)
        declared = test.declared_scores(test.fill(phase.parameters)).get(name)
        return f"{name} ({declared.unit})" if declared is not None and declared.unit else name

    def reached(self, courses: Courses, task: str, name: str = "sessions") -> TimeToLevel | None:
        """Return what courses spend of something until training on a task first reaches the level; None if unknown."""
        spent = self.spent(courses, task).get(name)
        if spent is None or self.measures.reach is None:
            return None
        curve = self.curve(courses, task, own=True)
        times = first_reached(list(curve), target=self.measures.reach, spent=list(spent), better=self.better)
        most = spent.max(axis=1)
        return time_to_level(times, horizon=float(most.max()), watched=most, resource=name)

    def _blocks(self, rows: Floats) -> Floats:
        block = self.measures.block
        cuts = rows[:, : rows.shape[1] // block * block].reshape(len(rows), -1, block)
        known = ~np.isnan(cuts)
        total = np.where(known, cuts, 0.0).sum(axis=2)
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


def _trained(courses: Courses, task: str) -> list[PhaseScores]:
    return [one for one in courses.training if one.task == task]


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
