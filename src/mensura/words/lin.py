"""Lin's similarity of many words at once."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


def lin_matrix(
    above: Whole,
    least: Floats,
    start: Whole,
    other_above: Whole,
    other_least: Floats,
    other_start: Whole,
    information: Floats,
) -> Floats:
    """Return the similarity of every word with every other, from sorted runs of all that they are.

    For a fixed common ancestor the best senses are those under it with the least information, so that one number for
    each word and ancestor gives the greatest similarity over all pairs of senses.
    """
    rows, columns = len(start) - 1, len(other_start) - 1
    ancestors, place = np.unique(other_above, return_inverse=True)
    under = np.full((len(ancestors), columns), np.inf)
    under[place, np.repeat(np.arange(columns), np.diff(other_start))] = other_least
    found = np.zeros((rows, columns))
    for row in range(rows):
        run = slice(start[row], start[row + 1])
        common, mine, theirs = np.intersect1d(above[run], ancestors, assume_unique=True, return_indices=True)
        whole = least[run][mine, None] + under[theirs]
        alike = np.divide(2 * information[common][:, None], whole, out=np.ones_like(whole), where=whole > 0)
        found[row] = alike.max(axis=0, initial=0.0)
    return found
