"""Which pairs to take: the optimum with its proof, the greedy choice, and whether the optimum is the only one."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.scores.matching.arrays import Floats, Integers
from mensura.scores.matching.assignment.candidates import Candidates

# Above this many entries the strongest are solved first and the rest are only checked against the prices.
DIRECT = 1_000_000
_KEEP = 24
_MORE = 8
# Prices are sums of weights of order one, so a difference below this is rounding.
TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Matching:
    """Partner of every row (-1 for none), and prices that prove the optimum (None where it was not sought)."""

    partner: Integers
    total: float
    row_price: Floats | None = None
    column_price: Floats | None = None


def optimal(candidates: Candidates) -> Matching:
    """Pair one-to-one to the greatest sum of worth; a row that gains nothing stays alone.

    Rows or columns beyond the other side's number are padded by null cases of worth zero.

    >>> optimal(Candidates.full(np.array([[0.4, 0.0, 0.0], [1/3, 1/3, 1/3], [2/3, 0.0, 1/3]]))).partner
    array([0, 1, 2])
    """
    large = candidates.matrix is not None and candidates.matrix.size > DIRECT
    entries = candidates.strongest(_KEEP) if large else candidates.sparse()
    solver = Solver(entries.shape)
    solver.solve(entries)
    while large:
        # Entries that the prices do not cover are added, and again until all are covered.
        missing = _uncovered(candidates, solver)
        if missing.count == 0:
            break
        entries = entries.joined(missing)
        solver.mend(entries, np.flatnonzero(np.diff(missing.start)))
    return Matching(solver.partner, _total(candidates, solver.partner), solver.row_price, solver.column_price)


def greedy(candidates: Candidates) -> Matching:
    """Pair by taking the largest entry left, again and again.

    >>> greedy(Candidates.full(np.array([[0.9, 0.8], [0.8, 0.1]]))).total
    1.0
    """
    from mensura.scores.matching.assignment.entries import greedy_matching

    partner = greedy_matching(candidates.start, candidates.columns, candidates.worth, candidates.shape[1])
    return Matching(partner, _total(candidates, partner))


def unique(candidates: Candidates, matching: Matching) -> bool:
    """Return whether no other pairing reaches the same sum (to within rounding, 1e-9 per pair).

    Other optima use only entries whose price is exactly met. Following such an entry from a row, and the present
    partner from a column, with one node for everything that is alone, another optimum is a circle.

    >>> candidates = Candidates.full(np.array([[0.5, 0.5], [0.5, 0.5]]))
    >>> unique(candidates, optimal(candidates))
    False
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    row_price, column_price = matching.row_price, matching.column_price
    if row_price is None or column_price is None:
        raise ValueError("only an optimal matching carries the prices this needs")
    height, width = candidates.shape
    if candidates.matrix is None:
        rows, columns = candidates.above(row_price, column_price, margin=-TOLERANCE).positions()
    else:
        # Row by row, as prices for all entries at once would take as much memory as the matrix.
        prices = zip(candidates.matrix, row_price, strict=True)
        met = [np.flatnonzero((row > 0) & (row > price + column_price - TOLERANCE)) for row, price in prices]
        rows, columns = (
            np.repeat(np.arange(height), [len(each) for each in met]),
            np.concatenate([*met, []]).astype(int),
        )
    partner = matching.partner
    other = partner[rows] != columns
    paired = np.flatnonzero(partner >= 0)
    taken = partner[paired]
    free = np.setdiff1d(np.arange(width), taken)
    alone = np.flatnonzero(partner < 0)
    nobody = height + width
    may_leave = paired[row_price[paired] <= TOLERANCE]
    may_lose = taken[column_price[taken] <= TOLERANCE]
    edges = [
        (rows[other], height + columns[other]),
        (height + taken, paired),
        *((part, np.full(len(part), nobody)) for part in (may_leave, height + free)),
        *((np.full(len(part), nobody), part) for part in (alone, height + may_lose)),
    ]
    tails, heads = (np.concatenate(side) for side in zip(*edges, strict=True))
    graph = csr_array((np.ones(len(tails)), (tails, heads)), shape=(nobody + 1, nobody + 1))
    parts, _ = connected_components(graph, directed=True, connection="strong")
    return bool(parts == nobody + 1)


def _uncovered(candidates: Candidates, solver: "Solver") -> Candidates:
    """Of every row of a full matrix the entries that exceed their prices most, the first of equals."""
    assert candidates.matrix is not None
    found = []
    for row, price in zip(candidates.matrix, solver.row_price, strict=True):
        over = row - price - solver.column_price
        columns = np.flatnonzero((over > TOLERANCE) & (row > 0))
        found.append(np.sort(columns[np.argsort(-over[columns], kind="stable")[:_MORE]]))
    start = np.concatenate(([0], np.cumsum([len(each) for each in found])))
    columns = np.concatenate(found)
    worth = candidates.matrix[np.repeat(np.arange(len(found)), np.diff(start)), columns]
    return Candidates(candidates.shape, start, columns, worth)


class Solver:
    """A matching with its prices while it is being found."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self.partner = np.full(shape[0], -1, np.int64)
        self.owner = np.full(shape[1], -1, np.int64)
        self.row_price = np.zeros(shape[0])
        self.column_price = np.zeros(shape[1])

    def solve(self, entries: Candidates) -> None:
        """Start afresh."""
        from mensura.scores.matching.assignment.augmenting import augment, bid

        arrays: list[Any] = [entries.start, entries.columns, entries.worth]
        arrays += [self.partner, self.owner, self.row_price, self.column_price]
        augment(bid(*arrays), *arrays)

    def mend(self, entries: Candidates, rows: Integers) -> None:
        """Make the optimum good again after entries were added to some rows."""
        from mensura.scores.matching.assignment.augmenting import augment

        left = self.partner[rows]
        self.owner[left[left >= 0]] = -1
        self.partner[rows] = -1
        by_row = (entries.start, entries.columns, entries.worth)
        augment(rows, *by_row, self.partner, self.owner, self.row_price, self.column_price)
        # A column left alone must cost nothing; those that still have a price look for a row in their turn.
        priced = np.flatnonzero((self.owner < 0) & (self.column_price > 0))
        if len(priced):
            turned = entries.transposed()
            by_column = (turned.start, turned.columns, turned.worth)
            augment(priced, *by_column, self.owner, self.partner, self.column_price, self.row_price)


def _total(candidates: Candidates, partner: Integers) -> float:
    rows = np.flatnonzero(partner >= 0)
    return float(np.sum(candidates.at(rows, partner[rows])))
