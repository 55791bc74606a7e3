"""Adaptivity: how often intervals over courses cover the truth, of censored times too, and claim what is not there."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from multiprocessing import Pool

import numpy as np
from numpy.random import Generator

from benchmarks.coverage.cells import Cell
from benchmarks.coverage.simulate import WORKERS, Result, simulate
from mensura.stats import Estimate
from mensura.stats.adaptivity import (
    continual,
    curve_transfer,
    dose_response,
    learning_rate,
    performance,
    performance_parts,
    time_to_level,
    transfer_forms,
)

COURSES = (10, 20, 40)
HORIZON = 50.0
TIMES: dict[str, Callable[[Generator, int], np.ndarray]] = {
    "exponential, 8 % never": lambda rng, n: rng.exponential(20, n),
    "exponential, 29 % never": lambda rng, n: rng.exponential(40, n),
    "exponential, 61 % never": lambda rng, n: rng.exponential(100, n),
    "log-normal, 18 % never": lambda rng, n: rng.lognormal(3, 1, n),
    "whole sessions, 29 % never": lambda rng, n: np.ceil(rng.exponential(40, n)),
}
ALIKE = "paired: nothing there"


@cache
def adaptivity_cells() -> list[Cell]:
    """Return every cell of the table."""
    return [*_performance(), *_times(), *_transfer(), *_courses()]


def _performance() -> Iterator[Cell]:
    def above(rng: Generator, n: int) -> Estimate:
        return performance(score=rng.beta(6, 4, n), chance=rng.beta(1, 4, n), oracle=1, worst=0)

    def below(rng: Generator, n: int) -> Estimate:
        return performance(score=rng.beta(1, 9, n), chance=rng.beta(2, 8, n), oracle=1, worst=0)

    def seconds(rng: Generator, n: int) -> Estimate:
        return performance(score=6 + rng.gamma(3, 3, n), chance=40 + rng.exponential(5, n), oracle=6, worst=60)

    def combined(rng: Generator, n: int) -> Estimate:
        accuracy = {"score": rng.beta(6, 4, n), "chance": rng.beta(1, 4, n), "oracle": 1, "worst": 0}
        time = {"score": 6 + rng.gamma(3, 3, n), "chance": 45, "oracle": 6, "worst": 60}
        return performance_parts({"accuracy": accuracy, "time": time}).combined

    for n in COURSES:
        yield _cell("performance", f"{n} courses, above chance", 0.5, above, n)
        yield _cell("performance", f"{n} courses, below chance", -0.5, below, n)
        yield _cell("performance", f"{n} courses, time, less is better", 30 / 39, seconds, n)
        yield _cell("performance", f"{n} courses, accuracy and time combined", (0.5 + 30 / 39) / 2, combined, n)


def _times() -> Iterator[Cell]:
    for words, draw in TIMES.items():
        many = draw(np.random.default_rng(0), 2_000_000)
        truths = {"restricted mean": np.minimum(many, HORIZON).mean(), "median": np.median(many)}
        for kind, truth in truths.items():
            for n in COURSES:
                for early in (False, True):
                    # A median that most never reach has no number to cover; leaving one out of 40 at a time is slow.
                    if truth < HORIZON and not (early and n == 40):

                        def study(
                            rng: Generator, n: int, draw: Callable = draw, kind: str = kind, early: bool = early
                        ) -> Estimate:
                            times = draw(rng, n)
                            watched = np.where(rng.random(n) < 0.3 * early, rng.uniform(5, HORIZON, n), HORIZON)
                            seen = np.where(times <= watched, times, np.nan)
                            found = time_to_level(seen, horizon=HORIZON, watched=watched)
                            return found.median if kind == "median" else found.restricted_mean

                        left = ", some left early" if early else ""
                        yield _cell(f"{kind} of times", f"{n} courses, {words}{left}", float(truth), study, n)


def _arms(rng: Generator, n: int, gain: float = 0.0) -> dict[str, dict[str, np.ndarray]]:
    """Draw courses with talents of their own; X and Y are the same task, and X does nothing for Y beyond `gain`."""
    talent = rng.normal(0.6, 0.1, n)
    levels = {name: talent + rng.normal(0, 0.05, n) for name in ("on_x", "on_y", "alone", "then", "split")}
    alone, then = rng.exponential(40, n), rng.exponential(40, n)
    return {
        "x": {"on_x": levels["on_x"], "on_y": levels["on_y"]},
        "y": {"on_y": levels["alone"], "time": alone},
        "x_then_y": {"on_y": levels["then"] + gain, "time": then, "time_on_x": np.full(n, 20.0)},
        "split": {"on_y": levels["split"] + gain},
    }


def _transfer() -> Iterator[Cell]:
    for n in (5, *COURSES):
        for form in ("loss", "gain_extra", "gain_fixed", "training_time"):

            def alike(rng: Generator, n: int, form: str = form) -> Estimate:
                return getattr(transfer_forms(_arms(rng, n), horizon=HORIZON), form)

            yield _cell(ALIKE, f"{n} courses, {form}", 0.0, alike, n, exchangeable=True)

        def groups(rng: Generator, n: int) -> Estimate:
            others = {
                "x_then_y": {"on_y": _arms(rng, n)["x_then_y"]["on_y"]},
                "y": {"on_y": _arms(rng, n)["y"]["on_y"]},
            }
            return transfer_forms(others, paired=False).gain_extra  # type: ignore[return-value]

        yield _cell(
            "unpaired: nothing there", f"{n} courses in each group, gain_extra", 0.0, groups, n, exchangeable=True
        )

    def gained(rng: Generator, n: int) -> Estimate:
        return transfer_forms(_arms(rng, n, 0.1), horizon=HORIZON).gain_extra  # type: ignore[return-value]

    def curves(rng: Generator, n: int, form: str) -> Estimate:
        talent = rng.normal(0.5, 0.1, (n, 1))
        alone = talent + np.array([-0.3, 0.0, 0.3]) + rng.normal(0, 0.1, (n, 3))
        after = talent + np.array([-0.1, 0.1, 0.3]) + rng.normal(0, 0.1, (n, 3))
        return getattr(curve_transfer(after=after, alone=alone), form)

    for n in COURSES:
        yield _cell("transfer", f"{n} courses, gain of 0.1", 0.1, gained, n)
        for form, truth in (("jumpstart", 0.2), ("transfer_ratio", 0.2), ("area_form", 0.2)):
            yield _cell("transfer", f"{n} courses, {form}", truth, partial(curves, form=form), n)


def _courses() -> Iterator[Cell]:
    def backward(rng: Generator, n: int) -> Estimate:
        levels = np.array([[0.8, 0.3, 0.2], [0.6, 0.9, 0.4], [0.5, 0.7, 0.85]])
        return continual(levels + rng.normal(0, 0.1, (n, 1, 1)) + rng.normal(0, 0.1, (n, 3, 3))).bwt

    def slope(rng: Generator, n: int) -> Estimate:
        doses = np.array([0.0, 1.0, 2.0, 4.0])
        steep = -rng.gamma(4, 0.025, (n, 1))
        return dose_response(0.9 + steep * doses + rng.normal(0, 0.05, (n, 4)), doses=doses).slope

    def breaking(rng: Generator, n: int) -> Estimate:
        doses = np.array([0.0, 1.0, 2.0, 4.0])
        found = dose_response(0.9 - rng.uniform(0.05, 0.25, (n, 1)) * doses, doses=doses, floor=0.5).breaking
        return found.restricted_mean  # type: ignore[union-attr]

    def rate(rng: Generator, n: int) -> Estimate:
        size = np.array([1.0, 2.0, 4.0, 8.0])
        times = 10 * size * np.exp(rng.normal(0, 0.3, (n, 1)) + rng.normal(0, 0.2, (n, 4)))
        return learning_rate(times, properties={"size": size}, reference={"size": 1}).rate

    # A course falls to 0.5 at 0.4 / steepness, for a steepness uniform from 0.05 to 0.25; never counts as 4.
    broke = 5 * (0.4 * np.log(0.25 / 0.1) + 4 * 0.05)
    for n in COURSES:
        yield _cell("courses", f"{n} courses, BWT", -0.25, backward, n)
        yield _cell("courses", f"{n} courses, slope over doses", -0.1, slope, n)
        yield _cell("courses", f"{n} courses, breaking point, 25 % never", broke, breaking, n)
        yield _cell("courses", f"{n} courses, learning rate", 0.1, rate, n)


def _cell(
    group: str, name: str, truth: float, study: Callable[..., Estimate], n: int, *, exchangeable: bool = False
) -> Cell:
    return Cell(group, name, "courses", truth, partial(study, n=n), n, exchangeable)


def simulated(*, repetitions: int) -> list[tuple[Cell, Result]]:
    """Simulate every cell in two processes."""
    every = adaptivity_cells()
    with Pool(WORKERS) as pool:
        return list(zip(every, pool.imap(partial(_at, repetitions), range(len(every))), strict=True))


def _at(repetitions: int, place: int) -> Result:
    return simulate(adaptivity_cells()[place], repetitions=repetitions)
