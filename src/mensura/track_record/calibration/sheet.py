"""Sheet: what one forecaster said and what happened, ready for calibration."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mensura.dialogue import Columns
from mensura.errors import BadData
from mensura.scores.alternatives import Floats, as_binary, as_distributions
from mensura.scores.rule import Rule

Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Block:
    """Forecasts that have equally many alternatives: one row each, with the alternative that happened."""

    probabilities: Floats
    outcomes: Indices
    questions: Indices
    weights: Floats | None = None
    """Share of each row in the score of its question, where forecasts have times; together at most one per question."""

    @property
    def happened(self) -> Floats:
        """One where the alternative happened, zero elsewhere."""
        marks = np.zeros(self.probabilities.shape)
        np.put_along_axis(marks, self.outcomes[:, np.newaxis], 1.0, axis=1)
        return marks

    def of(self, rows: NDArray[Any] | slice) -> "Block":
        """Keep the chosen rows, by places, by a mask or by a slice."""
        weights = None if self.weights is None else self.weights[rows]
        return Block(self.probabilities[rows], self.outcomes[rows], self.questions[rows], weights)


@dataclass(frozen=True)
class Points:
    """Every stated probability beside whether its event happened, with the question it belongs to."""

    stated: Floats
    happened: Floats
    clusters: "Clusters"

    def in_order(self) -> "Points":
        """Return the same points by what was stated, the least first."""
        if (self.stated[1:] >= self.stated[:-1]).all():
            return self
        order = np.argsort(self.stated)
        index = self.clusters.index[order]
        return Points(self.stated[order], self.happened[order], replace(self.clusters, index=index))

    def levels(self) -> Indices:
        """Return where each different statement begins; the points must be in order."""
        return np.flatnonzero(np.append(True, self.stated[1:] > self.stated[:-1])[: len(self.stated)])


@dataclass(frozen=True)
class Clusters:
    """Which question each row belongs to, numbered from zero without gaps."""

    index: Indices
    count: int


def number(questions: Indices) -> Clusters:
    """Number questions from zero; those that are in order, as in most files, need no sorting.

    >>> number(np.array([4, 4, 9])).index
    array([0, 0, 1])
    """
    if not len(questions):
        return Clusters(questions, 0)
    if (questions[1:] > questions[:-1]).all():
        return Clusters(np.arange(len(questions)), len(questions))
    if (questions[1:] >= questions[:-1]).all():
        index = np.concatenate([[0], np.cumsum(questions[1:] > questions[:-1])])
        return Clusters(index, int(index[-1]) + 1)
    kinds, index = np.unique(questions, return_inverse=True)
    return Clusters(index, len(kinds))


@dataclass(frozen=True)
class Sheet:
    """The forecasts of one forecaster: blocks by number of alternatives.

    A one-sided sheet states one probability per question, as in a file of `probability,outcome`: the other
    alternative is its complement for scoring, and is not a second point for calibration.

    >>> sheet = Sheet.binary([0.8, 0.3], [1, 0])
    >>> len(sheet), sheet.points().stated.tolist()
    (2, [0.8, 0.3])
    """

    blocks: tuple[Block, ...]
    one_sided: bool = False

    @classmethod
    def binary(cls, probability: ArrayLike, outcome: ArrayLike, *, question: ArrayLike | None = None) -> "Sheet":
        """Make a one-sided sheet from probabilities of events and whether they happened (1) or not (0)."""
        stated, happened = (part.ravel() for part in as_binary(probability, outcome))
        if np.isnan(stated).any() or np.isnan(happened).any():
            raise BadData("A sheet holds forecasts whose outcome is known; leave out those with NaN.")
        questions = np.arange(len(stated)) if question is None else np.asarray(question, dtype=np.int64)
        block = Block(np.stack([stated, 1 - stated], axis=1), (1 - happened).astype(np.int64), questions)
        return cls((block,), one_sided=True)

    @classmethod
    def alternatives(cls, forecasts: ArrayLike, outcome: ArrayLike, *, question: ArrayLike | None = None) -> "Sheet":
        """Make a sheet from distributions over equally many alternatives and the index of what happened."""
        stated = as_distributions(forecasts)
        stated = stated.reshape(-1, stated.shape[-1])
        outcomes = np.asarray(outcome, dtype=np.int64).ravel()
        questions = np.arange(len(stated)) if question is None else np.asarray(question, dtype=np.int64)
        return cls((Block(stated, outcomes, questions),))

    @classmethod
    def from_levels(cls, levels: ArrayLike, *, confirmed: ArrayLike, disconfirmed: ArrayLike) -> "Sheet":
        """Make a one-sided sheet from counts at each level, as the report tabulates them.

        >>> len(Sheet.from_levels([0.1, 0.9], confirmed=[1, 4], disconfirmed=[4, 1]))
        10
        """
        counts = np.stack([np.asarray(confirmed, dtype=int), np.asarray(disconfirmed, dtype=int)], axis=1).ravel()
        stated = np.repeat(np.asarray(levels, dtype=float), 2)
        return cls.binary(np.repeat(stated, counts), np.repeat(np.tile([1.0, 0.0], len(counts) // 2), counts))

    @classmethod
    def of(cls, pages: Sequence[Columns]) -> "Sheet":
        """Make a sheet of the columns of records, each answer about a different question."""
        ends = np.cumsum([len(page) for page in pages])
        places = (np.arange(end - len(page), end) for page, end in zip(pages, ends, strict=True))
        return cls(tuple(Block(page.value, page.truth, place) for page, place in zip(pages, places, strict=True)))

    @classmethod
    def of_answers(cls, answers: Iterable[tuple[Sequence[float], int]]) -> "Sheet":
        """Make a sheet of answers to one question each: shares and the place of the truth."""
        rows: dict[int, list[tuple[Sequence[float], int, int]]] = {}
        for number, answer in enumerate(answers):
            rows.setdefault(len(answer[0]), []).append((*answer, number))
        blocks = []
        for _, given in sorted(rows.items()):
            columns = [np.array(column) for column in zip(*given, strict=True)]
            blocks.append(Block(columns[0].astype(float), columns[1], columns[2]))
        return cls(tuple(blocks))

    def __len__(self) -> int:
        return sum(len(block.outcomes) for block in self.blocks)

    def __iter__(self) -> Iterator[Block]:
        return iter(self.blocks)

    @cached_property
    def questions(self) -> Indices:
        """The question of each forecast, in the order of the blocks."""
        return np.concatenate([block.questions for block in self.blocks]) if self.blocks else np.empty(0, np.int64)

    @cached_property
    def clusters(self) -> Clusters:
        """The questions numbered from zero."""
        return number(self.questions)

    @property
    def independent(self) -> bool:
        """Return whether every forecast is about another question."""
        return self.clusters.count == len(self.questions)

    def points(self) -> Points:
        """Return every stated probability as a point of the external validity graph."""
        width = 1 if self.one_sided else None
        clusters = self.clusters
        if not self.one_sided:
            sizes = np.concatenate([np.full(len(block.outcomes), block.probabilities.shape[1]) for block in self])
            clusters = replace(clusters, index=np.repeat(clusters.index, sizes))
        return Points(
            np.concatenate([block.probabilities[:, :width].ravel() for block in self]),
            np.concatenate([block.happened[:, :width].ravel() for block in self]),
            clusters,
        )

    def scores(self, rule: Rule) -> Floats:
        """Return the payoff of each forecast, in the order of the blocks."""
        return np.concatenate(
            [rule.score(forecast=block.probabilities, outcome=block.outcomes) for block in self.blocks]
        )

    @cached_property
    def weights(self) -> Floats:
        """The share of each forecast in its question, in the order of the blocks."""
        return np.concatenate(
            [np.ones(len(block.outcomes)) if block.weights is None else block.weights for block in self.blocks]
        )

    def mean(self, values: Iterable[Floats]) -> float:
        """Return the mean per question of values given by block; what has no weight does not count, even infinity."""
        total = 0.0
        for block, own in zip(self, values, strict=True):
            weights = block.weights
            total += float(own.sum() if weights is None else np.where(weights > 0, own, 0.0) @ weights)
        return total / self.whole

    @property
    def whole(self) -> float:
        """The sum of all shares: the number of questions where each has one forecast."""
        return float(sum(len(block.outcomes) if block.weights is None else block.weights.sum() for block in self))

    def with_probabilities(self, probabilities: Sequence[Floats]) -> "Sheet":
        """Copy the sheet with other probabilities in each block."""
        blocks = zip(self.blocks, probabilities, strict=True)
        return replace(self, blocks=tuple(replace(block, probabilities=new) for block, new in blocks))

    def only(self, chosen: NDArray[np.bool_]) -> "Sheet":
        """Copy the sheet with the chosen forecasts, given in the order of the blocks."""
        blocks, start = [], 0
        for block in self.blocks:
            part = chosen[start : start + len(block.outcomes)]
            start += len(block.outcomes)
            if part.any():
                blocks.append(block.of(part))
        return replace(self, blocks=tuple(blocks))
