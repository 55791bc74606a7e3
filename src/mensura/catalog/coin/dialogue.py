"""The coin test: give the probability of heads for coins of known bias."""

from collections.abc import Generator
from math import log
from typing import Annotated, Any

import numpy as np

from mensura.catalog.coin.settings import SETTINGS
from mensura.catalog.coin.subjects import SUBJECTS
from mensura.dialogue import Ask, Between, Probability, test

# A uniform answer U to any outcome: E[1/4 - (1 - U)²] = 1/4 - 1/3, and E[ln 2U] = ln 2 - 1.
CHANCE = {"quadratic_score": -1 / 12, "logarithmic_score": log(2) - 1}


def count_flips(*, flips: int) -> int:
    """Return how many coins a person is asked about."""
    return flips


@test("coin-v1", subjects=SUBJECTS, settings=SETTINGS, chance=CHANCE, questions=count_flips)
def coin(
    rng: np.random.Generator, *, flips: Annotated[int, "How many coins are asked about, 1 or more.", Between(1)] = 20
) -> Generator[Ask, Any, None]:
    """Give the probability of heads for coins of known bias."""
    for i in range(flips):
        # Rounded before the flip, so that what is said is exactly true.
        bias = round(rng.random(), 2)
        yield Ask(
            f"This coin falls heads with chance {bias:.2f}. What is your probability of heads?",
            Probability(),
            key=f"coin{i}",
            truth=int(rng.random() < bias),
        )
