"""Theory of kinds: which kinds ask for the same, by their grammars, beside which go together in answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.puzzles.grammar.derivation import Grammar
from mensura.catalog.puzzles.grammar.operation import OPERATIONS
from mensura.catalog.puzzles.kinds.find import PLACES, find_kind, kinds_at_hand
from mensura.catalog.puzzles.transfer import HOW, TransferMatrix
from mensura.errors import BadFile, MensuraError
from mensura.exhibit import Exhibit, Figure
from mensura.table_file import read_table

OPERATION, BACKGROUND = 1.0, 1.0
"""What a shared operation and a shared fact of the background weigh."""
WEIGHTS = (
    f"An operation that two kinds share weighs {OPERATION:g}, a fact outside the items that both need {BACKGROUND:g}; "
    "the overlap is the weight of what they share over the weight of what either has. Changing nothing is none."
)
DISAGREE = 0.3
"""How far the share of other pairs that lie below may differ, by theory and by answers, before a pair is named."""
SIMULATED = "simulated people"
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Overlaps:
    """How much each two kinds have in common, from 0 to 1 by theory, from -1 to 1 by answers."""

    kinds: tuple[str, ...]
    matrix: Floats

    @property
    def pairs(self) -> dict[tuple[str, str], float]:
        """Two kinds → their overlap."""
        places = combinations(range(len(self.kinds)), 2)
        return {(self.kinds[a], self.kinds[b]): float(self.matrix[a, b]) for a, b in places}

    def as_json(self) -> dict[str, dict[str, float]]:
        """Return the matrix by names."""
        rows = zip(self.kinds, self.matrix.tolist(), strict=True)
        return {kind: dict(zip(self.kinds, (round(one, 4) for one in row), strict=True)) for kind, row in rows}

    @cached_property
    def places(self) -> Floats:
        """Two coordinates of each kind, so that kinds with much in common lie close together (classical scaling)."""
        apart = (1 - self.matrix) ** 2
        centre = np.eye(len(self.kinds)) - 1 / len(self.kinds)
        values, vectors = np.linalg.eigh(-centre @ apart @ centre / 2)
        wide = np.sqrt(np.maximum(values[::-1][:2], 0))
        return np.asarray(vectors[:, ::-1][:, :2] * wide)


def theory(kinds: Sequence[str] = ()) -> Overlaps:
    """Compute the overlaps of kinds from the operations and the background that they share."""
    names = tuple(kinds or kinds_at_hand())
    return Overlaps(
        names, np.array([[overlap(*(find_kind(one).grammar for one in (a, b))) for b in names] for a in names])
    )


def overlap(first: Grammar, second: Grammar) -> float:
    """Return the overlap of two grammars, from 0 to 1."""
    shared = whole = 0.0
    for weight, held in ((OPERATION, _operations), (BACKGROUND, _facts)):
        one, two = held(first), held(second)
        shared += weight * len(one & two)
        whole += weight * len(one | two)
    return shared / whole if whole else 0.0


def _operations(grammar: Grammar) -> frozenset[str]:
    return frozenset(grammar.uses) - {"same"}


def _facts(grammar: Grammar) -> frozenset[str]:
    return frozenset(fact for use in grammar.uses.values() for fact in use.background)


def correlations(scores: Floats, kinds: Sequence[str]) -> Overlaps:
    """Compute the overlaps of kinds from people's scores in them, people × kinds."""
    return Overlaps(tuple(kinds), np.atleast_2d(np.corrcoef(scores.T)))


@dataclass(frozen=True)
class OverlapComparison:
    """Overlaps by theory beside overlaps by answers."""

    theory: Overlaps
    answers: Overlaps | None
    who: str
    factors: Mapping[str, Any]
    """What factor analysis found, or why nothing."""
    transfer: TransferMatrix | None = None
    """What lessons in one kind gain in another; None where no courses were taken."""

    @cached_property
    def disagree(self) -> list[dict[str, Any]]:
        """Pairs that rank otherwise by answers than by theory, the worst first."""
        if self.answers is None or len(self.theory.pairs) < 3:
            return []
        by_theory, by_answers = (_ranked(one.pairs) for one in (self.theory, self.answers))
        found = [
            {
                "kinds": list(pair),
                "theory": round(self.theory.pairs[pair], 4),
                "answers": round(self.answers.pairs[pair], 4),
                "more": "answers" if by_answers[pair] > rank else "theory",
                "by": round(abs(by_answers[pair] - rank), 4),
            }
            for pair, rank in by_theory.items()
            if abs(by_answers[pair] - rank) > DISAGREE
        ]
        return sorted(found, key=lambda one: -float(one["by"]))

    @cached_property
    def agreement(self) -> float | None:
        """The rank correlation of the two over pairs of kinds; None where there are too few."""
        return None if self.answers is None else self._agreement(self.answers.pairs)

    @property
    def _by_transfer(self) -> float | None:
        """The rank correlation of theory with gains from each other, over pairs of kinds."""
        taught = self.transfer
        if taught is None:
            return None
        return self._agreement({pair: taught.between(*pair) for pair in combinations(taught.kinds, 2)})

    def _agreement(self, pairs: Mapping[tuple[str, str], float]) -> float | None:
        from scipy.stats import spearmanr

        if len(pairs) < 3:
            return None
        found = float(spearmanr([self.theory.pairs[pair] for pair in pairs], list(pairs.values())).statistic)
        return found if found == found else None

    def as_json(self) -> dict[str, Any]:
        """Return `theory`, `factors`, `transfer` and `disagree`."""
        return {
            "weights": WEIGHTS,
            "theory": self.theory.as_json(),
            "factors": {"who": self.who, **self.factors},
            "answers": None if self.answers is None else self.answers.as_json(),
            "agreement": self.agreement,
            "transfer": None if self.transfer is None else {**self.transfer.as_json(), "agreement": self._by_transfer},
            "disagree": self.disagree,
        }

    @property
    def lines(self) -> list[str]:
        """Return what was found as lines of text."""
        pairs = sorted(self.theory.pairs.items(), key=lambda one: -one[1])
        told = [f"{a} and {b}: {value:.2f} by theory{self._answer(a, b)}" for (a, b), value in pairs]
        told.append(f"Answers of {self.who}: {self.factors['words']}")
        told += [] if self.transfer is None else [f"Transfer: {self.transfer.sentence} {HOW}"]
        return [*told, *(f"Disagree: {words}" for words in self._disagreements), WEIGHTS]

    @property
    def _disagreements(self) -> list[str]:
        return [f"{' and '.join(one['kinds'])} have more in common by {one['more']}." for one in self.disagree]

    def _answer(self, *pair: str) -> str:
        said = f", {self.answers.pairs[pair]:.2f} by answers" if self.answers is not None else ""  # type: ignore[index]
        taught = self.transfer is not None and {*pair} <= {*self.transfer.kinds}
        return f"{said}, {self.transfer.between(*pair):+.2f} by transfer" if taught else said  # type: ignore[union-attr]

    def exhibits(self) -> list[Exhibit]:
        """Show the matrix, the map and where the two disagree."""
        rows = [
            (a, b, value, None if self.answers is None else self.answers.pairs[a, b])
            for (a, b), value in sorted(self.theory.pairs.items(), key=lambda one: -one[1])
        ]
        words = f"{WEIGHTS} By answers: correlations of the scores of {self.who}. {self.factors['words']}"
        columns = ("kind", "other kind", "by theory", f"by answers of {self.who}")
        figure = Figure(self._map, "Map of kinds: the closer two lie, the more operations and background they share.")
        return [
            Exhibit(
                "What kinds have in common, by theory and by answers",
                words,
                columns,
                rows,
                [figure],
                self._disagreements,
            )
        ]

    def _map(self) -> Any:
        import altair

        points = [
            {"kind": kind, "x": float(x), "y": float(y)}
            for kind, (x, y) in zip(self.theory.kinds, self.theory.places, strict=True)
        ]
        base = altair.Chart(altair.InlineData(points)).encode(
            x=altair.X("x:Q", title=None, axis=None), y=altair.Y("y:Q", title=None, axis=None)
        )
        return (base.mark_circle(size=70) + base.mark_text(dy=-10).encode(text="kind:N")).properties(
            width=420, height=320
        )


def compare_overlaps(
    scores: Floats | None = None, *, kinds: Sequence[str] = (), who: str = SIMULATED
) -> OverlapComparison:
    """Set the theory of kinds beside the scores of people; of simulated ones where none are given."""
    by_theory = theory(kinds)
    given = simulated_scores(by_theory.kinds, np.random.default_rng(2016)) if scores is None else scores
    try:
        factors, answers = _factored(given, by_theory.kinds), correlations(given, by_theory.kinds)
    except MensuraError as error:
        return OverlapComparison(by_theory, None, who, {"words": str(error), "loadings": None})
    return OverlapComparison(by_theory, answers, who, factors)


def read_scores_of_people(path: Path) -> OverlapComparison:
    """Read a CSV with a column for each kind and a row of accuracies for each person, and set theory beside it."""
    rows = [row for _, row in read_table(path, ())]
    kinds = [name for name in (rows[0] if rows else {}) if name in PLACES]
    if len(kinds) < 3:
        raise BadFile(f"{path}: at least three columns must be kinds: {', '.join(PLACES)}.")
    try:
        scores = np.array([[float(row[kind] or "nan") for kind in kinds] for row in rows])
    except (TypeError, ValueError) as error:
        raise BadFile(f"{path}: accuracies are numbers from 0 to 1: {error}.") from None
    return compare_overlaps(scores[~np.isnan(scores).any(axis=1)], kinds=kinds, who=path.stem)


def simulated_scores(kinds: Sequence[str], rng: np.random.Generator, *, people: int = 300, items: int = 20) -> Floats:
    """Draw scores of simulated people: what each can do differs by type of rule, with something common to all.

    They stand for nobody. Families of operations, not single ones, carry their abilities, so that theory and answers
    can disagree.
    """
    families = sorted({OPERATIONS[name].family for kind in kinds for name in _operations(find_kind(kind).grammar)})
    able = 0.6 * rng.normal(size=(people, 1)) + 0.8 * rng.normal(size=(people, len(families)))
    needed = np.array(
        [
            [sum(OPERATIONS[name].family == one for name in _operations(find_kind(kind).grammar)) for one in families]
            for kind in kinds
        ],
        dtype=float,
    )
    needed /= np.maximum(needed.sum(axis=1, keepdims=True), 1)
    likely = 1 / (1 + np.exp(-1.7 * (able @ needed.T)))
    return np.asarray(rng.binomial(items, 0.25 + 0.75 * likely) / items)


def _factored(scores: Floats, kinds: Sequence[str]) -> dict[str, Any]:
    from mensura.stats.response.factors import factor_analysis

    found = factor_analysis(scores, names=kinds, rng=np.random.default_rng(2016))
    loadings = {
        kind: [{"value": one.value, "low": one.low, "high": one.high} for one in row]
        for kind, row in zip(found.scores, found.loadings, strict=False)
    }
    return {"words": found.sentence, "persons": found.persons, "loadings": loadings, "correlations": found.correlations}


def _ranked(pairs: Mapping[tuple[str, str], float]) -> dict[tuple[str, str], float]:
    """Return for each pair which share of the others lies below, those that are equal half."""
    values = np.array(list(pairs.values()))
    below = [(float((values < value).sum()) + 0.5 * (float((values == value).sum()) - 1)) for value in values]
    return dict(zip(pairs, (one / max(1, len(values) - 1) for one in below), strict=True))
