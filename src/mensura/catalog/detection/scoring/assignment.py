"""Which pairs to take: the optimum with its proof, the greedy choice, and whether the optimum is the only one."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.detection.scoring.arrays import Floats, Integers

# Above this many entries the strongest are solved first and the rest are only checked against the prices.
DIRECT = 1_000_000
_KEEP = 24
_MORE = 8


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
        """Take a full matrix; entries that are not positive are no candidates.

        >>> Candidates.full(np.array([[0.4, 0.0], [0.3, 0.3]])).count
        3
        """
        none = np.empty(0)
        return cls((matrix.shape[0], matrix.shape[1]), none.astype(np.int64), none.astype(np.int64), none, matrix)

    @property
    def count(self) -> int:
        """How many pairs may be taken."""
        return len(self.columns) if self.matrix is None else int(np.count_nonzero(self.matrix > 0))

    def sparse(self) -> "Candidates":
        """Give the same pairs as sparse rows."""
        if self.matrix is None:
            return self
        rows, columns = np.nonzero(self.matrix > 0)
        start = np.zeros(self.shape[0] + 1, np.int64)
        np.cumsum(np.bincount(rows, minlength=self.shape[0]), out=start[1:])
        return Candidates(self.shape, start, columns.astype(np.int64), self.matrix[rows, columns])

    def above(self, row_price: Floats, column_price: Floats, *, margin: float) -> "Candidates":
        """Give the sparse entries worth more than the sum of their prices by a margin."""
        from mensura.catalog.detection.scoring.prices import above

        return self.only(above(self.start, self.columns, self.worth, row_price, column_price, margin))

    def only(self, chosen: NDArray[np.bool_]) -> "Candidates":
        """Give some of the sparse entries."""
        from mensura.catalog.detection.scoring.strongest import flagged_entries

        return Candidates(self.shape, *flagged_entries(self.start, self.columns, self.worth, chosen))

    def at(self, rows: Integers, columns: Integers) -> Floats:
        """Worth of listed pairs, zero for those that are no candidates."""
        if self.matrix is not None:
            return np.asarray(self.matrix[rows, columns], np.float64)
        from scipy.sparse import csr_array

        matrix = csr_array((self.worth, self.columns, self.start), shape=self.shape)
        return np.asarray(matrix[rows, columns], np.float64).reshape(-1) if len(rows) else np.empty(0)


@dataclass(frozen=True, slots=True)
class Assignment:
    """Partner of every row (-1 for none), and prices that prove the optimum (None where it was not sought)."""

    partner: Integers
    total: float
    row_price: Floats | None = None
    column_price: Floats | None = None


def optimal(candidates: Candidates) -> Assignment:
    """Pair one-to-one to the greatest sum of worth; whoever gains nothing stays alone.

    Rows or columns beyond the other side's number are padded by null cases of worth zero.

    >>> optimal(Candidates.full(np.array([[0.4, 0.0, 0.0], [1/3, 1/3, 1/3], [2/3, 0.0, 1/3]]))).partner
    array([0, 1, 2])
    """
    if candidates.matrix is not None and candidates.matrix.size > DIRECT:
        return _by_prices(candidates)
    entries = candidates.sparse()
    solution = Solution(entries.shape)
    solution.solve(entries)
    return Assignment(solution.partner, _total(candidates, solution.partner), solution.row_price, solution.column_price)


def greedy(candidates: Candidates) -> Assignment:
    """Pair by taking the largest entry left, again and again.

    >>> greedy(Candidates.full(np.array([[0.9, 0.8], [0.8, 0.1]]))).total
    1.0
    """
    from mensura.catalog.detection.scoring.greed import greedy_dense, greedy_matching

    if candidates.matrix is not None:
        partner = greedy_dense(candidates.matrix)
    else:
        partner = greedy_matching(candidates.start, candidates.columns, candidates.worth, candidates.shape[1])
    return Assignment(partner, _total(candidates, partner))


def unique(candidates: Candidates, assignment: Assignment) -> bool:
    """Say whether no other pairing reaches the same sum (to within rounding, 1e-9 per pair).

    Other optima use only entries whose price is exactly met. Following such an entry from a row, and the present
    partner from a column, with one node for everything that is alone, another optimum is a circle.

    >>> candidates = Candidates.full(np.array([[0.5, 0.5], [0.5, 0.5]]))
    >>> unique(candidates, optimal(candidates))
    False
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    from mensura.catalog.detection.scoring.prices import TOLERANCE, tight

    row_price, column_price = assignment.row_price, assignment.column_price
    if row_price is None or column_price is None:
        raise ValueError("only an optimal assignment carries the prices this needs")
    height, width = candidates.shape
    if candidates.matrix is not None:
        rows, columns = tight(candidates.matrix, row_price, column_price)
    else:
        rows = np.repeat(np.arange(height), np.diff(candidates.start))
        met = candidates.worth > row_price[rows] + column_price[candidates.columns] - TOLERANCE
        rows, columns = rows[met], candidates.columns[met]
    partner = assignment.partner
    other = partner[rows] != columns
    paired = np.flatnonzero(partner >= 0)
    taken = partner[paired]
    free = np.setdiff1d(np.arange(width), taken)
    alone = np.flatnonzero(partner < 0)
    nobody = height + width
    may_leave = paired[row_price[paired] <= TOLERANCE]
    may_lose = taken[column_price[taken] <= TOLERANCE]
    tails = np.concatenate(
        [
            rows[other],
            height + taken,
            may_leave,
            np.full(len(alone), nobody),
            height + free,
            np.full(len(may_lose), nobody),
        ]
    )
    heads = np.concatenate(
        [
            height + columns[other],
            paired,
            np.full(len(may_leave), nobody),
            alone,
            np.full(len(free), nobody),
            height + may_lose,
        ]
    )
    graph = csr_array((np.ones(len(tails)), (tails, heads)), shape=(nobody + 1, nobody + 1))
    parts, _ = connected_components(graph, directed=True, connection="strong")
    return bool(parts == nobody + 1)


def _by_prices(candidates: Candidates) -> Assignment:
    """Solve the strongest entries, add those their prices do not cover, and again until all are covered."""
    from mensura.catalog.detection.scoring.prices import uncovered
    from mensura.catalog.detection.scoring.strongest import strongest

    matrix = candidates.matrix
    assert matrix is not None
    entries = Candidates(candidates.shape, *strongest(matrix, _KEEP))
    solution = Solution(candidates.shape)
    solution.solve(entries)
    while True:
        missing = Candidates(candidates.shape, *uncovered(matrix, solution.row_price, solution.column_price, _MORE))
        if missing.count == 0:
            total = _total(candidates, solution.partner)
            return Assignment(solution.partner, total, solution.row_price, solution.column_price)
        entries = merged(entries, missing)
        solution.mend(entries, np.flatnonzero(np.diff(missing.start)))


class Solution:
    """A matching with its prices while it is being found."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self.partner = np.full(shape[0], -1, np.int64)
        self.owner = np.full(shape[1], -1, np.int64)
        self.row_price = np.zeros(shape[0])
        self.column_price = np.zeros(shape[1])

    def solve(self, entries: Candidates) -> None:
        """Start afresh."""
        from mensura.catalog.detection.scoring.augmenting import augment, bid

        arrays: list[Any] = [entries.start, entries.columns, entries.worth]
        arrays += [self.partner, self.owner, self.row_price, self.column_price]
        augment(bid(*arrays), *arrays)

    def mend(self, entries: Candidates, rows: Integers) -> None:
        """Make the optimum good again after entries were added to some rows."""
        from mensura.catalog.detection.scoring.augmenting import augment

        left = self.partner[rows]
        self.owner[left[left >= 0]] = -1
        self.partner[rows] = -1
        by_row = (entries.start, entries.columns, entries.worth)
        augment(rows, *by_row, self.partner, self.owner, self.row_price, self.column_price)
        # A column left alone must cost nothing; those that still have a price look for a row in their turn.
        dear = np.flatnonzero((self.owner < 0) & (self.column_price > 0))
        if len(dear):
            turned = transposed(entries)
            by_column = (turned.start, turned.columns, turned.worth)
            augment(dear, *by_column, self.owner, self.partner, self.column_price, self.row_price)


def merged(first: Candidates, second: Candidates) -> Candidates:
    """Give the entries of both sparse sets."""
    from scipy.sparse import csr_array

    parts = [csr_array((each.worth, each.columns, each.start), shape=each.shape) for each in (first, second)]
    merged = parts[0].maximum(parts[1]).tocsr()
    merged.sort_indices()
    return Candidates(first.shape, merged.indptr.astype(np.int64), merged.indices.astype(np.int64), merged.data)


def strong_part(entries: Candidates, *, keep: int) -> Candidates:
    """Give the largest sparse entries of every row and of every column."""
    from mensura.catalog.detection.scoring.strongest import strongest_entries, strongest_in_columns

    by_row = strongest_entries(entries.start, entries.worth, keep)
    by_column = strongest_in_columns(entries.columns, entries.worth, entries.shape[1], keep)
    return entries.only(by_row | by_column)


def transposed(entries: Candidates) -> Candidates:
    """Give sparse candidates with rows and columns exchanged."""
    from scipy.sparse import csr_array

    turned = csr_array((entries.worth, entries.columns, entries.start), shape=entries.shape).T.tocsr()
    turned.sort_indices()
    return Candidates(entries.shape[::-1], turned.indptr.astype(np.int64), turned.indices.astype(np.int64), turned.data)


def _total(candidates: Candidates, partner: Integers) -> float:
    rows = np.flatnonzero(partner >= 0)
    return float(np.sum(candidates.at(rows, partner[rows])))
