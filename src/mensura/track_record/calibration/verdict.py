"""Verdict: what a realism function shows of a forecaster's bias, in words and only where the data support it."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from mensura.track_record.calibration.realism import Realism

Bias = Literal["overvalues", "no relation", "inverted", "undervalues", "none shown", "unknown"]
SLOPE_BELOW_ONE: tuple[Bias, ...] = ("overvalues", "no relation", "inverted")

FEWEST = 10


@dataclass(frozen=True)
class Verdict:
    """The verdict on a forecaster's bias."""

    bias: Bias
    probability: float
    """How often chance alone would move a realist's slope so far from one, in either direction."""
    words: str


def judge(line: Realism, *, level: float = 0.05) -> Verdict:
    """Return whether the slope differs from one by more than chance would move a perfectly realistic assessor's.

    Where every question is answered once the chance is that of the stated probabilities themselves; where forecasts
    were revised it is estimated from what happened less what was stated, question by question.

    Of a slope below one, only one whose interval lies above zero is called overvaluing. Where the interval holds zero,
    no relation to what happens is shown; where it lies below zero, the statements are inverted.

    References
    ----------
    .. [1] Brown and Shuford (1973), RAND R-1185, p. 14.

    Examples
    --------
    >>> from mensura.track_record.calibration.realism import fit_realism
    >>> from mensura.track_record.calibration.sheet import Sheet
    >>> judge(fit_realism(Sheet.binary([0.95] * 20 + [0.05] * 20, [1, 0] * 20))).bias
    'no relation'
    """
    if np.isnan(line.a):
        return Verdict("unknown", float("nan"), "All stated probabilities are equal: nothing can be said of the slope.")
    if line.questions < FEWEST:
        few = "One question is" if line.questions == 1 else f"{line.questions} questions are"
        return Verdict("unknown", float("nan"), f"{few} too few to speak of bias; {FEWEST} are the least.")
    probability = _two_sided(line.z, line.freedom)
    slope = f"slope {line.slope}, {line.questions} questions"
    level_words = _level(line, level)
    if not probability < level:
        words = f"Neither over- nor undervaluing is shown ({slope}); a realist would often show as much."
        return Verdict("none shown", probability, words + level_words)
    low, high = line.low, line.high
    if np.isnan(low):  # Revised forecasts of few questions may have no interval, but a standard error.
        low, high = line.a - 2 * line.a_se, line.a + 2 * line.a_se
    if high < 0:
        words = "Inverted: what is called likely happens less often than what is called unlikely"
        return Verdict("inverted", probability, f"{words} ({slope}).{level_words}")
    if low <= 0:
        words = "No relation to what happens is shown: the stated probabilities may be worthless"
        return Verdict("no relation", probability, f"{words} ({slope}).{level_words}")
    if line.a < 1:
        words = "Overvalues the information: what is called likely happens less often, what is called unlikely more"
        return Verdict("overvalues", probability, f"{words} ({slope}).{level_words}")
    words = "Undervalues the information: stated probabilities could be bolder"
    return Verdict("undervalues", probability, f"{words} ({slope}).{level_words}")


def is_off_level(line: Realism, *, level: float = 0.05) -> bool:
    """Return whether the stated events are shown to come true more or less often than stated on the whole."""
    return _two_sided(line.offset_z, line.freedom) < level


def _level(line: Realism, level: float) -> str:
    if not is_off_level(line, level=level):
        return ""
    size = f"{100 * line.centre:.1f} % were stated on average, {100 * (line.centre + line.offset):.1f} % happened"
    return f" States too {'little' if line.offset > 0 else 'much'} on the whole: {size}."


def _two_sided(z: float, freedom: float) -> float:
    from scipy.special import ndtr, stdtr

    if np.isnan(z) or np.isnan(freedom):
        return float("nan")
    return float(2 * (ndtr(-abs(z)) if np.isinf(freedom) else stdtr(freedom, -abs(z))))
