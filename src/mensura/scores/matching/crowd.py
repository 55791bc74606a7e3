"""Values that very many cases share: looked at only where the prices of a pairing leave room for them.

Pairs that share nothing but common values are worth little. The pairing is first found among pairs that share
something rarer; its prices then prove for almost every case that no such poor pair could improve it, and only what
is left over is compared. The result is the optimum over all candidates.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.errors import BadParameter
from mensura.scores.matching.arrays import Admission, Cases, Floats, Integers, Sides, f_values
from mensura.scores.matching.assignment import Candidates, Matching, Solver, greedy, unique
from mensura.scores.matching.threads import in_blocks

Flags = NDArray[np.bool_]

# Pairs looked at in one round, and pairs kept for the greedy choice, beyond which it is not made.
MOST_LOOKS = 10_000_000_000
MOST_OPEN = 100_000_000
_MORE = 12
_STRONG = 16
_ALIKE = 4


@dataclass(frozen=True, slots=True)
class Common:
    """The most that pairs outside the candidates can be worth, and their recall and precision.

    `rule` says what a pair of whole cases is worth, `cases` which rows of the hypotheses are alternatives of one case.
    """

    sides: Sides
    cases: Cases
    rule: Admission
    row_bound: Floats
    column_bound: Floats
    recall: Floats
    precision: Floats


def unflagged(rule: Admission) -> Admission:
    """Return the rule without flags: every value leads to candidates."""
    flags = (name for name in Admission._fields if name.startswith("common_"))
    return rule._replace(**{name: np.zeros_like(getattr(rule, name)) for name in flags})


def mark_common(sides: Sides, rule: Admission, *, budget: float) -> Admission:
    """Flag the values held by most pairs until the rest lead to at most `budget` looks, and those almost as common."""
    reference, _, postings, credits = sides
    sizes = np.diff(postings.start) * np.bincount(reference.codes, minlength=len(credits.recall))
    numbers = np.array([_windows(sides, row) for row in range(len(credits.number_weight))])
    tables = np.array([_table_looks(sides, row) for row in range(len(credits.table_weight))])
    looks = np.concatenate((sizes, numbers, tables)).astype(float)
    order = np.argsort(looks)
    over = looks[order][np.cumsum(looks[order]) > budget]
    # Values of one attribute are held about equally often: a part of them in the core would fill it and prove nothing.
    common = looks >= over.min(initial=np.inf) / _ALIKE
    edges = np.cumsum([len(sizes), len(numbers)])
    tokens, number, table = np.split(common, edges)
    return rule._replace(common_token=tokens, common_number=number, common_table=table)


def bounded(sides: Sides, cases: Cases, *, rule: Admission, marked: Admission) -> Common:
    """Bound what a pair that shares only the values `marked` as common can be worth by the `rule` for whole cases."""
    recall = _common_weight(sides, marked, side=0)
    by_row = _common_weight(sides, marked, side=1)
    precision = _expected(by_row, cases)
    most_recall, most_precision = recall.max(initial=0.0), by_row.max(initial=0.0)
    f_row, f_column = f_values(recall, most_precision), _expected(f_values(by_row, most_recall), cases)
    if rule.objective == 0:
        rows, columns = f_row, f_column
    elif rule.objective == 1:
        rows, columns = recall, np.full(len(precision), most_recall)
    else:
        rows = rule.false_negative * recall + rule.false_positive.max(initial=0.0) * most_precision
        columns = rule.false_positive * precision + rule.false_negative.max(initial=0.0) * most_recall
    # Pairs that cannot reach the threshold are no candidates, whatever they are worth.
    rows = np.where(f_row < rule.threshold - 1e-12, -1.0, rows)
    columns = np.where(f_column < rule.threshold - 1e-12, -1.0, columns)
    rule = rule._replace(
        common_token=marked.common_token, common_number=marked.common_number, common_table=marked.common_table
    )
    return Common(sides, cases, rule, rows, columns, recall, precision)


def _expected(values: Floats, cases: Cases) -> Floats:
    sums = np.bincount(cases.case_of_row, cases.probability * values, minlength=len(cases.first_row) - 1)
    return sums.astype(np.float64)


def optimal_with_common(core: Candidates, common: Common) -> tuple[Matching, Candidates]:
    """Pair optimally over all candidates, and give those that matter: the core and what meets its prices."""
    entries = core.strongest(_STRONG)
    by_row, by_column = Solver(core.shape), Solver(core.shape[::-1])
    by_row.solve(entries)
    by_column.solve(entries.transposed())
    while True:
        # Both prices prove the same optimum, one in favour of rows and one of columns; halfway both sides are high.
        row_price = (by_row.row_price + by_column.column_price) / 2
        column_price = (by_row.column_price + by_column.row_price) / 2
        missing = core.above(row_price, column_price, margin=1e-9)
        if missing.count == 0:
            missing = _above(common, row_price, column_price, margin=1e-9, keep=_MORE)
        if missing.count == 0:
            worth = entries.at(*_taken(by_row.partner))
            best = Matching(by_row.partner, float(worth.sum()), row_price, column_price)
            # A few pairs as good nearly always show another pairing as good; only where they do not are all needed.
            for keep in (_MORE, 0):
                tight = core.joined(_above(common, row_price, column_price, margin=-1e-9, keep=keep))
                if not unique(tight, best):
                    break
            return best, tight
        entries = entries.joined(missing)
        turned = entries.transposed()
        by_row.mend(entries, np.flatnonzero(np.diff(missing.start)))
        by_column.mend(turned, np.unique(missing.columns))


def greedy_with_common(core: Candidates, common: Common) -> Matching | None:
    """Pair greedily over all candidates; None where too many poor pairs are open to search in time."""
    from mensura.scores.matching.searching import work

    bar = float(common.row_bound.max(initial=0.0))
    partner = greedy(core).partner.copy()
    rows, columns = _taken(partner)
    poor = rows[core.at(rows, columns) < bar]
    partner[poor] = -1
    left = np.flatnonzero((partner < 0) & ~common.rule.skip_reference)
    free = np.ones(core.shape[1], np.bool_)
    free[partner[partner >= 0]] = False
    free &= ~common.rule.skip_hypothesis
    total = float(core.at(*_taken(partner)).sum())
    share = len(left) / core.shape[0] * free.sum() / core.shape[1]
    if share * min(work(common.sides, unflagged(common.rule)), core.shape[0] * core.shape[1]) > MOST_OPEN:
        return None
    free_rows, free_columns = np.zeros(core.shape[0]), np.zeros(core.shape[1])
    no_bound = np.full(core.shape[0], np.inf)
    rest = _rows(common, left, np.flatnonzero(free), free_rows, free_columns, no_bound, margin=0.0, keep=0)
    second = greedy(rest)
    taken = second.partner >= 0
    partner[taken] = second.partner[taken]
    return Matching(partner, total + second.total)


def _taken(partner: Integers) -> tuple[Integers, Integers]:
    rows = np.flatnonzero(partner >= 0)
    return rows, partner[rows]


def _above(common: Common, row_price: Floats, column_price: Floats, *, margin: float, keep: int) -> Candidates:
    """Candidates above their prices, among the cases whose price does not already cover all they could be worth."""
    rows = np.flatnonzero((row_price < common.row_bound - margin) & ~common.rule.skip_reference)
    columns = np.flatnonzero((column_price < common.column_bound - margin) & ~common.rule.skip_hypothesis)
    return _rows(common, rows, columns, row_price, column_price, common.row_bound, margin=margin, keep=keep)


def _rows(
    common: Common,
    rows: Integers,
    columns: Integers,
    row_price: Floats,
    column_price: Floats,
    bound: Floats,
    *,
    margin: float,
    keep: int,
) -> Candidates:
    from scipy.sparse import csr_array

    from mensura.scores.matching.crowd_search import above_prices
    from mensura.scores.matching.searching import work

    shape, rule = (len(row_price), len(column_price)), unflagged(common.rule)
    columns = columns[np.argsort(column_price[columns], kind="stable")]
    looks = np.searchsorted(column_price[columns], bound[rows] - row_price[rows] - margin, side="right").sum()
    if looks > MOST_LOOKS and work(common.sides, rule) > MOST_LOOKS:
        raise BadParameter(
            f"{len(rows)} references and {len(columns)} hypotheses have no close match, and comparing all of them "
            f"would take too long. Raise the threshold: pairs that cannot reach it are never looked at."
        )
    postings, rank = common.sides.postings, np.full(shape[1], len(columns))
    rank[columns] = np.arange(len(columns))
    places = rank[common.cases.case_of_row[postings.cases]]
    tokens = np.repeat(np.arange(len(postings.start) - 1), np.diff(postings.start))
    holders = (rank, postings.start, places[np.lexsort((places, tokens))])

    def block(begin: int, end: int) -> Any:
        prices = (row_price, column_price, bound, margin, keep)
        return above_prices(rows[begin:end], columns, holders, common.sides, common.cases, rule, *prices)

    counts, found, worth = map(np.concatenate, zip(*in_blocks(block, len(rows)), strict=True))
    start = np.zeros(shape[0] + 1, np.int64)
    start[rows + 1] = counts
    return Candidates.from_csr(csr_array((worth, found, np.cumsum(start)), shape=shape))


def _common_weight(sides: Sides, rule: Admission, *, side: int) -> Floats:
    cases = (sides.reference, sides.hypothesis)[side]
    credits = sides.credits
    per_token = np.where(rule.common_token, (credits.recall, credits.precision)[side], 0.0)
    rows = np.repeat(np.arange(len(cases.basis)), np.diff(cases.start))
    total = np.bincount(rows, per_token[cases.codes], minlength=len(cases.basis)).astype(np.float64)
    for row in np.flatnonzero(rule.common_number):
        total += np.where(np.isnan(cases.numbers[row]), 0.0, credits.number_weight[row])
    for row in np.flatnonzero(rule.common_table):
        total += credits.table_weight[row] * np.diff(cases.table_start[row])
    # Sums of many small numbers may fall a little short; a bound must not.
    total = total * (1 + 1e-12)
    share: Floats = np.divide(total, cases.basis, out=np.zeros_like(total), where=cases.basis > 0)
    return np.minimum(1.0, share)


def _windows(sides: Sides, row: int) -> float:
    from mensura.scores.matching.kernels import REACH

    credits, postings = sides.credits, sides.postings
    reach = credits.nominal[row] * REACH[credits.curve[row]]
    known = postings.ordered[row, : postings.known[row]]
    values = sides.reference.numbers[row]
    values = values[~np.isnan(values)]
    low = np.searchsorted(known, values - reach, side="left")
    return float(np.sum(np.searchsorted(known, values + reach, side="right") - low))


def _table_looks(sides: Sides, row: int) -> float:
    reference, _, postings, credits = sides
    held = np.diff(postings.table_start)
    per_entry = held[credits.table_column]
    sums = np.concatenate(([0], np.cumsum(per_entry)))
    per_code = sums[credits.table_start[1:]] - sums[credits.table_start[:-1]]
    codes = reference.table_codes[reference.table_start[row, 0] : reference.table_start[row, -1]]
    return float(per_code[codes].sum())
