"""Compares hypothesised with reference cases of one type, and finds the pairs that may be taken."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.detection.scoring.arrays import Cases, Compiled, Floats, Integers, Rule
from mensura.catalog.detection.scoring.assignment import Candidates
from mensura.catalog.detection.scoring.candidates import Found, find_candidates, with_crowd
from mensura.catalog.detection.scoring.conditions import admitted, own_conditions
from mensura.catalog.detection.scoring.options import Options
from mensura.catalog.detection.scoring.specification import CaseType
from mensura.catalog.detection.scoring.survey import Survey
from mensura.catalog.detection.scoring.things import Thing

_OBJECTIVE = {"f": 0, "recall": 1, "cost": 2}


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs by position in the lists of cases, with recall, precision and F of each."""

    reference: Integers
    hypothesis: Integers
    recall: Floats
    precision: Floats
    f: Floats

    def __len__(self) -> int:
        return len(self.reference)

    def only(self, chosen: Integers | NDArray[np.bool_]) -> "Pairs":
        """Give some of the pairs, in the order asked for."""
        return Pairs(
            self.reference[chosen], self.hypothesis[chosen], self.recall[chosen], self.precision[chosen], self.f[chosen]
        )


class Comparison:
    """Both sides of one type ready to compare; hypotheses with alternatives count by their expectation."""

    def __init__(self, compiled: Compiled, *, reference: Sequence[Thing], hypotheses: Sequence[Thing]) -> None:
        self.compiled = compiled
        self.reference, self.hypotheses = reference, hypotheses
        counts = np.fromiter((len(thing.alternatives) for thing in hypotheses), np.int64, len(hypotheses))
        chances = (chance for thing in hypotheses for chance, _ in thing.alternatives)
        self.cases = Cases(
            first_row=np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
            case_of_row=np.repeat(np.arange(len(hypotheses)), counts),
            probability=np.fromiter(chances, np.float64, int(counts.sum())),
        )
        self.definite = bool(np.all(counts == 1) and np.all(self.cases.probability == 1.0))

    def pairs(self, rows: Integers, columns: Integers) -> Pairs:
        """Compare listed pairs of cases."""
        if self.definite:
            recall, precision = self.row_scores(rows, columns)
            return Pairs(rows, columns, recall, precision, f_values(recall, precision))
        counts = np.diff(self.cases.first_row)[columns]
        place = np.repeat(np.arange(len(rows)), counts)
        within = np.arange(len(place)) - np.repeat(np.cumsum(counts) - counts, counts)
        flat = self.cases.first_row[columns][place] + within
        recall, precision = self.row_scores(rows[place], flat)
        weights = self.cases.probability[flat]
        f = f_values(recall, precision)

        def expected(each: Floats) -> Floats:
            return np.bincount(place, weights * each, minlength=len(rows)).astype(np.float64)

        return Pairs(rows, columns, expected(recall), expected(precision), expected(f))

    def row_scores(self, rows: Integers, columns: Integers) -> tuple[Floats, Floats]:
        """Recall and precision of references against single alternatives."""
        from mensura.catalog.detection.scoring.kernels import compare_pairs

        if len(rows) == 0:
            return np.empty(0), np.empty(0)
        reference, hypothesis, _, credits = self.compiled
        recall, precision = compare_pairs(
            np.ascontiguousarray(rows, np.int64),
            np.ascontiguousarray(columns, np.int64),
            reference,
            hypothesis,
            credits,
        )
        return recall, precision

    def candidates(
        self, kind: CaseType, options: Options, *, skip: tuple[Integers, Integers], listed_for: str = ""
    ) -> Found:
        """Find the pairs that may be taken and what each is worth; see `find_candidates` for `listed_for`."""
        own = bool(own_conditions(kind))
        rule = self._rule(kind, options, skip)
        by_row = rule
        if not self.definite:
            # An alternative alone may fall short of what the whole disjunction reaches.
            rows = self.cases.case_of_row
            skipped, costs = rule.skip_hypothesis[rows], rule.false_positive[rows]
            by_row = rule._replace(threshold=0.0, objective=0, skip_hypothesis=skipped, false_positive=costs)
        found, marked = find_candidates(
            self.compiled, by_row, listed_for=listed_for or ("a condition of your own" if own else "")
        )
        if not self.definite:
            found = self._gathered(found, rule)
        if own:
            found = self._admitted(found, rule, kind)
        return found if marked is None else with_crowd(found, self.compiled, self.cases, rule=rule, marked=marked)

    def listed(self, pairs: Pairs, kind: CaseType, options: Options, *, skip: tuple[Integers, Integers]) -> Found:
        """Give candidates from all pairs that may be taken, less those of cases to skip."""
        rule = self._rule(kind, options, skip)
        left = ~(rule.skip_reference[pairs.reference] | rule.skip_hypothesis[pairs.hypothesis])
        return self._listed(pairs.only(left), rule)

    def _rule(self, kind: CaseType, options: Options, skip: tuple[Integers, Integers]) -> Rule:
        """What a pair of whole cases is worth."""
        skipped = [np.zeros(len(side), np.bool_) for side in (self.reference, self.hypotheses)]
        skipped[0][skip[0]] = True
        skipped[1][skip[1]] = True
        negative, positive = self.costs(kind)
        return Rule(
            threshold=options.threshold_of(kind),
            objective=_OBJECTIVE[options.by],
            false_negative=negative,
            false_positive=positive,
            skip_reference=skipped[0],
            skip_hypothesis=skipped[1],
            common_token=np.zeros(len(self.compiled.credits.recall), np.bool_),
            common_number=np.zeros(len(self.compiled.credits.number_weight), np.bool_),
            common_table=np.zeros(len(self.compiled.credits.table_weight), np.bool_),
        )

    def costs(self, kind: CaseType) -> tuple[Floats, Floats]:
        """Cost of missing each reference, and of each hypothesis if it is false."""
        negative = (each.costs.false_negative if each.costs else kind.costs.false_negative for each in self.reference)
        positive = (each.costs.false_positive if each.costs else kind.costs.false_positive for each in self.hypotheses)
        return np.fromiter(negative, float, len(self.reference)), np.fromiter(positive, float, len(self.hypotheses))

    def _gathered(self, found: Found, rule: Rule) -> Found:
        """Gather alternatives into their disjunction: the whole of it is paired at once."""
        sparse = found.candidates.sparse()
        rows = np.repeat(np.arange(sparse.shape[0]), np.diff(sparse.start))
        keys = np.unique(rows * len(self.hypotheses) + self.cases.case_of_row[sparse.columns])
        pairs = self.pairs(keys // len(self.hypotheses), keys % len(self.hypotheses))
        return self._listed(pairs.only((pairs.f > 0) & (pairs.f >= rule.threshold - 1e-12)), rule)

    def _admitted(self, found: Found, rule: Rule, kind: CaseType) -> Found:
        """Leave out the pairs that a condition of the user's own refuses."""
        sparse = found.candidates.sparse()
        rows = np.repeat(np.arange(sparse.shape[0]), np.diff(sparse.start))
        chosen = admitted(kind, reference=self.reference, hypotheses=self.hypotheses, rows=rows, columns=sparse.columns)
        return self._listed(self.pairs(rows[chosen], sparse.columns[chosen]), rule)

    def _listed(self, pairs: Pairs, rule: Rule) -> Found:
        """Candidates from pairs in order, all of them admitted."""
        height, width = len(self.reference), len(self.hypotheses)
        rows, columns = pairs.reference, pairs.hypothesis
        cost = rule.false_negative[rows] * pairs.recall + rule.false_positive[columns] * pairs.precision
        worth = (pairs.f, pairs.recall, cost)[rule.objective]
        counts = np.bincount(rows, minlength=height)
        start = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        best_recall, best_precision = np.zeros(height), np.zeros(width)
        np.maximum.at(best_recall, rows, pairs.recall)
        np.maximum.at(best_precision, columns, pairs.precision)
        survey = Survey(best_recall, best_precision, counts, np.bincount(columns, minlength=width))
        return Found(Candidates((height, width), start, columns, worth), survey)


def f_values(recall: Floats, precision: Floats) -> Floats:
    """Harmonic mean of recall and precision, 0 where both are 0.

    >>> f_values(np.array([1 / 3, 0.0]), np.array([1 / 2, 0.0]))
    array([0.4, 0. ])
    """
    total = recall + precision
    return np.divide(2 * recall * precision, total, out=np.zeros_like(total), where=total > 0)
