"""The cases of one type on both sides, compared and paired."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.detection.hypotheses.compiling import Partners
from mensura.catalog.detection.hypotheses.function import load_function
from mensura.catalog.detection.hypotheses.options import ScoringOptions
from mensura.catalog.detection.hypotheses.specification import CaseType
from mensura.catalog.detection.hypotheses.things import Thing
from mensura.errors import BadParameter
from mensura.scores.matching import CreditTable, Likeness, Pairing, ScoredPairs, many_pairs, pair
from mensura.scores.matching.arrays import Cases, Integers, Sides

_NOBODY = (np.empty(0, np.int64), np.empty(0, np.int64))


@dataclass(frozen=True, slots=True)
class Lineup:
    """The cases of one type, as they were given and as arrays."""

    kind: CaseType
    reference: Sequence[Thing]
    hypotheses: Sequence[Thing]
    likeness: Likeness

    @classmethod
    def of(cls, kind: CaseType, sides: Sides, *, reference: Sequence[Thing], hypotheses: Sequence[Thing]) -> "Lineup":
        """Put things and their arrays together."""
        counts = np.fromiter((len(thing.alternatives) for thing in hypotheses), np.int64, len(hypotheses))
        chances = (chance for thing in hypotheses for chance, _ in thing.alternatives)
        cases = Cases(
            first_row=np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
            case_of_row=np.repeat(np.arange(len(hypotheses)), counts),
            probability=np.fromiter(chances, np.float64, int(counts.sum())),
        )
        negative = ((each.costs or kind.costs).false_negative for each in reference)
        # Only the specification says what a false hypothesis costs: nobody sets the price of their own mistakes.
        positive = np.full(len(hypotheses), kind.costs.false_positive)
        costs = (np.fromiter(negative, float, len(reference)), positive)
        return cls(kind, reference, hypotheses, Likeness(sides, cases, costs))

    def pair(self, options: ScoringOptions, *, force: bool, known: ScoredPairs | None = None) -> Pairing:
        """Pair one-to-one: equal identifiers by force, the rest optimally or greedily among the candidates.

        `known` are all candidates where they were compared before.
        """
        forced = self._forced() if force else _NOBODY
        rule = self.likeness.admission(threshold=options.threshold_of(self.kind), by=options.by, skip=forced)
        if known is None:
            found = self.likeness.candidates(rule, admit=self._admit if self._functions else None)
        else:
            found = self.likeness.listed(known, rule)
        pairing = pair(self.likeness, found, forced=forced, how=options.pairs, what=self.kind.name)
        return replace(pairing, pairs=self._named(pairing.pairs))

    def many_pairs(self, pairing: Pairing, *, how: str) -> ScoredPairs:
        """Pair so that cases may share a partner; see `mensura.scores.matching.many_pairs`."""
        return self._named(many_pairs(pairing, how=how, what=self.kind.name))

    def all_pairs(self, options: ScoringOptions, *, needed_for: str) -> ScoredPairs:
        """List every candidate pair with its scores; `needed_for` says why, where they are too many."""
        rule = self.likeness.admission(threshold=options.threshold_of(self.kind), by=options.by, skip=_NOBODY)
        admit = self._admit if self._functions else None
        found = self.likeness.candidates(rule, admit=admit, listed_for=f"{needed_for} of {self.kind.name}")
        return self.likeness.pairs(*found.candidates.positions())

    def table(self, pairs: ScoredPairs, *, crisp: bool) -> CreditTable:
        """Return the credit between all cases, for pairing within the context of two supercases."""
        credit = (np.ones(len(pairs)),) * 2 if crisp else (pairs.recall, pairs.precision)
        first, second = (
            {thing.uid: place for place, thing in enumerate(side)} for side in (self.reference, self.hypotheses)
        )
        return CreditTable(first, second, pairs.reference, pairs.hypothesis, pairs.f, *credit)

    def partners(self, pairs: ScoredPairs, *, crisp: bool) -> Partners:
        """Return what reading a nested case off its pairing gives."""
        credit = (np.ones(len(pairs)),) * 2 if crisp else (pairs.recall, pairs.precision)
        first = {self.reference[i].uid: place for place, i in enumerate(pairs.reference.tolist())}
        second = {self.hypotheses[j].uid: place for place, j in enumerate(pairs.hypothesis.tolist())}
        return Partners(first, second, *credit)

    def _forced(self) -> tuple[Integers, Integers]:
        place = {thing.uid: position for position, thing in enumerate(self.hypotheses)}
        pairs = [(position, place[thing.uid]) for position, thing in enumerate(self.reference) if thing.uid in place]
        both = np.array(pairs, np.int64).reshape(-1, 2)
        return both[:, 0], both[:, 1]

    def _named(self, pairs: ScoredPairs) -> ScoredPairs:
        if not self.kind.open:
            return pairs
        # Where one side only names an object of an open type, the name is all there is to get right.
        both = zip(pairs.reference, pairs.hypothesis, strict=True)
        named = np.array([self.reference[i].implied or self.hypotheses[j].implied for i, j in both], np.bool_)
        filled = (np.where(named, 1.0, each) for each in (pairs.recall, pairs.precision, pairs.f))
        return ScoredPairs(pairs.reference, pairs.hypothesis, *filled)

    @property
    def _functions(self) -> list[str]:
        return [each.function for each in self.kind.conditions if each.kind == "function"]

    def _admit(self, rows: Integers, columns: Integers) -> NDArray[np.bool_]:
        """Return which of the listed pairs the conditions that the user writes in Python let be paired.

        A condition is called with the reference's and the hypothesis's values, each a dict of attribute to value (a
        list where the attribute takes many; dates are day numbers; objects are identifiers), and answers true or
        false. A hypothesis with alternatives may be paired if one of them may.
        """
        functions = [(name, load_function(name)) for name in self._functions]
        mine = {i: self._shown(self.reference[i]) for i in np.unique(rows).tolist()}
        theirs = {j: self._shown(self.hypotheses[j]) for j in np.unique(columns).tolist()}

        def may(i: int, j: int) -> bool:
            for name, function in functions:
                try:
                    passed = any(function(mine[i][0], values) for values in theirs[j])
                except Exception as error:
                    pair = f"reference {self.reference[i].uid!r} and hypothesis {self.hypotheses[j].uid!r}"
                    raise BadParameter(
                        f"The condition {name} failed on {pair}: {type(error).__name__}: {error}."
                    ) from error
                if not passed:
                    return False
            return True

        both = zip(rows.tolist(), columns.tolist(), strict=True)
        return np.fromiter((may(i, j) for i, j in both), np.bool_, len(rows))

    def _shown(self, thing: Thing) -> list[dict[str, Any]]:
        many = self.kind.attributes
        return [
            {name: list(given) if many[name].many else given[0] for name, given in values.items()}
            for _, values in thing.alternatives
        ]
