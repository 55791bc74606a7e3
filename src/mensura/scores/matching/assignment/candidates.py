"""Worth of the pairs that may be taken, as sparse rows or as a full matrix."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.scores.matching.arrays import Floats, Integers


@dataclass(frozen=True, slots=True)
class Candidates:
    """Worth of the pairs that may be taken: sparse rows, or a full matrix with zero where a pair may not.

    Sparse: columns of row ``i`` are ``columns[start[i] : start[i + 1]]``, in order.
    """

    shape: tuple[int, int]
    start: Integers
    columns: Integers
    worth: Floats
    matrix: Floats | None = None

    @classmethod
    def full(cls, matrix: Floats) -> "Candidates":
        """Take a full matrix; entries that are not positive are not candidates.

        >>> Candidates.full(np.array([[0.4, 0.0], [0.3, 0.3]])).count
        3
        """
        height, width = matrix.shape
        return cls((height, width), np.arange(height + 1) * width, np.empty(0, np.int64), matrix.reshape(-1), matrix)

    @classmethod
    def of(cls, shape: tuple[int, int], rows: Integers, columns: Integers, worth: Floats) -> "Candidates":
        """Take pairs in order of their rows, and of their columns within a row."""
        counts = np.bincount(rows, minlength=shape[0])
        return cls(shape, np.concatenate(([0], np.cumsum(counts))).astype(np.int64), columns, worth)

    @classmethod
    def from_csr(cls, matrix: Any) -> "Candidates":
        """Take a sparse matrix of SciPy."""
        matrix = matrix.tocsr()
        matrix.sort_indices()
        return cls(matrix.shape, matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), matrix.data)

    def as_csr(self) -> Any:
        """Return the sparse rows as a matrix of SciPy."""
        from scipy.sparse import csr_array

        return csr_array((self.worth, self.columns, self.start), shape=self.shape)

    @property
    def count(self) -> int:
        """How many pairs may be taken."""
        return len(self.columns) if self.matrix is None else int(np.count_nonzero(self.matrix > 0))

    def sparse(self) -> "Candidates":
        """Return the same pairs as sparse rows."""
        return self if self.matrix is None else self.only(self.worth > 0)

    def positions(self) -> tuple[Integers, Integers]:
        """Return rows and columns of all pairs that may be taken."""
        sparse = self.sparse()
        return np.repeat(np.arange(self.shape[0]), np.diff(sparse.start)), sparse.columns

    def only(self, chosen: NDArray[np.bool_]) -> "Candidates":
        """Return some of the entries as sparse rows."""
        places = np.flatnonzero(chosen)
        columns = places % self.shape[1] if self.matrix is not None else self.columns[places]
        return Candidates(self.shape, np.searchsorted(places, self.start), columns, self.worth[places])

    def above(self, row_price: Floats, column_price: Floats, *, margin: float) -> "Candidates":
        """Return the sparse entries worth more than the sum of their prices by a margin."""
        rows, columns = self.positions()
        return self.only(self.worth > row_price[rows] + column_price[columns] + margin)

    def at(self, rows: Integers, columns: Integers) -> Floats:
        """Return the worth of listed pairs, zero for those that are not candidates."""
        if len(rows) == 0:
            return np.empty(0)
        return np.asarray((self.as_csr() if self.matrix is None else self.matrix)[rows, columns], np.float64).reshape(
            -1
        )

    def strongest(self, keep: int) -> "Candidates":
        """Return the `keep` largest entries of every row and of every column.

        Rows start looking at different columns, so that equals are spread.
        """
        from mensura.scores.matching.assignment.entries import flag_strongest

        height, width = self.shape
        stride, length = (7919, np.diff(self.start)) if self.matrix is None else (1 + int(0.618 * width), width)
        offset = np.arange(height) * stride % np.maximum(length, 1)
        return self.only(flag_strongest(self.start, self.columns, self.worth, offset, width, keep))

    def joined(self, other: "Candidates") -> "Candidates":
        """Return the sparse entries of both."""
        return Candidates.from_csr(self.as_csr().maximum(other.as_csr()))

    def transposed(self) -> "Candidates":
        """Return the sparse entries with rows and columns exchanged."""
        return Candidates.from_csr(self.as_csr().T)
