"""Judged items: how often the estimate of a model's judgements, corrected by people's labels, covers the truth."""

from collections.abc import Iterator
from functools import cache, partial
from multiprocessing import Pool

import numpy as np
from numpy.random import Generator

from benchmarks.coverage.cells import BINARY, Cell
from benchmarks.coverage.simulate import WORKERS, Result, simulate
from mensura.stats import Estimate, judged_score, unit_estimate

RATES = (0.3, 0.5, 0.7, 0.9)
JUDGES = ((0.95, 0.9), (0.9, 0.7), (0.7, 0.9), (0.99, 0.5))
"""How often the judge sees that a right answer is right, and a wrong one wrong."""
LABELLED, JUDGED = (20, 50, 100, 200), (200, 500, 2000)
BEGIN, END = "<!-- judged:begin -->", "<!-- judged:end -->"
HEAD = "| labelled | " + " | ".join(f"{rate:g} right" for rate in RATES) + " | width beside labels alone |\n"


@cache
def judged_cells() -> list[Cell]:
    """Return every cell of the table."""
    return [*_once(), *_epochs()]


def _once() -> Iterator[Cell]:
    for labelled in LABELLED:
        for judged in (count for count in JUDGED if count > labelled):
            for rate in RATES:
                for sees_right, sees_wrong in JUDGES:

                    def study(
                        rng: Generator,
                        n: int = labelled,
                        total: int = judged,
                        rate: float = rate,
                        right: float = sees_right,
                        wrong: float = sees_wrong,
                    ) -> Estimate:
                        true = rng.random(total) < rate
                        said = np.where(true, rng.random(total) < right, rng.random(total) >= wrong)
                        return _estimate(true[:n], said[:n], said[n:])

                    name = f"{labelled} labelled of {judged}, {rate:g} right, judge {sees_right:g} and {sees_wrong:g}"
                    yield Cell("judged items", name, "items", rate, study, labelled)


def _epochs() -> Iterator[Cell]:
    """Ask each item five times, and let people label one answer of each item that was drawn."""
    for rate in RATES:

        def study(rng: Generator, rate: float = rate) -> Estimate:
            difficulty = rng.beta(2 * rate, 2 * (1 - rate), size=(500, 1))
            true = rng.random((500, 5)) < difficulty
            said = np.where(true, rng.random(true.shape) < 0.9, rng.random(true.shape) >= 0.7)
            return _estimate(true[:50, 0], said[:50, 0], said[50:].mean(axis=1), repeated=True)

        name = f"50 labelled of 500 asked 5 times, {rate:g} right, judge 0.9 and 0.7"
        yield Cell("judged items, five epochs", name, "items", rate, study, 50)


def _estimate(labels: np.ndarray, judged: np.ndarray, others: np.ndarray, *, repeated: bool = False) -> Estimate:
    sides = {"labels": labels * 1.0, "judged": judged * 1.0, "others": others * 1.0}
    return judged_score(**sides, repeated=repeated, scale=BINARY).estimate


def written(*, repetitions: int) -> str:
    """Simulate every cell and write the table: the least and the largest coverage over judges and numbers of items."""
    every = judged_cells()
    with Pool(WORKERS) as pool:
        found = dict(
            zip([one.name for one in every], pool.imap(partial(_at, repetitions), range(len(every))), strict=True)
        )
    lines = [
        f"{len(every)} cells of {repetitions} simulated studies each, made by `make coverage`: "
        f"{' or '.join(map(str, JUDGED))} judged items, judges that see a right answer as right and a wrong one as "
        f"wrong with chances {', '.join(f'{a:g} and {b:g}' for a, b in JUDGES)}. Least and largest coverage over them.",
        "",
        HEAD + "|---" * (len(RATES) + 2) + "|",
    ]
    for labelled in LABELLED:
        lines.append(_row(str(labelled), [one for one in every[: -len(RATES)] if one.units == labelled], found))
    lines.append(_row("50, items asked 5 times", every[-len(RATES) :], found))
    return "\n".join(lines)


def _row(head: str, chosen: list[Cell], found: dict[str, Result]) -> str:
    parts = []
    for rate in RATES:
        shares = [found[one.name].coverage for one in chosen if one.truth == rate]
        parts.append(f"{min(shares):.3f}–{max(shares):.3f}")
    widths = [found[one.name].width / _alone(one.truth, one.units) for one in chosen]
    return f"| {head} | {' | '.join(parts)} | {min(widths):.2f}–{max(widths):.2f} |"


@cache
def _alone(rate: float, n: int) -> float:
    """Return the mean width of the interval of the labelled items alone."""
    rng = np.random.default_rng(7)
    drawn = [unit_estimate((rng.random(n) < rate) * 1.0, unit="item", scale=BINARY) for _ in range(500)]
    return float(np.mean([one.high - one.low for one in drawn]))


def _at(repetitions: int, place: int) -> Result:
    return simulate(judged_cells()[place], repetitions=repetitions)
