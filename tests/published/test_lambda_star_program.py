"""Scores of the authors' program of 2016 (1000 episodes of 50 iterations), measured with the program itself.

± is its standard deviation between runs. Setting `original` must give the same within three standard errors, ours and
the program's together.
"""

import numpy as np
import pytest

from mensura.catalog.lambda_star.batch.administration import BatchPlan, administer
from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.catalog.lambda_star.team import Member
from tests.proofs import proofs

COLUMNS = ((5, 1), (5, 5), (10, 1), (10, 5))
TABLE = {
    "random": [(-0.001, 0.004), (0.001, 0.002), (-0.003, 0.005), (0.000, 0.001)],
    "local-search": [(0.437, 0.003), (0.438, 0.003), (0.469, 0.001), (0.471, 0.002)],
    "stigmergy": [(0.311, 0.008), (0.329, 0.007), (0.467, 0.002), (0.517, 0.001)],
    "wisdom-of-crowd": [(0.342, 0.005), (0.355, 0.005), (0.328, 0.007), (0.541, 0.001)],
    "bidding": [(0.419, 0.005), (0.419, 0.005), (0.475, 0.006), (0.517, 0.003)],
    "imitation": [(0.887, 0.009), (0.868, 0.008), (0.953, 0.001), (0.801, 0.002)],
    "oracle": [(0.887, 0.009), (0.887, 0.008), (0.953, 0.002), (0.953, 0.001)],
    "q-learning": [(0.559, 0.001), (0.558, 0.001), (0.331, 0.006), (0.328, 0.001)],
    "cooperative-q": [(0.558, 0.001), (0.568, 0.001), (0.327, 0.003), (0.413, 0.002)],
}
CELLS = [(name, *column, *cell) for name, row in TABLE.items() for column, cell in zip(COLUMNS, row, strict=True)]
LEARNERS = ("q-learning", "cooperative-q")
# Learners take long: one cell of each is quick, the one in which several learn from each other where they do.
QUICK = [
    cell for cell in CELLS if cell[0] not in LEARNERS or cell[:3] in (("q-learning", 5, 1), ("cooperative-q", 5, 5))
]
CASES = QUICK + proofs(*(cell for cell in CELLS if cell not in QUICK))


@pytest.mark.cells(12)
@pytest.mark.parametrize(("name", "size", "agents", "value", "spread"), CASES)
def test_scores_of_the_program(name, size, agents, value, spread):
    # Learners take long; 2000 episodes still tell a difference of 0.010.
    episodes = 2000 if name in LEARNERS else 10_000
    plan = BatchPlan(Torus.of(size), episodes, 50, None, key=2016)
    score = administer(plan, [Member(name, agents)]).score
    assert abs(score.mean() - value) < 3 * np.hypot(score.std(ddof=1) / episodes**0.5, spread)
