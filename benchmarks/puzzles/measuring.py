"""How fast items are calibrated and the next item is chosen, beside other programs where they are installed.

OPENBLAS_NUM_THREADS=1 python -m benchmarks puzzles     # one core; pip install mirt girth for the comparison
"""

import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

from mensura.stats.response.adaptive import Adaptive
from mensura.stats.response.calibration import calibrate
from mensura.stats.response.curves import Curves
from mensura.stats.response.responses import response_matrix

ASKED_SECONDS = 3.0
ASKED_CHOICE = 0.005


def main() -> None:
    """Print one line per measurement: seconds of the processor, what is asked, and how others fare."""
    print(f"{'what':58} {'CPU':>10} {'asked':>9}")
    for persons, items in ((1000, 200), (1000, 40), (5000, 100), (200, 20)):
        _calibrating(persons, items)
    _choosing()


def _simulated(persons: int, items: int) -> tuple[Curves, np.ndarray]:
    rng = np.random.default_rng(1)
    curves = Curves(np.exp(rng.normal(0, 0.35, items)), rng.normal(0, 1.2, items), np.zeros(items))
    return curves, (rng.random((persons, items)) < curves.right(rng.normal(size=persons)).T).astype(int)


def _calibrating(persons: int, items: int) -> None:
    curves, right = _simulated(persons, items)
    matrix = response_matrix(right)
    spent, found = _timed(lambda: calibrate(matrix))
    error = float(np.sqrt(np.mean((found.curves.b - curves.b[: len(found.curves.b)]) ** 2)))
    what = f"2pl with standard errors, {persons} x {items}, rmse b {error:.3f}"
    verdict = ("ok" if spent < ASKED_SECONDS else "TOO SLOW") if (persons, items) == (1000, 200) else ""
    print(f"{what:58} {spent:9.3f}s {ASKED_SECONDS:8.2f}s  {verdict}")
    if find_spec("mirt") is not None:
        import mirt

        theirs, _ = _timed(lambda: mirt.fit_mirt(right, model="2PL", n_quadpts=61, tol=1e-6, max_iter=5000))
        print(f"{'  mirt on PyPI, 61 nodes':58} {theirs:9.3f}s           {theirs / spent:.1f} times ours")
    if find_spec("girth") is not None:
        import girth

        theirs, _ = _timed(lambda: girth.twopl_mml(right.T))
        print(f"{'  girth, without standard errors':58} {theirs:9.3f}s           {theirs / spent:.1f} times ours")


def _choosing() -> None:
    curves, _ = _simulated(2, 300)
    rng = np.random.default_rng(2)

    def take() -> int:
        test = Adaptive.begin(curves, precision=0.2)
        while (item := test.choose(rng)) is not None:
            test = test.answered(item, right=bool(rng.random() < 0.5))
        return len(test.asked)

    spent, asked = _timed(take)
    each = spent / asked
    verdict = "ok" if each < ASKED_CHOICE else "TOO SLOW"
    print(f"{'next of 300 items, answer taken in':58} {1000 * each:8.3f}ms {1000 * ASKED_CHOICE:7.2f}ms  {verdict}")


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    begun = time.process_time()
    found = work()
    return time.process_time() - begun, found
