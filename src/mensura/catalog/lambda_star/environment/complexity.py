"""Algorithmic complexity K of a movement pattern: Lempel and Ziv's count of 1976."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mensura.catalog.lambda_star.batch.compiled import compiled


def lempel_ziv(sequence: Sequence[int] | npt.NDArray[np.integer]) -> int:
    """Count the components of a sequence's exhaustive history; more is more complex.

    Reading left to right, a component ends at the first symbol that makes it new, that is, not to be found anywhere
    before its own last symbol [1]_. The count is by the one-pass scheme of Kaspar and Schuster [2]_.

    Parameters
    ----------
    sequence : array_like of int
        Cell labels in order of time.

    Returns
    -------
    int
        K; 0 for an empty sequence, at least 2 for any of two symbols or more.

    References
    ----------
    .. [1] Lempel and Ziv (1976), IEEE Transactions on Information Theory 22, 75-81.
    .. [2] Kaspar and Schuster (1987), Physical Review A 36, 842-848.

    Examples
    --------
    >>> lempel_ziv([7, 3, 4, 9, 8] * 4)
    6
    """
    return int(count_components(np.asarray(sequence, dtype=np.int64)))


@compiled
def count_components(sequence: npt.NDArray[np.integer]) -> int:
    """Count as `lempel_ziv` does, for compiled callers."""
    length = len(sequence)
    if length < 2:
        return length
    components = 1
    start = 1
    while start < length:
        # The longest stretch from `start` that occurs beginning earlier; it may overlap itself.
        longest = 0
        for earlier in range(start):
            run = 0
            while start + run < length and sequence[earlier + run] == sequence[start + run]:
                run += 1
            if run > longest:
                longest = run
                if start + longest >= length:
                    break
        components += 1
        start += longest + 1
    return components
