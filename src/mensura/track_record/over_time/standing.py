"""Standing: which forecast held when. Scores are averages over time, calibration looks at scheduled moments."""

from dataclasses import dataclass

import numpy as np

from mensura.scores.alternatives import Floats
from mensura.track_record.calibration.sheet import Block, Sheet, number

MOST_POINTS = 2_000_000


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

    def spans(self) -> tuple[Floats, Floats]:
        """Return when each forecast began and ceased to stand; a revision ends the one before it."""
        same = np.concatenate([self.questions[1:] == self.questions[:-1], [False]]) if len(self.times) else np.empty(0)
        following = np.where(same, np.append(self.times[1:], np.nan), self.resolved)
        begin = np.fmax(self.times, self.opened)
        return begin, np.maximum(np.fmin(following, self.resolved), begin)

    def shares(self) -> Floats:
        """Return each forecast's share of the time its question was covered; zero for what never stood."""
        begin, end = self.spans()
        timed = ~np.isnan(self.times) & ~np.isnan(self.resolved)
        last = np.concatenate([self.questions[1:] != self.questions[:-1], [True]]) if len(self.times) else np.empty(0)
        lengths = np.where(timed, end - begin, last.astype(float))
        index = number(self.questions).index
        totals = np.bincount(index, weights=lengths)[index]
        return np.divide(lengths, totals, out=np.zeros(len(lengths)), where=totals > 0)

    def coverage(self) -> Floats:
        """Give, per question, the share of its time from opening to resolution that had a forecast; NaN if unknown."""
        begin, end = self.spans()
        index = number(self.questions).index
        covered = np.bincount(index, weights=end - begin)
        whole = np.full(len(covered), np.nan)
        whole[index] = self.resolved - self.opened
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
    """Make the sheet that is scored: every forecast that stood, with its share of the question's time."""
    blocks = []
    for forecasts in groups:
        shares = forecasts.shares()
        kept = shares > 0
        weights = shares if (shares[kept] < 1).any() else None
        block = Block(forecasts.probabilities, forecasts.outcomes, forecasts.questions, weights)
        block = block if kept.all() else block.of(kept)
        if len(block.outcomes):
            blocks.append(block)
    return Sheet(tuple(blocks), one_sided=one_sided)


def calibrated_sheet(groups: list[Forecasts], *, every: float, one_sided: bool = False) -> Sheet:
    """Make the sheet that is calibrated: the forecast standing at each scheduled moment while the question is open.

    Moments are fixed by the opening of a question, not by when it came to be resolved. A realistic forecaster is
    right on average at each of them, also when questions resolve early because they came true.
    """
    blocks = []
    for forecasts in groups:
        counts = forecasts.moments(every)
        block = Block(forecasts.probabilities, forecasts.outcomes, forecasts.questions)
        if counts.any():
            blocks.append(block if (counts == 1).all() else block.of(np.repeat(np.arange(len(counts)), counts)))
    return Sheet(tuple(blocks), one_sided=one_sided)


def default_interval(opened: Floats, resolved: Floats, *, forecasters: int = 1) -> float:
    """Choose how far apart scheduled moments are: one day or unit, less where questions are shorter, never too many."""
    lengths = resolved - opened
    lengths = lengths[lengths > 0]
    if not len(lengths):
        return 1.0
    return float(max(min(1.0, lengths.min() / 2), lengths.sum() * forecasters / MOST_POINTS))
