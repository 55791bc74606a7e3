"""Cells: what is simulated, each a kind of study with a known truth."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.random import Generator

from benchmarks.coverage.worlds import (
    BOUNDED,
    HALF_BOUNDED,
    SKEWED,
    UNBOUNDED,
    Shape,
    Subject,
    fixed,
    nested,
    redrawn,
)
from mensura.stats import Estimate, Observations, Scale, difference_estimate, estimate_score, unit_estimate

BINARY = Scale(binary=True)
UNIT = Scale(0, 1)
SIZES = (3, 5, 10, 20, 50, 100)


@dataclass(frozen=True)
class Cell:
    """One kind of study: `study` draws one and returns its estimate; `truth` is what it should cover."""

    group: str
    name: str
    population: str
    truth: float
    study: Callable[[Generator], Estimate]
    units: int
    exchangeable: bool = False
    """Whether it compares two subjects that could be exchanged: a claim is then false, and rare by promise."""

    @property
    def compares(self) -> bool:
        """Whether it is a difference."""
        return self.group.startswith(("paired", "unpaired"))

    @property
    def is_large(self) -> bool:
        """Whether it has 100 units, and ten or more failures and successes among them where it is a share."""
        ends = min(self.truth, 1 - self.truth) if 0 < self.truth < 1 else 1.0
        return self.units >= 100 and self.units * ends >= 10


@cache
def cells() -> list[Cell]:
    """Return every cell of the table."""
    return [
        *_proportions(),
        *_items(),
        *_crossed(),
        *_sessions(),
        *_numbers(),
        *_courses(),
        *_people(),
        *_these_items(),
        *_paired(),
        *_unpaired(),
    ]


def _proportions() -> Iterator[Cell]:
    for n in SIZES:
        for rate in (0.01, 0.05, 0.5, 0.8, 0.97):

            def study(rng: Generator, n: int = n, rate: float = rate) -> Estimate:
                seen = Observations((rng.random(n) < rate) * 1.0, items=np.arange(n))
                return estimate_score(seen, population="items", scale=BINARY)

            yield Cell("items, one answer each", f"{n} items, {rate:g} right", "items", rate, study, n)


def _items() -> Iterator[Cell]:
    for n in (5, 10, 20, 50, 100):
        for rate in (0.8, 0.97):
            for words, subject, epochs in (
                ("deterministic", Subject(rate, deterministic=True), (40,)),
                ("between", Subject(rate, items=2), (1, 5, 40)),
                ("noisy", Subject(rate, items=0), (5, 40)),
            ):
                for times in epochs:
                    name = f"{n} items x {times}, {rate:g} right, {words}"
                    yield _subject_cell("fixed items, each apart", name, subject, "items", items=n, sessions=times)


def _crossed() -> Iterator[Cell]:
    for n in (20, 50):
        for rate in (0.8, 0.97):
            for times in (1, 2, 3, 5, 10, 40):
                name = f"{n} items x {times} sessions, {rate:g} right"
                population = "items" if times == 1 else "items and sessions"
                subject = Subject(rate, items=1.5, sessions=0.7)
                yield _subject_cell(
                    "fixed items, session effect", name, subject, population, items=n, sessions=times, apart=False
                )
            for times in (3, 10):
                name = f"{n} items x {times} sessions, {rate:g} right"
                yield _subject_cell(
                    "fixed items in one conversation, no session effect",
                    name,
                    Subject(rate, items=1.5),
                    "items and sessions",
                    items=n,
                    sessions=times,
                )
                yield _subject_cell(
                    "fixed items, session effect, 10 % lost",
                    name,
                    Subject(rate, items=1.5, sessions=0.7),
                    "items and sessions",
                    items=n,
                    sessions=times,
                    lost=0.1,
                )


def _subject_cell(
    group: str,
    name: str,
    subject: Subject,
    population: str,
    *,
    items: int,
    sessions: int,
    lost: float = 0.0,
    apart: bool = True,
) -> Cell:
    centre = subject.centre

    def study(rng: Generator) -> Estimate:
        answers = subject.answer(rng, difficulties=rng.normal(size=items), sessions=sessions, centre=centre)
        seen = fixed(answers, lost=lost, rng=rng)
        return estimate_score(seen, population=population, scale=BINARY, apart=apart)

    units = min(items, sessions) if "and" in population else items
    return Cell(group, name, population, subject.rate, study, units)


def _sessions() -> Iterator[Cell]:
    for n in (3, 5, 10, 30, 100):
        for rate in (0.8, 0.97):
            for effect in (0.0, 0.7):
                subject = Subject(rate, items=1.5, sessions=effect)
                centre = subject.centre

                def study(rng: Generator, n: int = n, subject: Subject = subject, centre: float = centre) -> Estimate:
                    answers = subject.answer(rng, difficulties=rng.normal(size=(n, 20)), sessions=n, centre=centre)
                    return estimate_score(redrawn(answers), population="sessions", scale=BINARY)

                words = "session effect" if effect else "no session effect"
                name = f"{n} sessions of 20 items, {rate:g} right, {words}"
                yield Cell("redrawn items", name, "sessions", rate, study, n)


def _numbers() -> Iterator[Cell]:
    for group, shapes, scale in (
        ("bounded numbers", (*BOUNDED, SKEWED), UNIT),
        ("half-bounded numbers", HALF_BOUNDED, Scale(low=0)),
        ("unbounded numbers", UNBOUNDED, Scale()),
    ):
        for shape in shapes:
            for n in SIZES:

                def study(rng: Generator, n: int = n, shape: Shape = shape, scale: Scale = scale) -> Estimate:
                    return unit_estimate(shape.draw(rng, n), scale=scale)

                yield Cell(group, f"{n} sessions, {shape.name}", "sessions", shape.mean, study, n)


def _courses() -> Iterator[Cell]:
    for learners, sessions in ((3, 5), (5, 10), (10, 20), (30, 10)):
        for words, first, second in (("middling", 4, 2), ("skewed", 8, 1)):

            def study(
                rng: Generator, shape: tuple[int, int] = (learners, sessions), first: int = first, second: int = second
            ) -> Estimate:
                able = rng.beta(first, second, size=(shape[0], 1))
                return estimate_score(
                    nested(rng.beta(5 * able, 5 * (1 - able), size=shape)), population="courses", scale=UNIT
                )

            mean = first / (first + second)
            yield Cell("learners", f"{learners} x {sessions} sessions, {words}", "courses", mean, study, learners)


def _people() -> Iterator[Cell]:
    for people, items in ((3, 20), (5, 20), (10, 20), (10, 50), (30, 50)):
        for rate in (0.8, 0.95):
            name = f"{people} people x {items} items, {rate:g} right"
            subject = Subject(rate, items=1.0, sessions=1.0)
            yield _subject_cell(
                "people on fixed items", name, subject, "people and items", items=items, sessions=people
            )


def _these_items() -> Iterator[Cell]:
    for items, times in ((20, 1), (50, 1), (50, 3), (20, 5), (50, 5), (50, 10)):
        for spread in (0.0, 2.0):
            difficulties = np.random.default_rng(3).normal(size=items)
            subject = Subject(0.8, items=spread)
            centre = subject.centre
            truth = float((1 / (1 + np.exp(-(centre + spread * difficulties)))).mean())

            def study(
                rng: Generator,
                difficulties: np.ndarray = difficulties,
                subject: Subject = subject,
                centre: float = centre,
                times: int = times,
            ) -> Estimate:
                answers = subject.answer(rng, difficulties=difficulties, sessions=times, centre=centre)
                return estimate_score(fixed(answers), population="these items", scale=BINARY)

            words = "noisy" if not spread else "between"
            yield Cell(
                "these items only", f"{items} items x {times}, {words}", "these items", truth, study, items * times
            )


def _paired() -> Iterator[Cell]:
    for n in (5, 10, 20, 50, 100):
        for rate in (0.8, 0.97):
            for gap in (0.0, 0.15):
                name = f"{n} items, {rate - gap:g} and {rate:g} right"
                yield _pair_cell("paired items, one answer each", name, n, 1, rate, gap)
    for n, times in ((10, 5), (50, 5), (50, 10), (50, 30)):
        for words, spread in (("deterministic", None), ("between", 2.0), ("noisy", 0.0)):
            name = f"{n} items x {times}, both .8 right, {words}"
            yield _pair_cell("paired items, several answers each", name, n, times, 0.8, 0.0, spread=spread)
    for n, times in ((50, 3), (50, 10), (50, 30)):
        name = f"{n} items, {times} and {times} sessions, both .8 right, session effect"
        yield _pair_cell("paired items in other sessions", name, n, times, 0.8, 0.0, spread=1.5, effect=0.7)
    for n in (5, 10, 20, 50):
        for shape in BOUNDED[:3]:

            def alike(rng: Generator, n: int = n, shape: Shape = shape) -> Estimate:
                return _difference(shape.draw(rng, n), shape.draw(rng, n), scale=UNIT, paired=True)

            yield Cell(
                "paired numbers", f"{n} sessions, both {shape.name}", "sessions", 0.0, alike, n, exchangeable=True
            )

        def shapes(rng: Generator, n: int = n) -> Estimate:
            return _difference(np.full(n, 1 / 6), 1 - rng.beta(5, 1, n), scale=UNIT, paired=True)

        yield Cell("paired, equal means", f"{n} sessions, constant and 1 - Beta(5, 1)", "sessions", 0.0, shapes, n)

        def open_ended(rng: Generator, n: int = n) -> Estimate:
            return _difference(rng.exponential(1, n), rng.exponential(1, n), scale=Scale(low=0), paired=True)

        yield Cell(
            "paired numbers", f"{n} sessions, both exponential", "sessions", 0.0, open_ended, n, exchangeable=True
        )


def _pair_cell(
    group: str,
    name: str,
    items: int,
    times: int,
    rate: float,
    gap: float,
    *,
    spread: float | None = 2.0,
    effect: float = 0.0,
) -> Cell:
    """Compare two subjects of independent strengths: an item hard for one need not be hard for the other."""
    able = [
        Subject(share, items=1.0 if spread is None else spread, sessions=effect, deterministic=spread is None)
        for share in (rate - gap, rate)
    ]
    centres = [subject.centre for subject in able]
    population = "items and sessions" if effect else "items"

    def study(rng: Generator) -> Estimate:
        shared = rng.normal(size=items)
        sides = [
            fixed(
                subject.answer(
                    rng, difficulties=0.7 * shared + 0.51**0.5 * rng.normal(size=items), sessions=times, centre=centre
                )
            )
            for subject, centre in zip(able, centres, strict=True)
        ]
        return difference_estimate(first=sides[0], second=sides[1], population=population, scale=BINARY, paired=True)

    return Cell(group, name, population, -gap, study, min(items, times) if effect else items, exchangeable=not gap)


def _unpaired() -> Iterator[Cell]:
    for one, other in ((5, 5), (5, 30), (10, 10), (30, 30), (100, 100)):
        for shape, scale in (
            (BOUNDED[0], UNIT),
            (BOUNDED[1], UNIT),
            (BOUNDED[5], UNIT),
            (HALF_BOUNDED[0], Scale(low=0)),
            (HALF_BOUNDED[5], Scale(low=0)),
            (UNBOUNDED[0], Scale()),
        ):

            def study(
                rng: Generator, sizes: tuple[int, int] = (one, other), shape: Shape = shape, scale: Scale = scale
            ) -> Estimate:
                return _difference(shape.draw(rng, sizes[0]), shape.draw(rng, sizes[1]), scale=scale, paired=False)

            name = f"{one} and {other} sessions, both {shape.name}"
            yield Cell("unpaired numbers", name, "sessions", 0.0, study, min(one, other), exchangeable=True)

        def shapes(rng: Generator, sizes: tuple[int, int] = (one, other)) -> Estimate:
            return _difference(rng.beta(50, 10, sizes[0]), rng.beta(5, 1, sizes[1]), scale=UNIT, paired=False)

        name = f"{one} and {other} sessions, Beta(50, 10) and Beta(5, 1)"
        yield Cell("unpaired, equal means", name, "sessions", 0.0, shapes, min(one, other))
    for n in (10, 50, 100):
        for rate in (0.8, 0.97):

            def items(rng: Generator, n: int = n, rate: float = rate) -> Estimate:
                sides = [Observations((rng.random(n) < rate) * 1.0, items=np.arange(n)) for _ in range(2)]
                return difference_estimate(
                    first=sides[0], second=sides[1], population="items", scale=BINARY, paired=False
                )

            name = f"{n} and {n} items, both {rate:g} right"
            yield Cell("unpaired items, one answer each", name, "items", 0.0, items, n, exchangeable=True)


def _difference(first: np.ndarray, second: np.ndarray, *, scale: Scale, paired: bool) -> Estimate:
    sides = [Observations(values, sessions=np.arange(len(values))) for values in (first, second)]  # type: ignore[arg-type]
    return difference_estimate(first=sides[0], second=sides[1], population="sessions", scale=scale, paired=paired)
