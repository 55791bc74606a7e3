"""Persistence: only bias that stays over successive periods earns a suggested correction."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.scores.rule import rule
from mensura.track_record.calibration.correction import FLOOR, correct
from mensura.track_record.calibration.diagnosis import Diagnosis
from mensura.track_record.calibration.realism import Realism, fit_realism, shrink
from mensura.track_record.calibration.sheet import Sheet
from mensura.track_record.calibration.verdict import Bias, judge
from mensura.track_record.files.book import Book

FEWEST_PERIODS = 3


@dataclass(frozen=True)
class Persistence:
    """Realism period by period, and whether correcting by the past would have helped in the next."""

    lines: tuple[Realism, ...]
    gain: float
    """Mean gain per question (nats) in later periods from correcting by earlier ones."""
    probability: float
    """How often chance would show such a gain where there is none (one-sided)."""
    suggestion: Realism | None
    words: str

    def as_json(self) -> dict[str, Any]:
        """Return what persists as data."""
        advised = None if self.suggestion is None else {"a": self.suggestion.a, "b": self.suggestion.b}
        slopes = [line.a for line in self.lines]
        told = {"slopes": slopes, "gain": self.gain, "probability": self.probability}
        return told | {"suggestion": advised, "words": self.words}


def persistence_of(diagnosis: Diagnosis, book: Book, *, periods: int, floor: float) -> Persistence:
    """Split a forecaster's questions into periods with equally many questions each, and test what persists.

    Questions go by their time of resolution; where that is unknown, by their order in the file.
    """
    questions = diagnosis.calibrated.questions
    resolved = (
        book.resolved[questions] if len(book.resolved) > questions.max(initial=-1) else np.full(len(questions), np.nan)
    )
    when = np.where(np.isnan(resolved), questions, resolved)
    kinds, first = np.unique(questions, return_index=True)
    order = np.argsort(when[first], kind="stable")
    period = np.empty(len(kinds), dtype=np.int64)
    period[order] = np.arange(len(kinds)) * periods // max(1, len(kinds))
    of_row = period[np.searchsorted(kinds, questions)]
    sheets = [diagnosis.calibrated.only(of_row == k) for k in range(periods) if (of_row == k).any()]
    return persistence(sheets, floor=floor)


def persistence(periods: Sequence[Sheet], *, floor: float = FLOOR, level: float = 0.05) -> Persistence:
    """Test whether a bias persists: correct each period by the ones before it, and see whether the score rises.

    A correction is suggested only when there are three or more periods, the slope lies on the same side of one in
    each, and the gain in later periods is beyond chance (one-sided t test over questions). Stated probabilities are
    never replaced: the suggestion is given beside them.

    Parameters
    ----------
    periods : sequence of Sheet
        One sheet per period, in order of time.
    floor : float
        Smallest corrected probability; stated ones are compared under the same floor.
    level : float
        Largest chance of suggesting where correction by the past does not help.

    References
    ----------
    .. [1] Brown and Shuford (1973), RAND R-1185, pp. 22-23.
    """
    from scipy.special import stdtr

    lines = tuple(fit_realism(sheet) for sheet in periods)
    log = rule("log", floor=floor)
    gains, questions = [], []
    for i in range(1, len(periods)):
        past = shrink(fit_realism(_together(periods[:i])))
        corrected = correct(periods[i], past, floor=floor).sheet
        gains.append(corrected.scores(log) - periods[i].scores(log))
        questions.append(periods[i].questions)
    if len(periods) < FEWEST_PERIODS:
        words = f"{len(periods)} periods: bias must be seen in {FEWEST_PERIODS} before a correction is suggested."
        return Persistence(lines, _mean(gains), float("nan"), None, words)
    pooled, clusters = np.concatenate(gains), np.unique(np.concatenate(questions), return_inverse=True)[1]
    count = int(clusters.max()) + 1
    mean = float(pooled.mean())
    parts = np.bincount(clusters, weights=pooled - mean)
    error = float(np.sqrt(parts @ parts * count / (count - 1))) / len(pooled) if count > 1 else float("nan")
    probability = float(stdtr(count - 1, -mean / error)) if error > 0 else float("nan")
    slopes = np.array([line.a for line in lines])
    same_side = bool((slopes < 1).all() or (slopes > 1).all())
    if same_side and probability < level:
        whole = fit_realism(_together(periods))
        line = shrink(whole)
        sign = "−" if line.b < 0 else "+"
        words = (
            f"{_lasting(slopes, judge(whole).bias)}, and correcting by the past would have gained {mean:.3f} nats per "
            f"question. Suggested beside the stated value: {line.a:.2f} p {sign} {abs(line.b):.2f}."
        )
        return Persistence(lines, mean, probability, line, words)
    why = "the slope changes side" if not same_side else "correcting by the past would not have helped beyond chance"
    return Persistence(lines, mean, probability, None, f"No correction is suggested: {why}.")


def _lasting(slopes: np.ndarray, bias: Bias) -> str:
    """Return what the slopes of all periods have in common; bias is that of all periods together."""
    each = f"in each of {len(slopes)} periods"
    if (slopes > 1).all():
        return f"The forecaster undervalues {each}"
    if (slopes < 0).all():
        return f"The forecaster says the opposite of what happens {each}"
    if bias == "no relation":
        return f"The slope is below one {each}, no relation to what happens is shown"
    return f"The forecaster overvalues {each}"


def _together(periods: Sequence[Sheet]) -> Sheet:
    blocks = tuple(block for sheet in periods for block in sheet)
    return Sheet(blocks, one_sided=periods[0].one_sided)


def _mean(gains: list[np.ndarray]) -> float:
    return float(np.concatenate(gains).mean()) if gains else float("nan")
