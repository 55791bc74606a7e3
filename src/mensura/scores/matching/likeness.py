"""How alike the cases of two sides are, and which pairs may be taken."""

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from mensura.scores.matching.arrays import Admission, Cases, Floats, Integers, Sides, f_values
from mensura.scores.matching.assignment import Candidates
from mensura.scores.matching.candidates import Shortlist, find_candidates, with_crowd
from mensura.scores.matching.survey import Survey

Admit = Callable[[Integers, Integers], NDArray[np.bool_]]
_OBJECTIVE = {"f": 0, "recall": 1, "cost": 2}


@dataclass(frozen=True, slots=True)
class ScoredPairs:
    """Pairs by position in the lists of cases, with recall, precision and F of each."""

    reference: Integers
    hypothesis: Integers
    recall: Floats
    precision: Floats
    f: Floats

    def __len__(self) -> int:
        return len(self.reference)

    def only(self, chosen: Integers | NDArray[np.bool_]) -> "ScoredPairs":
        """Return some of the pairs, in the order asked for."""
        return ScoredPairs(*(getattr(self, each.name)[chosen] for each in fields(self)))


@dataclass(frozen=True, slots=True)
class Likeness:
    """Both sides ready to compare; hypotheses with alternatives count by their expectation.

    `costs` are those of missing each reference, and of each hypothesis if it is false.
    """

    sides: Sides
    cases: Cases
    costs: tuple[Floats, Floats]

    @property
    def shape(self) -> tuple[int, int]:
        """How many references and hypotheses there are."""
        return len(self.costs[0]), len(self.costs[1])

    @property
    def definite(self) -> bool:
        """Return whether every hypothesis is one certain statement."""
        return bool(np.all(np.diff(self.cases.first_row) == 1) and np.all(self.cases.probability == 1.0))

    def pairs(self, rows: Integers, columns: Integers) -> ScoredPairs:
        """Compare listed pairs of cases."""
        if self.definite:
            recall, precision = self.row_scores(rows, columns)
            return ScoredPairs(rows, columns, recall, precision, f_values(recall, precision))
        counts = np.diff(self.cases.first_row)[columns]
        place = np.repeat(np.arange(len(rows)), counts)
        within = np.arange(len(place)) - np.repeat(np.cumsum(counts) - counts, counts)
        flat = self.cases.first_row[columns][place] + within
        recall, precision = self.row_scores(rows[place], flat)
        weights = self.cases.probability[flat]
        f = f_values(recall, precision)

        def expected(each: Floats) -> Floats:
            return np.bincount(place, weights * each, minlength=len(rows)).astype(np.float64)

        return ScoredPairs(rows, columns, expected(recall), expected(precision), expected(f))

    def row_scores(self, rows: Integers, columns: Integers) -> tuple[Floats, Floats]:
        """Return recall and precision of references against single alternatives."""
        from mensura.scores.matching.kernels import compare_pairs

        if len(rows) == 0:
            return np.empty(0), np.empty(0)
        rows, columns = np.ascontiguousarray(rows, np.int64), np.ascontiguousarray(columns, np.int64)
        recall, precision = compare_pairs(rows, columns, self.sides)
        return recall, precision

    def admission(self, *, threshold: float, by: str, skip: tuple[Integers, Integers]) -> Admission:
        """Return what a pair of whole cases is worth, by F, recall or the cost saved, and which cases to skip."""
        skipped = [np.zeros(size, np.bool_) for size in self.shape]
        skipped[0][skip[0]] = True
        skipped[1][skip[1]] = True
        credits = self.sides.credits
        nothing = (np.zeros(len(each), np.bool_) for each in (credits.recall, credits.nominal, credits.table_weight))
        return Admission(threshold, _OBJECTIVE[by], *self.costs, *skipped, *nothing)

    def candidates(self, rule: Admission, *, admit: Admit | None = None, listed_for: str = "") -> Shortlist:
        """Find the pairs that may be taken and what each is worth.

        `admit` is a condition of the user's own on listed pairs, `listed_for` as for `find_candidates`.
        """
        by_row = rule
        if not self.definite:
            # An alternative alone may fall short of what the whole disjunction reaches.
            rows = self.cases.case_of_row
            skipped, costs = rule.skip_hypothesis[rows], rule.false_positive[rows]
            by_row = rule._replace(threshold=0.0, objective=0, skip_hypothesis=skipped, false_positive=costs)
        listed_for = listed_for or ("a condition of your own" if admit else "")
        found, marked = find_candidates(self.sides, by_row, listed_for=listed_for)
        if not self.definite:
            rows, columns = found.candidates.positions()
            keys = np.unique(rows * self.shape[1] + self.cases.case_of_row[columns])
            pairs = self.pairs(keys // self.shape[1], keys % self.shape[1])
            found = self.listed(pairs.only((pairs.f > 0) & (pairs.f >= rule.threshold - 1e-12)), rule)
        if admit:
            rows, columns = found.candidates.positions()
            chosen = admit(rows, columns)
            found = self.listed(self.pairs(rows[chosen], columns[chosen]), rule)
        return found if marked is None else with_crowd(found, self.sides, self.cases, rule=rule, marked=marked)

    def listed(self, pairs: ScoredPairs, rule: Admission) -> Shortlist:
        """Return candidates from pairs in order, all of them admitted, less those of cases to skip."""
        pairs = pairs.only(~(rule.skip_reference[pairs.reference] | rule.skip_hypothesis[pairs.hypothesis]))
        height, width = self.shape
        rows, columns = pairs.reference, pairs.hypothesis
        cost = rule.false_negative[rows] * pairs.recall + rule.false_positive[columns] * pairs.precision
        worth = (pairs.f, pairs.recall, cost)[rule.objective]
        counts = np.bincount(rows, minlength=height)
        best_recall, best_precision = np.zeros(height), np.zeros(width)
        np.maximum.at(best_recall, rows, pairs.recall)
        np.maximum.at(best_precision, columns, pairs.precision)
        survey = Survey(best_recall, best_precision, counts, np.bincount(columns, minlength=width))
        return Shortlist(Candidates.of(self.shape, rows, columns, worth), survey)
