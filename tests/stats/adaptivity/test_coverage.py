"""A few cells of `make coverage` for adaptivity that must hold, and as a proof all of them."""

import sys
from math import sqrt
from pathlib import Path

import pytest

from tests.proofs import proofs

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT))

from benchmarks.coverage.adaptivity import adaptivity_cells  # noqa: E402
from benchmarks.coverage.simulate import simulate  # noqa: E402

REPETITIONS = 400
EVERY = {f"{cell.group}: {cell.name}": cell for cell in adaptivity_cells()}
FIRST = [
    "performance: 10 courses, below chance",
    "restricted mean of times: 10 courses, exponential, 8 % never",
    "restricted mean of times: 10 courses, exponential, 61 % never, some left early",
    "median of times: 20 courses, exponential, 29 % never",
    "courses: 10 courses, breaking point, 25 % never",
]


def error(share: float) -> float:
    """Return three standard errors of a share of so many repetitions."""
    return 3 * sqrt(share * (1 - share) / REPETITIONS)


@pytest.mark.slow
@pytest.mark.parametrize("name", FIRST)
def test_intervals_cover_93_to_97_percent_within_the_error_of_400_studies(name):
    found = simulate(EVERY[name], repetitions=REPETITIONS)
    assert 0.93 - error(0.93) <= found.coverage <= 0.97 + error(0.97)


@pytest.mark.slow
@pytest.mark.parametrize("name", proofs(*EVERY))
def test_intervals_of_every_cell_cover_93_to_97_percent(name):
    """Chance comes from the names of the cells, so these are the figures of the page."""
    assert 0.93 <= simulate(EVERY[name], repetitions=2000).coverage <= 0.97


def test_the_page_shows_the_table():
    text = (ROOT / "docs" / "adaptivity.md").read_text()
    assert all(f"| {cell.name} | courses |" in text for cell in adaptivity_cells())
