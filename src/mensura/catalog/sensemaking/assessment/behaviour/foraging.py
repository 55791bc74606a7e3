"""Task 7: do subjects buy information when they are surprised? (Appendix A: self-initiated sensemaking)"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.assessment.mean import mean_estimate
from mensura.catalog.sensemaking.assessment.skill import truth_index
from mensura.catalog.sensemaking.exam.model import Exam, WaveTask
from mensura.catalog.sensemaking.people.respondents import Respondents, layer_of
from mensura.catalog.sensemaking.solving.distribution import floor
from mensura.catalog.sensemaking.solving.waves import solve_waves
from mensura.stats.estimate import Estimate


@dataclass(frozen=True)
class Foraging:
    """What was bought, and how surprising what had just happened was when it was, and when it was not.

    Surprise is in bits, :math:`-\\log_2` of the chance the attacked site had: in the subject's own judgement, and in
    the normative one. A difference is the mean over subjects of (surprise on trials after which they bought, minus
    surprise on the others), for subjects who did both. Credits run out, so purchases fall from trial to trial whatever
    happens; `within_trials` takes each trial's mean surprise away first, and so compares people on the same trial.
    """

    rate: Estimate
    own_difference: Estimate
    normative_difference: Estimate
    within_trials: Estimate
    rate_by_trial: NDArray[np.float64]
    normative_bits: NDArray[np.float64]
    bought: dict[str, int]

    @property
    def sentence(self) -> str:
        """Return what it comes to."""
        found = self.within_trials
        if np.isnan(found.low):
            return "Too few subjects both bought and did not buy for a comparison."
        if found.low > 0:
            return f"Subjects buy when they are surprised: {found.value:.2f} bits more before a purchase ({found})."
        if found.high < 0:
            return (
                f"Subjects buy when they are not surprised: {-found.value:.2f} bits less before a purchase ({found})."
            )
        return f"Purchases do not follow surprise beyond chance ({found})."

    def as_json(self) -> dict[str, Any]:
        """Return the analysis as JSON."""
        return asdict(self) | {"sentence": self.sentence}


def foraging(exam: Exam, respondents: Respondents) -> Foraging | None:
    """Compare surprise before purchases with surprise when nothing was bought; None without Task 7.

    The last trial is left out: nothing can be gained by buying after it.
    """
    task, data = exam.tasks.get(7), respondents.tasks.get(7)
    if not isinstance(task, WaveTask) or data is None:
        return None
    truth = truth_index(exam, 7)
    taken = np.asarray(np.isfinite(data.allocation).all(axis=2))
    taken[:, -1] = False
    bought: NDArray[np.bool_] = np.asarray((data.layers >= 0).any(axis=2) & taken)
    sites = floor(data.stages[:, :, 1])
    own = -np.log2(np.take_along_axis(sites, np.maximum(truth, 0)[None, :, None], axis=2)[..., 0])
    normative = np.full(own.shape, np.nan)
    tables: dict[int, NDArray[np.float64]] = {}
    for subject in np.flatnonzero(taken.any(axis=1)):
        purchases = [
            [layer for layer in (layer_of(int(code)) for code in codes) if layer is not None]
            for codes in data.layers[subject]
        ]
        normative[subject] = [
            step.surprise_bits for step in solve_waves(exam, purchases=purchases, tables=tables, gains=False)
        ]
    who = taken.any(axis=1)
    counts: dict[str, int] = {}
    for code, count in zip(*np.unique(data.layers[data.layers >= 0], return_counts=True), strict=True):
        counts[str(layer_of(int(code)))] = int(count)
    return Foraging(
        rate=mean_estimate(np.array([b[t].mean() for b, t in zip(bought[who], taken[who], strict=True)])),
        own_difference=_difference(own, bought, taken),
        normative_difference=_difference(normative, bought, taken),
        within_trials=_difference(own - _mean(own[who]), bought, taken),
        rate_by_trial=bought.sum(axis=0) / np.maximum(taken.sum(axis=0), 1),
        normative_bits=_mean(normative[who]),
        bought=counts,
    )


def _mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(values.mean(axis=0)) if len(values) else np.full(values.shape[1], np.nan)


def _difference(bits: NDArray[np.float64], bought: NDArray[np.bool_], taken: NDArray[np.bool_]) -> Estimate:
    own = []
    for row, yes, there in zip(bits, bought, taken, strict=True):
        with_purchase, without = row[yes & np.isfinite(row)], row[~yes & there & np.isfinite(row)]
        if len(with_purchase) and len(without):
            own.append(with_purchase.mean() - without.mean())
    return mean_estimate(np.array(own))
