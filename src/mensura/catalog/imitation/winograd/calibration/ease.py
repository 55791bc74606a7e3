"""How easy an item is: the chances that it is dead easy, easy for Aunt Edna, ambiguous, or too narrow."""

from collections.abc import Mapping
from typing import Literal

import numpy as np
from scipy.special import gammaln

Ease = Literal["dead easy", "Aunt-Edna easy", "ambiguous", "too narrow"]
EASES: tuple[Ease, ...] = ("dead easy", "Aunt-Edna easy", "ambiguous", "too narrow")
CONCENTRATION = 20.0
"""How far items of one kind differ from one another: as many answers as this weigh as much as the profile."""


def profiles(options: int) -> Mapping[Ease, tuple[float, float, float, float]]:
    """Return by kind of item the shares of people who are right and sure, right and not, wrong and sure, wrong and not.

    Of an item that is too narrow nobody knows the answer: people guess, and know that they do. Of an ambiguous one
    they split, and many are sure of either answer.
    """
    chance = 1 / options
    return {
        "dead easy": (0.95, 0.03, 0.01, 0.01),
        "Aunt-Edna easy": (0.70, 0.17, 0.06, 0.07),
        "ambiguous": (0.30, 0.20, 0.30, 0.20),
        "too narrow": (0.15 * chance, 0.85 * chance, 0.15 * (1 - chance), 0.85 * (1 - chance)),
    }


def ease_of(counts: tuple[int, int, int, int], *, options: int, asked: bool = True) -> dict[Ease, float]:
    """Return the chance of each kind, equally likely before the data, from counts of the four kinds of answers.

    Counts are Dirichlet-multinomial around the profile of the kind [1]_. Without confidence (`asked` is False) only
    right and wrong tell, and ambiguous items cannot be told from narrow ones by them: with two answers both are even.

    References
    ----------
    .. [1] Mosimann (1962), Biometrika 49, 65-82.

    Examples
    --------
    >>> {kind: round(chance, 2) for kind, chance in ease_of((19, 1, 0, 0), options=2).items()}
    {'dead easy': 0.9, 'Aunt-Edna easy': 0.1, 'ambiguous': 0.0, 'too narrow': 0.0}
    """
    seen = np.array(counts, dtype=float)
    likely = []
    for kind in EASES:
        shares = np.array(profiles(options)[kind])
        if not asked:
            seen = np.array([counts[0] + counts[1], counts[2] + counts[3]], dtype=float)
            shares = np.array([shares[0] + shares[1], shares[2] + shares[3]])
        weights = CONCENTRATION * shares
        likely.append(float((gammaln(seen + weights) - gammaln(weights)).sum()))
    chances = np.exp(np.array(likely) - max(likely))
    return dict(zip(EASES, (chances / chances.sum()).tolist(), strict=True))
