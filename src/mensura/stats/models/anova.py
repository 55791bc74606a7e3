"""Analysis of variance: several groups, and several factors at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadData
from mensura.stats.estimate import Estimate, named, without_interval
from mensura.stats.finding import Finding
from mensura.stats.intervals.mean import mean_estimate
from mensura.stats.intervals.sample import check_level, groups_of, is_constant
from mensura.stats.models.columns import frame_of
from mensura.stats.wording import frequency, several, spoken


@dataclass(frozen=True, slots=True)
class Term(Finding):
    """What one factor, or an interaction of several, explains; `explained` is partial omega squared, 0 to 1."""

    name: str
    f: float
    freedom: float
    residual_freedom: float
    p: float
    explained: Estimate
    level: float

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        share = f"it explains {spoken(self.explained)} of the variance that other factors leave"
        chance = f"chance alone would give as much in {frequency(self.p)} such studies"
        if self.p <= 1 - self.level:
            return f"{self.name} makes a difference: {share}; were there none, {chance}."
        return f"The data do not show that {self.name} makes a difference: {share}, and {chance}."


@dataclass(frozen=True, slots=True)
class OneWay(Finding):
    """Whether several groups differ; `p` is Welch's, which allows for unequal spread, `p_equal` the classical F's."""

    means: dict[str, Estimate]
    f: float
    freedom: int
    residual_freedom: int
    p: float
    p_equal: float
    explained: Estimate
    level: float

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        share = f"groups explain {spoken(self.explained)} of the variance of {several(self.explained.n, 'value')}"
        chance = f"chance alone would give as much in {frequency(self.p)} such studies"
        order = sorted(self.means, key=lambda name: -self.means[name].value)
        if self.p <= 1 - self.level:
            ranks = ", ".join(f"{name} {self.means[name].value:.3g}" for name in order)
            return f"The groups differ ({ranks}): {share}; were there no difference, {chance}."
        return f"The data do not show that the {len(order)} groups differ: {share}, and {chance}."


@dataclass(frozen=True, slots=True)
class Factorial(Finding):
    """What each factor and each interaction explains."""

    terms: tuple[Term, ...]
    n: int
    dropped: int

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        left_out = f" {several(self.dropped, 'row')} with unknown values left out." if self.dropped else ""
        return " ".join(term.sentence for term in self.terms) + left_out


def one_way_anova(groups: Mapping[str, ArrayLike], *, level: float = 0.95) -> OneWay:
    r"""Test whether several groups differ.

    The share explained is :math:`\omega^2 = \lambda/(\lambda + n)` with :math:`\lambda = df (F - 1)`, at least 0; its
    interval that of the noncentrality of F, exact for normal values of equal spread (where groups do not differ at
    all it begins at 0 and covers 97.5 %).

    Parameters
    ----------
    groups : mapping
        The values of each group by its name; NaN is dropped, each needs two.
    level : float
        Confidence level.

    Returns
    -------
    OneWay
        With a sentence.

    References
    ----------
    .. [1] Welch (1951), Biometrika 38, 330-336. Steiger (2004), Psychological Methods 9, 164-182.

    Examples
    --------
    >>> found = one_way_anova({"a": [6, 8, 4, 5, 3, 4], "b": [8, 12, 9, 11, 6, 8], "c": [13, 9, 11, 8, 7, 12]})
    >>> round(found.f, 2), round(found.p_equal, 4)
    (9.26, 0.0024)
    """
    check_level(level)
    known = groups_of(groups)
    if all(is_constant(values) for values in known.values()):
        raise BadData("The values do not vary within any group, so chance variation cannot be estimated.")
    from scipy.stats import f_oneway
    from statsmodels.stats.oneway import anova_oneway

    classical = f_oneway(*known.values())
    steady = any(is_constant(values) for values in known.values())
    # Welch's weights are infinite for a group without spread; the classical test still stands there.
    welch = classical.pvalue if steady else anova_oneway(list(known.values()), use_var="unequal").pvalue
    n, freedom = sum(len(values) for values in known.values()), len(known) - 1
    explained = omega_squared(
        float(classical.statistic), freedom=freedom, residual_freedom=n - len(known), n=n, level=level
    )
    return OneWay(
        means={name: mean_estimate(values, level=level) for name, values in known.items()},
        f=float(classical.statistic),
        freedom=freedom,
        residual_freedom=n - len(known),
        p=float(welch),
        p_equal=float(classical.pvalue),
        explained=explained,
        level=level,
    )


def factorial_anova(
    columns: Mapping[str, Sequence[object]], *, outcome: str, factors: Sequence[str], level: float = 0.95
) -> Factorial:
    """Test what several crossed factors and their interactions explain.

    Ordinary least squares with contrasts that sum to zero and sums of squares of type III, so that each term is
    judged with all others in the model, whatever the sizes of the cells.

    Parameters
    ----------
    columns : mapping
        Columns of equal length by name, a pandas DataFrame also.
    outcome : str
        The column with the score; rows with an unknown value are left out and counted.
    factors : sequence of str
        The columns with the conditions; each combination must occur.
    level : float
        Confidence level.

    Returns
    -------
    Factorial
        One `Term` for each factor and interaction.

    Examples
    --------
    >>> data = {"score": [1, 2, 3, 4, 5, 7, 6, 9], "who": list("aaaabbbb"), "how": list("xyxyxyxy")}
    >>> [(term.name, round(term.p, 3)) for term in factorial_anova(data, outcome="score", factors=["who", "how"]).terms]
    [('who', 0.009), ('how', 0.124), ('who and how together', 0.452)]
    """
    check_level(level)
    if not factors:
        raise BadData("Name at least one factor.")
    frame, dropped = frame_of(columns, numeric=[outcome], labels=list(factors))
    for factor, column in zip(factors, frame.columns[1:], strict=True):
        if frame[column].nunique() < 2:
            raise BadData(f"The factor {factor!r} has one value only; a factor needs two.")
    cells = frame.groupby(list(frame.columns[1:]), observed=True).ngroups
    if cells < np.prod([frame[column].nunique() for column in frame.columns[1:]]):
        raise BadData("Some combinations of the factors never occur; leave out a factor or its rare values.")
    if len(frame) <= cells:
        raise BadData(f"There are {len(frame)} rows for {cells} combinations; at least one must occur twice.")
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    formula = f"{frame.columns[0]} ~ " + " * ".join(f"C({column}, Sum)" for column in frame.columns[1:])
    rows = anova_lm(ols(formula, frame).fit(), typ=3)
    residual = float(rows.loc["Residual", "df"])
    names = dict(zip((f"C({column}, Sum)" for column in frame.columns[1:]), factors, strict=True))
    terms = []
    for label, row in rows.drop(index=["Intercept", "Residual"]).iterrows():
        name = " and ".join(str(names[part]) for part in str(label).split(":"))
        explained = omega_squared(
            float(row["F"]), freedom=float(row["df"]), residual_freedom=residual, n=len(frame), level=level
        )
        name += " together" if ":" in str(label) else ""
        terms.append(Term(name, float(row["F"]), float(row["df"]), residual, float(row["PR(>F)"]), explained, level))
    return Factorial(tuple(terms), len(frame), dropped)


def omega_squared(f: float, *, freedom: float, residual_freedom: float, n: int, level: float = 0.95) -> Estimate:
    """Estimate from an F the share of variance explained, with the interval of its noncentrality.

    >>> print(omega_squared(9.26, freedom=2, residual_freedom=15, n=18))
    0.479 [0.118, 0.711] (n=18, noncentral F)
    """
    from scipy.special import fdtr, ncfdtrinc

    central = fdtr(freedom, residual_freedom, f)
    strength = max(freedom * (f - 1), 0.0)
    tails = ((1 + level) / 2, (1 - level) / 2)
    low, high = (float(ncfdtrinc(freedom, residual_freedom, tail, f)) if central > tail else 0.0 for tail in tails)
    if not low <= strength <= high:
        # The search for the noncentrality stops at ten thousand: beyond it the bounds would be those of the search.
        return without_interval(strength / (strength + n), n=n, reason="the effect is too large to invert noncentral F")
    method = named("noncentral F", level=level)
    return Estimate(strength / (strength + n), low / (low + n), high / (high + n), n, method)
