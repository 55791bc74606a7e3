"""Benchmark, judgement and competition of the same systems, kept apart, with what they disagree on as numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from mensura.errors import BadData
from mensura.stats import Estimate, Scale, proportion_estimate, two_sample_difference, unit_estimate
from mensura.stats.wording import listed, several, spoken

FALL = 0.3
"""A belief that falls so far at one exchange has met a Watson-type error."""


@dataclass(frozen=True, slots=True)
class SystemResults:
    """What one system did: its grade on each schema (or other item), and its games.

    `taken` is 1 for each game in which it was taken for what it played and 0 for others; `beliefs` the course of
    belief in each of these games, from before the first exchange on.
    """

    grades: Sequence[float]
    taken: Sequence[float]
    beliefs: Sequence[Sequence[float]] = ()


@dataclass(frozen=True, slots=True)
class Compared:
    """One system by both."""

    name: str
    grade: Estimate
    verdict: Estimate
    """Share of games in which judges took it for what it played."""
    watson: Estimate
    """Share of games lost after one exchange at which belief fell by 0.3 or more: errors that cost the verdict."""

    def as_json(self) -> dict[str, Any]:
        """Return it for a machine."""
        parts = {"grade": self.grade, "verdict": self.verdict, "watson": self.watson}
        return {"system": self.name, **{name: one.as_json() for name, one in parts.items()}}


@dataclass(frozen=True, slots=True)
class Turned:
    """Two systems of which the benchmark puts one first and the judges the other."""

    by_grade: str
    by_verdict: str
    grade: Estimate
    """How much better the first is by its grade."""
    verdict: Estimate
    """How much better the second is by verdicts."""

    @property
    def shown(self) -> bool:
        """Whether both differences are shown, not only seen."""
        return self.grade.low > 0 and self.verdict.low > 0

    def as_json(self) -> dict[str, Any]:
        """Return it for a machine."""
        return {
            "first_by_grade": self.by_grade,
            "first_by_verdict": self.by_verdict,
            "grade": self.grade.as_json(),
            "verdict": self.verdict.as_json(),
            "shown": self.shown,
        }


@dataclass(frozen=True, slots=True)
class Versus:
    """The three kinds of result of one study."""

    benchmark: str
    judges: str
    control: Estimate | None
    systems: tuple[Compared, ...]
    turned: tuple[Turned, ...]
    placed: str = "People"

    @property
    def first(self) -> tuple[str, ...]:
        """Who came first in the competition: the most verdicts of those present; several where they are equal."""
        most = max(one.verdict.value for one in self.systems)
        return tuple(one.name for one in self.systems if one.verdict.value == most)

    def as_json(self) -> dict[str, Any]:
        """Return it for a machine."""
        return {
            "benchmark": self.benchmark,
            "judges": self.judges,
            "control": self.control.as_json() if self.control else None,
            "systems": [one.as_json() for one in self.systems],
            "first": list(self.first),
            "rank_changes": [one.as_json() for one in self.turned],
        }

    def lines(self) -> list[str]:
        """Return a report that says first what each kind of result is, and then who has which."""
        lines = [
            "## Benchmark: a score",
            f"How many items of {self.benchmark} were answered as their authors meant. Anyone can repeat it; it "
            "decides nothing about passing for a person.",
            *(f"- {one.name}: {spoken(one.grade)}" for one in self.systems),
            "",
            "## Judgement: a verdict",
            f"In what share of its games {self.judges} took the system for what it played, after talking to it.",
            *(f"- {one.name}: {spoken(one.verdict)} of {several(one.verdict.n, 'game')}" for one in self.systems),
            f"- {self.placed} in the same place: {spoken(self.control)}; a machine that is taken as often has passed."
            if self.control
            else "- No people were put in the machine's place, so that no share can be called a pass.",
            "",
            "## Competition: the best of those present",
            f"{listed(list(self.first))} came first. Somebody always does: it says nothing of passing.",
            "",
            "## Where they disagree",
        ]
        for one in self.turned:
            sure = "Both differences are shown." if one.shown else "Not both differences are shown: chance may be all."
            lines.append(
                f"- By its grade {one.by_grade} is ahead of {one.by_verdict} by {spoken(one.grade)}; by verdicts "
                f"{one.by_verdict} is ahead by {spoken(one.verdict)}. {sure}"
            )
        if not self.turned:
            lines.append("- No two systems change their order between grade and verdict.")
        for each in self.systems:
            if each.watson.value > 0:
                lines.append(
                    f"- {each.name} lost {spoken(each.watson)} of its games after one exchange at which belief fell by "
                    f"{FALL:g} or more. Such an error costs the verdict and leaves the grade as it was."
                )
        return lines


def compare_kinds(
    systems: Mapping[str, SystemResults],
    *,
    benchmark: str,
    judges: str,
    control: Sequence[float] = (),
    placed: str = "People",
) -> Versus:
    """Compare what systems come to by a benchmark and by judges.

    Parameters
    ----------
    systems
        Name → results of the same system in both.
    benchmark, judges
        What the benchmark is and who judged, in words; programs that judge are never called people.
    control, placed
        For each game with people in the machine's place, whether they were taken for what they played; who they were,
        where they were not people.
    """
    if len(systems) < 2:
        raise BadData(f"A comparison needs at least two systems that took both; got {len(systems)}.")
    for name, one in systems.items():
        if not one.grades or not one.taken:
            raise BadData(
                f"{name} has no results in {'the game' if one.grades else 'the benchmark'}; it must take both."
            )
        if one.beliefs and len(one.beliefs) != len(one.taken):
            raise BadData(f"{name} has {len(one.taken)} verdicts and {len(one.beliefs)} courses of belief.")
    made = tuple(
        Compared(name, unit_estimate(one.grades, unit="item", scale=Scale(0, 1)), _share(one.taken), _watson(one))
        for name, one in sorted(systems.items())
    )
    return Versus(
        benchmark, judges, _share(control) if len(control) else None, made, tuple(_turned(systems, made)), placed
    )


def _turned(systems: Mapping[str, SystemResults], made: Sequence[Compared]) -> list[Turned]:
    found = []
    for pair in combinations(made, 2):
        one, other = sorted(pair, key=lambda each: -each.grade.value)
        if one.grade.value > other.grade.value and other.verdict.value > one.verdict.value:
            # Items are the same for both, but a file need not say which: taken as independent the interval is wide.
            grade = two_sample_difference(first=systems[one.name].grades, second=systems[other.name].grades)
            verdict = two_sample_difference(first=systems[other.name].taken, second=systems[one.name].taken)
            found.append(Turned(one.name, other.name, grade.difference, verdict.difference))
    return found


def _share(taken: Sequence[float]) -> Estimate:
    return proportion_estimate(int(sum(taken)), n=len(taken), method="Clopper-Pearson")


def _watson(system: SystemResults) -> Estimate:
    fell = [
        not taken and len(course) > 1 and bool(np.diff(course).min() <= -FALL)
        for taken, course in zip(system.taken, system.beliefs, strict=False)
    ]
    if not fell:
        return Estimate(float("nan"), float("nan"), float("nan"), 0, "none: no beliefs were asked for")
    return _share([float(one) for one in fell])
