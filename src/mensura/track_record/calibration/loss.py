"""Loss: what bias costs, what ignorance costs, and how much a forecaster knew and thought he knew. All in nats."""

from dataclasses import dataclass

import numpy as np

from mensura.scores.alternatives import Floats
from mensura.scores.divergence import information
from mensura.scores.rule import rule
from mensura.track_record.calibration.sheet import Block, Sheet

LOG = rule("log")


@dataclass(frozen=True)
class LossParts:
    """Means per question in nats, of the logarithmic rule.

    The stated score falls short of certainty by labelling + sorting loss.
    """

    labelling: float
    sorting: float
    perceived_information: float
    actual_information: float
    log_likelihood_ratio: float
    """Total over all questions: how much better the corrected probabilities describe what happened."""


def losses(sheet: Sheet, corrected: Sheet) -> LossParts:
    """Split the loss in score into labelling error (bias) and sorting error (ignorance).

    Labelling loss is the corrected less the stated score; it can be negative, for least squares is optimal for the
    quadratic rule and not for the logarithm. It is infinite where what happened was given probability zero.

    References
    ----------
    .. [1] Brown and Shuford (1973), RAND R-1185, pp. 18-22.

    Examples
    --------
    >>> sheet = Sheet.binary([0.5, 0.5], [1, 0])
    >>> losses(sheet, sheet).labelling
    0.0
    """
    better = [_score(block) for block in corrected]
    # Certain error both before and after costs infinity twice; the difference is unknown, not zero.
    with np.errstate(invalid="ignore"):
        labelling = sheet.mean(new - _score(block) for block, new in zip(sheet, better, strict=True))
    perfect = (np.log(block.probabilities.shape[1]) for block in sheet)
    return LossParts(
        labelling=labelling,
        sorting=sheet.mean(most - new for most, new in zip(perfect, better, strict=True)),
        perceived_information=mean_information(sheet),
        actual_information=mean_information(corrected),
        log_likelihood_ratio=labelling * sheet.whole,
    )


def mean_information(sheet: Sheet) -> float:
    """Return the mean information per question that the probabilities claim, log n less entropy."""
    return sheet.mean(information(block.probabilities) for block in sheet)


def _score(block: Block) -> Floats:
    return LOG.score(forecast=block.probabilities, outcome=block.outcomes)
