"""Standing: which forecast held when. Scores average over the planned time, calibration looks at moments of it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mensura.scores.alternatives import Floats
from mensura.track_record.calibration.sheet import Block, Sheet, number

MOST_POINTS = 2_000_000
ROWS = 8192
"""The most rows of a block: results of one stay in the processor's cache."""


@dataclass(frozen=True)
class Forecasts:
    """Forecasts over equally many alternatives, sorted by question and time; times are NaN where there are none."""

    probabilities: Floats
    outcomes: np.ndarray
    questions: np.ndarray
    times: Floats
    opened: Floats
    """When the question of each row opened, NaN where unknown."""
    resolved: Floats
    closes: Floats
    """When the question of each row was planned to end, known at its opening."""

    def spans(self) -> tuple[Floats, Floats]:
        """Return when each forecast began and ceased to stand; a revision ends the one before it."""
        following = np.where(self._last(), self.resolved, np.append(self.times[1:], np.nan)[: len(self.times)])
        begin = np.fmax(self.times, self.opened)
        return begin, np.maximum(np.fmin(following, np.fmin(self.resolved, self.closes)), begin)

    def _last(self) -> NDArray[np.bool_]:
        """Mark the last forecast of each question."""
        return np.append(self.questions[1:] != self.questions[:-1], True)[: len(self.questions)]

    def shares(self) -> Floats:
        r"""Return each forecast's share of the planned time of its question; without times the last has all of it.

        The score of a question is :math:`\sum_i w_i S(p_i, y)`: a forecast stands until it is revised or the question
        is resolved. Before the first forecast and after resolution ignorance's 0 counts, which no forecast enters.
        Dividing by the planned time, not by the time until resolution, keeps the average proper: whether a moment
        counts is known at that moment, so that one expects most from saying at each what one believes then.
        """
        timed = ~np.isnan(self.times) & ~np.isnan(self.resolved)
        if not timed.any():
            return self._last().astype(float)
        begin, end = self.spans()
        planned = self.closes - self.opened
        shares = np.divide(end - begin, planned, out=np.zeros(len(planned)), where=planned > 0)
        result: Floats = np.where(timed, shares, self._last())
        return result

    def coverage(self) -> Floats:
        """Return the share of each question's time from opening to resolution that had a forecast; NaN if unknown."""
        begin, end = self.spans()
        index = number(self.questions).index
        covered = np.bincount(index, weights=end - begin)
        whole = np.full(len(covered), np.nan)
        whole[index] = np.fmin(self.resolved, self.closes) - self.opened
        result: Floats = np.divide(covered, whole, out=np.full(len(covered), np.nan), where=whole > 0)
        return result

    def moments(self, every: float) -> np.ndarray:
        """Count the scheduled moments, `every` apart from opening on, at which each forecast stands."""
        begin, end = self.spans()
        timed = ~np.isnan(begin) & ~np.isnan(end)
        opened = np.where(np.isnan(self.opened), begin, self.opened)
        with np.errstate(invalid="ignore"):
            counts = np.ceil((end - opened) / every) - np.ceil((begin - opened) / every)
        return np.where(timed, counts, 1).astype(np.int64)


def scored_sheet(groups: list[Forecasts], *, one_sided: bool = False) -> Sheet:
    """Make the sheet that is scored: every forecast that stood, with its share of the question's planned time."""
    blocks = []
    for forecasts in groups:
        shares = forecasts.shares()
        kept = shares > 0
        weights = shares if (shares[kept] < 1).any() else None
        block = Block(forecasts.probabilities, forecasts.outcomes, forecasts.questions, weights)
        blocks.append(block if kept.all() else block.of(kept))
    return _sheet(blocks, one_sided)


def first_sheet(groups: list[Forecasts], *, one_sided: bool = False) -> Sheet:
    """Make the sheet of the first forecast on each question.

    Of these alone the stated probabilities are those of what happens, whenever the question came to be resolved: that a
    later forecast was made at all tells that nothing had happened until then.
    """
    blocks = []
    for forecasts in groups:
        rows = np.unique(forecasts.questions, return_index=True)[1]
        blocks.append(Block(forecasts.probabilities[rows], forecasts.outcomes[rows], forecasts.questions[rows]))
    return _sheet(blocks, one_sided)


def calibrated_sheet(groups: list[Forecasts], *, every: float, one_sided: bool = False) -> Sheet:
    """Make the sheet that is calibrated: the forecast standing at each scheduled moment while the question is open.

    Moments are fixed by the opening of a question, not by when it came to be resolved. A realistic forecaster is
    right on average at each of them, also when questions resolve early because they came true.
    """
    blocks = []
    for forecasts in groups:
        counts = forecasts.moments(every)
        block = Block(forecasts.probabilities, forecasts.outcomes, forecasts.questions)
        blocks.append(block if (counts == 1).all() else block.of(np.repeat(np.arange(len(counts)), counts)))
    return _sheet(blocks, one_sided)


def _sheet(blocks: list[Block], one_sided: bool) -> Sheet:
    parts = (block.of(slice(at, at + ROWS)) for block in blocks for at in range(0, len(block.outcomes), ROWS))
    return Sheet(tuple(parts), one_sided=one_sided)


def default_interval(opened: Floats, closes: Floats, *, forecasters: int = 1) -> float:
    """Choose how far apart scheduled moments are: one day or unit, less where questions are shorter, never too many."""
    lengths = closes - opened
    lengths = lengths[lengths > 0]
    if not len(lengths):
        return 1.0
    return float(max(min(1.0, lengths.min() / 2), lengths.sum() * forecasters / MOST_POINTS))
