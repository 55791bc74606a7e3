"""Rules: how a report is paid, as one table of payoffs per report."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadParameter, unknown
from mensura.scores.absolute import absolute_payoffs
from mensura.scores.alternatives import Floats, as_distributions, realised
from mensura.scores.betting import betting_payoffs
from mensura.scores.formula import formula
from mensura.scores.logarithmic import logarithmic_payoffs
from mensura.scores.quadratic import quadratic_payoffs
from mensura.scores.spherical import spherical_payoffs

NAMES = ("log", "quadratic", "spherical", "absolute")


@dataclass(frozen=True)
class Rule:
    """A way of paying for probabilities; every rule pays ignorance nothing.

    >>> rule("quadratic").score(forecast=[[0.5, 0.3, 0.2]], outcome=[0]).round(6)
    array([0.143333])
    """

    name: str
    table: Callable[[ArrayLike], Floats]
    proper: bool = True

    def payoffs(self, forecast: ArrayLike) -> Floats:
        """Return the payoff if each alternative happens: the table a person should see before answering."""
        return self.table(forecast)

    def score(self, *, forecast: ArrayLike, outcome: ArrayLike) -> Floats:
        """Return the payoff at what happened; NaN where that is unknown."""
        return realised(self.table(forecast), outcome)

    def expected(self, *, belief: ArrayLike, report: ArrayLike) -> Floats:
        r"""Return what a believer of p expects from reporting q, :math:`H(p, q) = \sum_i p_i f_i(q)`.

        What is believed impossible costs nothing, however it would be paid.

        >>> rule("log").expected(belief=[1.0, 0.0], report=[1.0, 0.0]).round(6)
        np.float64(0.693147)
        """
        beliefs = as_distributions(belief)
        payoffs = self.table(report)
        with np.errstate(invalid="ignore"):
            result: Floats = np.where(beliefs == 0, 0.0, beliefs * payoffs).sum(axis=-1)
            return result

    def gain(self, belief: ArrayLike) -> Floats:
        """Return the expected payoff of reporting what is believed: the curve that rewards more information.

        >>> rule("quadratic", normalised=True).gain([[0.5, 0.5], [0.75, 0.25], [1.0, 0.0]])
        array([0.  , 0.25, 1.  ])
        """
        return self.expected(belief=belief, report=belief)


def rule(name: str, *, floor: float = 0.0, normalised: bool = False) -> Rule:
    """Return a rule by name: log, quadratic, spherical, absolute (improper), or "phi:" and a formula in u.

    Parameters
    ----------
    name : str
        Name of the rule; `phi:u*(1-u)` is the betting house with that density of wagers.
    floor : float
        Smallest probability the logarithm pays for (0: certain error costs infinity). Only for `log`.
    normalised : bool
        Scale payoffs so that certainty pays 1; ignorance pays 0 already.

    Examples
    --------
    >>> rule("phi:u*(1-u)").payoffs([0.5, 0.3, 0.2]).round(6)
    array([ 0.090185, -0.029815, -0.104815])
    >>> rule("log", normalised=True).payoffs([1.0, 0.0])
    array([  1., -inf])
    """
    if floor and name != "log":
        raise BadParameter(f"A floor belongs to the logarithmic rule; {name!r} takes none.")
    made = _named(name, floor)
    return _normalised(made) if normalised else made


def _named(name: str, floor: float) -> Rule:
    if name == "log":
        words = f"log, floor {floor:g}" if floor else "log"
        return Rule(words, partial(logarithmic_payoffs, floor=floor))
    if name == "quadratic":
        return Rule(name, quadratic_payoffs)
    if name == "spherical":
        return Rule(name, spherical_payoffs)
    if name == "absolute":
        return Rule(name, absolute_payoffs, proper=False)
    if name.startswith("phi:"):
        return _from_formula(name)
    raise unknown("rule", name, known=NAMES, see="Rules are log, quadratic, spherical, absolute and phi:FORMULA.")


def _from_formula(name: str) -> Rule:
    density = formula(name.removeprefix("phi:"))
    # The two classic densities have closed forms: exact, and many times faster than quadrature.
    probe = np.linspace(0.01, 1, 100)
    if np.array_equal(density(probe), np.ones(100)):
        return Rule(name, logarithmic_payoffs)
    if np.array_equal(density(probe), probe):
        return Rule(name, quadratic_payoffs)
    return Rule(name, partial(betting_payoffs, density=density))


def _normalised(plain: Rule) -> Rule:
    def table(forecast: ArrayLike) -> Floats:
        payoffs = plain.table(forecast)
        certainty = np.eye(payoffs.shape[-1])[0]
        result: Floats = payoffs / plain.table(certainty)[0]
        return result

    return Rule(f"{plain.name}, normalised", table, proper=plain.proper)
