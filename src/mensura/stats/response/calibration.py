"""Calibration: item parameters by marginal maximum likelihood, with standard errors."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mensura.stats.finding import Finding
from mensura.stats.intervals.sample import Floats
from mensura.stats.response.curves import Curves, ItemCurve
from mensura.stats.response.likelihood import NODES, STEEPEST, Marginal, bounded
from mensura.stats.response.responses import Calibratable, Model, ResponseMatrix, calibratable
from mensura.stats.wording import listed, several

CLOSE = 1e-6
"""The largest change of a parameter in a step after which nothing is expected to change any more."""
MOST_STEPS = 2000
BOUND = STEEPEST - 0.01
"""A slope from which on the answers do not bound it."""
FAR = 6.0
"""Difficulties beyond this lie where nobody is."""


@dataclass(frozen=True, eq=False)
class CalibratedItems(Finding):
    """The items of a matrix with their parameters."""

    model: Model
    items: Mapping[str, ItemCurve]
    """In the order of the matrix; those that were left out are not there."""
    left_out: Mapping[str, str]
    """Item → why it has no parameters."""
    persons: int
    loglik: float
    """Of the answers, abilities averaged out over a normal distribution; without the prior of c."""
    converged: bool
    steps: int
    remarks: tuple[str, ...]
    covariance: Floats
    """Of slope and intercept (and the logit of c) of each item in turn."""
    raw: Floats
    """Slope, intercept and, of 3pl, logit of c: items × parameters."""

    @property
    def curves(self) -> Curves:
        """The parameters as arrays."""
        return Curves.of(self.items.values())

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        end = "converged" if self.converged else "did NOT converge: read no parameter as an estimate"
        return (
            f"{several(len(self.items), 'item')} calibrated by the {self.model} model on "
            f"{several(self.persons, 'person')}; log likelihood {self.loglik:.2f}, {end} after "
            f"{several(self.steps, 'step')}."
        )


def calibrate(matrix: ResponseMatrix, *, model: Model = "2pl", norm: str = "", nodes: int = NODES) -> CalibratedItems:
    r"""Estimate item parameters by marginal maximum likelihood [1]_.

    Abilities are taken to be normal with mean 0 and standard deviation 1 among the persons, which fixes the scale. In
    the Rasch model all items share one slope, which is estimated: b times a is a difficulty in logits. The lower
    asymptotes of 3pl have a beta prior with parameters 5 and 17 (mode 0.2), without which few data sets tell them.
    Standard errors are those of the observed information [2]_; of b and c by the delta method. A missing answer is left
    out of the likelihood: that is right where it is missing for reasons that have nothing to do with the answer.

    Parameters
    ----------
    matrix : ResponseMatrix
        Persons × items, right or wrong.
    model : {"2pl", "rasch", "3pl"}
        How many parameters an item has.
    norm : str
        Who the persons are, in words; it is kept with each item.
    nodes : int
        At how many abilities from -6 to 6 the likelihood is computed.

    Raises
    ------
    BadData
        If there are too few persons or items; `mensura.stats.response.responses` has the rule.

    References
    ----------
    .. [1] Bock and Aitkin (1981), Psychometrika 46, 443-459.
    .. [2] Louis (1982), Journal of the Royal Statistical Society B 44, 226-233.
    """
    usable = calibratable(matrix, model=model)
    marginal = Marginal(usable.matrix.right, model=model, nodes=nodes)
    parameters, steps, converged = _highest(marginal)
    loglik = marginal.expect(parameters).log_likelihood
    covariance = _covariance(marginal, parameters)
    described = norm or f"{several(len(usable.matrix.persons), 'person')}: mean 0, standard deviation 1"
    curves = _curves(usable, parameters, covariance, model=model, norm=described)
    return CalibratedItems(
        model=model,
        items=curves,
        left_out=usable.left_out,
        persons=len(usable.matrix.persons),
        loglik=loglik,
        converged=converged,
        steps=steps,
        remarks=(*usable.remarks, *_doubts(curves, converged)),
        covariance=covariance,
        raw=parameters,
    )


def _highest(marginal: Marginal) -> tuple[Floats, int, bool]:
    """Climb by expectation and maximisation, extrapolated (SQUAREM, Varadhan and Roland 2008)."""

    def step(at: Floats) -> tuple[Floats, float]:
        expected = marginal.expect(at)
        return marginal.improve(at, expected), expected.log_likelihood + marginal.penalty(at)

    here = marginal.start
    for steps in range(1, MOST_STEPS + 1):
        first, _ = step(here)
        second, height = step(first)
        change, bend = first - here, second - 2 * first + here
        if np.abs(change).max() < CLOSE:
            return first, steps, True
        length = -max(1.0, float(np.sqrt((change**2).sum() / max((bend**2).sum(), 1e-300))))
        ahead = bounded(here - 2 * length * change + length**2 * bend)
        settled, reached = step(ahead)
        here = settled if reached >= height else second
    return here, MOST_STEPS, False


def _covariance(marginal: Marginal, parameters: Floats) -> Floats:
    """Invert the observed information; NaN where it is not positive definite."""
    information = marginal.information(parameters)
    if marginal.model == "rasch":
        # One slope for all items: the rows and columns of the single slopes are added up.
        items = len(parameters)
        spread = np.zeros((2 * items, 1 + items))
        spread[0::2, 0] = 1
        spread[1::2, 1:] = np.eye(items)
        return np.asarray(spread @ _inverse(spread.T @ information @ spread) @ spread.T)
    return _inverse(information)


def _inverse(information: Floats) -> Floats:
    try:
        np.linalg.cholesky(information)
        return np.asarray(np.linalg.inv(information))
    except np.linalg.LinAlgError:
        return np.full_like(information, np.nan)


def _curves(
    usable: Calibratable, parameters: Floats, covariance: Floats, *, model: Model, norm: str
) -> dict[str, ItemCurve]:
    kinds = parameters.shape[1]
    made = {}
    for place, name in enumerate(usable.matrix.items):
        slope, intercept = float(parameters[place, 0]), float(parameters[place, 1])
        own = covariance[place * kinds : (place + 1) * kinds, place * kinds : (place + 1) * kinds]
        difficulty = -intercept / slope if slope else float("nan")
        turn = np.array([-difficulty / slope, -1 / slope]) if slope else np.full(2, np.nan)
        # At the bound the likelihood still rises: its bend there is no measure of an error.
        if slope >= BOUND:
            turn, own = np.full(2, np.nan), np.full_like(own, np.nan)
        low, error = 0.0, float("nan")
        if model == "3pl":
            low = float(1 / (1 + np.exp(-parameters[place, 2])))
            error = float(low * (1 - low) * np.sqrt(own[2, 2]))
        made[name] = ItemCurve(
            model=model,
            a=slope,
            b=difficulty,
            c=low,
            se_a=float(np.sqrt(own[0, 0])),
            se_b=float(np.sqrt(turn @ own[:2, :2] @ turn)),
            se_c=error,
            persons=len(usable.matrix.persons),
            norm=norm,
        )
    return made


def _doubts(curves: Mapping[str, ItemCurve], converged: bool) -> list[str]:
    """Return which parameters should not be relied on."""
    said = []
    if not converged:
        said.append("The estimation did not converge: read no parameter as an estimate.")
    if turned := [name for name, one in curves.items() if one.a <= 0]:
        said.append(f"The abler a person, the less often right: {listed(turned)}. Check the key.")
    if steep := [name for name, one in curves.items() if one.a >= BOUND]:
        said.append(f"The answers do not bound the discrimination of {listed(steep)}.")
    if far := [name for name, one in curves.items() if one.a > 0 and abs(one.b) > FAR]:
        said.append(f"Nobody's ability is near the difficulty of {listed(far)}: it is an extrapolation.")
    return said
