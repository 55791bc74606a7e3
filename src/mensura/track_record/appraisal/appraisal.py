"""Appraisal: how a new report fits what was believed before, and whom it suits."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadParameter
from mensura.scores.alternatives import as_distributions
from mensura.scores.rule import rule
from mensura.track_record.appraisal.admiralty import is_reliable
from mensura.track_record.calibration.diagnosis import Diagnosis

FLOOR = 0.01
STRONG = 0.25
"""Share of what certainty pays from which an appraisal counts as strong."""

Fit = Literal["definite and consistent", "vague", "definite and at variance"]


@dataclass(frozen=True)
class Appraisal:
    """The score a report would expect if what was believed before were right."""

    value: float
    """H(p, q) in nats; positive fits, near zero is vague, negative is at variance."""
    share: float
    """The same in units of what certainty pays, log n."""
    fit: Fit
    reliable: bool | None
    """Whether the letter of the source's record is A, B or C; None where there is no record, or the letter is F."""
    flag: str
    """"reliable source, strongly at variance" where attention is due, empty elsewhere."""


def appraise(
    *, believed: ArrayLike, report: ArrayLike, source: Diagnosis | None = None, floor: float = FLOOR
) -> Appraisal:
    r"""Appraise a report q against what was believed, p: :math:`H(p, q) = \sum_i p_i f_i(q)` by the logarithmic rule.

    A reliable source that is strongly at variance with what is believed deserves special attention: it may be a
    considerable step forward.

    Parameters
    ----------
    believed : array_like
        Probabilities of the alternatives before the report.
    report : array_like
        Probabilities the source gives.
    source : Diagnosis, optional
        The record of the source.
    floor : float
        Smallest probability the rule pays for, so that no report is appraised at minus infinity.

    References
    ----------
    .. [1] Brown and Shuford (1973), RAND R-1185, p. 30.

    Examples
    --------
    >>> appraisal = appraise(believed=[0.9, 0.1], report=[0.1, 0.9])
    >>> round(appraisal.value, 3), appraisal.fit
    (-1.39, 'definite and at variance')
    """
    before, said = as_distributions(believed), as_distributions(report)
    if before.shape != said.shape or before.ndim != 1:
        raise BadParameter("Belief and report are probabilities of the same alternatives of one question.")
    value = float(rule("log", floor=floor).expected(belief=before, report=said))
    share = value / float(np.log(len(before)))
    fit: Fit = "vague"
    if share >= STRONG:
        fit = "definite and consistent"
    elif share <= -STRONG:
        fit = "definite and at variance"
    reliable = is_reliable(source) if source is not None else None
    flag = "reliable source, strongly at variance" if reliable and fit == "definite and at variance" else ""
    return Appraisal(value, share, fit, reliable, flag)


@dataclass(frozen=True)
class Coherence:
    """A test of whether a report fits a known deception channel better than what all channels show."""

    with_deception: float
    with_all: float
    suspicious: bool
    words: str


def coherence(*, report: ArrayLike, deception: ArrayLike, all_channels: ArrayLike, floor: float = FLOOR) -> Coherence:
    """Compare a report's appraisal against a channel known to deceive with that against all channels together.

    A report that fits the deception better is suspicious, also where it fits neither: a bold report scores below zero
    against both.

    References
    ----------
    .. [1] Brown and Shuford (1973), RAND R-1185, p. 31.

    Examples
    --------
    >>> coherence(report=[0.9, 0.1], deception=[0.8, 0.2], all_channels=[0.3, 0.7]).suspicious
    True
    """
    fits_deception = appraise(believed=deception, report=report, floor=floor).value
    fits_all = appraise(believed=all_channels, report=report, floor=floor).value
    suspicious = fits_deception > fits_all
    words = (
        "The report fits what the deceiver wants believed better than what all channels show: it may be controlled."
        if suspicious
        else "The report does not fit the deception better than it fits all channels."
    )
    return Coherence(fits_deception, fits_all, suspicious, words)
