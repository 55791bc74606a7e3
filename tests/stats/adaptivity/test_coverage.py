"""A few cells of `make coverage` for adaptivity that must hold, and as a proof all of them."""

import sys
from math import sqrt
from pathlib import Path

import pytest

from tests.proofs import proofs

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT))

from benchmarks.coverage.adaptivity import adaptivity_cells  # noqa: E402
from benchmarks.coverage.simulate import _simulated  # noqa: E402

EVERY = {f"{cell.group}: {cell.name}": cell for cell in adaptivity_cells()}
FIRST = [
    "performance: 10 courses, below chance",
    "restricted mean of times: 10 courses, exponential, 8 % never",
    "restricted mean of times: 10 courses, exponential, 61 % never, some left early",
    "median of times: 20 courses, exponential, 29 % never",
    "courses: 10 courses, breaking point, 25 % never",
]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*FIRST, *proofs(*(name for name in EVERY if name not in FIRST))])
def test_intervals_cover_93_to_97_percent(name, request):
    proof = request.node.get_closest_marker("proof") is not None
    repetitions = 2000 if proof else 400
    found = _simulated(EVERY[name], repetitions=repetitions)
    assert 0.93 - 3 * sqrt(0.93 * 0.07 / repetitions) <= found.coverage <= 0.97 + 3 * sqrt(0.97 * 0.03 / repetitions)


def test_the_page_shows_the_table():
    text = (ROOT / "docs" / "adaptivity.md").read_text()
    assert all(f"| {cell.name} | courses |" in text for cell in adaptivity_cells())
