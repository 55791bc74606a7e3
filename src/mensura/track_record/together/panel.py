"""Panel: the same questions answered by several forecasters, some answers missing."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mensura.errors import BadData
from mensura.scores.alternatives import Floats, realised
from mensura.scores.rule import Rule
from mensura.track_record.files.book import Book


@dataclass(frozen=True)
class PanelBlock:
    """Questions with equally many alternatives: probabilities by question, forecaster and alternative."""

    probabilities: Floats
    """NaN where a forecaster did not answer."""
    outcomes: NDArray[np.int64]


@dataclass(frozen=True)
class Panel:
    """Forecasters and their answers, in blocks by number of alternatives."""

    forecasters: tuple[str, ...]
    blocks: tuple[PanelBlock, ...]

    @classmethod
    def binary(cls, forecasters: Sequence[str], probabilities: Floats, outcomes: Floats) -> "Panel":
        """Make a panel from probabilities of events (questions by forecasters) and whether they happened."""
        stated = np.asarray(probabilities, dtype=float)
        both = np.stack([stated, 1 - stated], axis=2)
        return cls(tuple(forecasters), (PanelBlock(both, 1 - np.asarray(outcomes, dtype=np.int64)),))

    @classmethod
    def from_book(cls, book: Book) -> "Panel":
        """Take each forecaster's last forecast of each question of a book."""
        blocks = []
        for page in book.pages:
            questions, rows = np.unique(page.key, return_inverse=True)
            table = np.full((len(questions), len(book.forecasters), page.value.shape[1]), np.nan)
            order = np.argsort(page.time, kind="stable")
            # Later forecasts overwrite earlier ones.
            table[rows[order], page.subject[order]] = page.value[order]
            outcomes = np.zeros(len(questions), dtype=np.int64)
            outcomes[rows] = page.truth
            blocks.append(PanelBlock(table, outcomes))
        return cls(tuple(book.forecasters), tuple(blocks))

    def __len__(self) -> int:
        return sum(len(block.outcomes) for block in self.blocks)

    def scores(self, rule: Rule) -> Floats:
        """Return scores by question and forecaster, NaN where there was no answer; infinite ones are refused."""
        parts = []
        for block in self.blocks:
            answered = ~np.isnan(block.probabilities[:, :, 0])
            table = np.full(answered.shape, np.nan)
            outcomes = np.broadcast_to(block.outcomes[:, np.newaxis], answered.shape)[answered]
            table[answered] = realised(rule.payoffs(block.probabilities[answered]), outcomes)
            parts.append(table)
        whole = np.concatenate(parts)
        if np.isinf(whole).any():
            raise BadData(
                "Somebody gave probability zero to what happened, and the rule pays that with minus infinity: "
                "compare by the quadratic rule, or by the logarithm with a floor."
            )
        return whole
