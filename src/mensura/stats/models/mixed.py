"""Mixed models: effects across people or scenarios that each have a level of their own."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.errors import BadData
from mensura.stats.estimate import Estimate, named
from mensura.stats.finding import Finding
from mensura.stats.intervals.sample import check_level
from mensura.stats.models.columns import frame_of
from mensura.stats.wording import frequency, several, spoken

LEAST_GROUPS = 5


@dataclass(frozen=True, slots=True)
class Mixed(Finding):
    """Fixed effects and p-values by name; `between` is the share of the variance that lies between groups."""

    effects: dict[str, Estimate]
    p: dict[str, float]
    between: float
    groups: int
    n: int
    dropped: int
    converged: bool
    level: float

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        parts = [self._said(name) for name in self.effects if name != "intercept"]
        left_out = f" {several(self.dropped, 'row')} with unknown values left out." if self.dropped else ""
        doubt = "" if self.converged else " The fit did not settle: do not rely on it."
        head = f"Across {several(self.groups, 'group')} ({several(self.n, 'row')}), with their own levels allowed for:"
        return f"{head} {' '.join(parts)}{left_out}{doubt}"

    def _said(self, name: str) -> str:
        shown = "makes a difference of" if self.p[name] <= 1 - self.level else "is not shown to make a difference:"
        return (
            f"{name} {shown} {spoken(self.effects[name])}; chance alone would give as much in "
            f"{frequency(self.p[name])} such studies."
        )


def mixed_model(
    columns: Mapping[str, Sequence[object]],
    *,
    outcome: str,
    group: str,
    factors: Sequence[str] = (),
    covariates: Sequence[str] = (),
    slopes: Sequence[str] = (),
    level: float = 0.95,
) -> Mixed:
    """Fit a linear mixed model by restricted maximum likelihood, with an intercept for each group.

    Intervals are of t: an effect that varies within groups has the degrees of freedom of the rows, one that does not,
    or whose slope differs between groups, those of the groups (the inner-outer rule of Pinheiro and Bates [1]_);
    normal quantiles are too short with few groups. At least 5 groups are needed.

    Parameters
    ----------
    columns : mapping
        Columns of equal length by name, a pandas DataFrame also; rows with unknown values are left out and counted.
    outcome : str
        The column with the score.
    group : str
        The column that says which person or scenario a row belongs to.
    factors : sequence of str
        Columns with conditions; each value is compared with the first in order.
    covariates : sequence of str
        Columns with numbers.
    slopes : sequence of str
        Covariates or factors of two values whose effect differs between groups.
    level : float
        Confidence level.

    Returns
    -------
    Mixed
        With a sentence.

    References
    ----------
    .. [1] Pinheiro and Bates (2000), Mixed-Effects Models in S and S-PLUS, section 2.4.2.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> person = np.repeat(np.arange(12), 6)
    >>> tool = np.tile(["no", "yes"], 36)
    >>> score = rng.normal(size=12)[person] + 0.8 * (tool == "yes") + rng.normal(0, 0.5, size=72)
    >>> found = mixed_model({"score": score, "who": person, "tool": tool}, outcome="score", group="who",
    ...                     factors=["tool"])
    >>> print(found.effects["tool yes rather than no"])
    0.746 [0.54, 0.952] (n=72, mixed model with t of 59 degrees of freedom)
    """
    check_level(level)
    fixed = [*covariates, *factors]
    if not fixed:
        raise BadData("Name at least one factor or covariate.")
    if stray := [name for name in slopes if name not in fixed]:
        raise BadData(f"Slopes must be among the factors and covariates; got {stray}.")
    frame, dropped = frame_of(columns, numeric=[outcome, *covariates], labels=[*factors, group])
    y, *inner, who = frame.columns
    design, names = _design(frame, dict(zip(inner, fixed, strict=True)), covariates=len(covariates))
    count = frame[who].nunique()
    if count < LEAST_GROUPS:
        raise BadData(f"A mixed model needs {LEAST_GROUPS} groups or more; got {count}. Compare their means instead.")
    random = np.column_stack([np.ones(len(frame)), *_slope_columns(design, names, slopes)])
    return _fitted(frame[y].to_numpy(), design, names, random, frame[who].to_numpy(), dropped=dropped, level=level)


def _design(frame: Any, fixed: dict[str, str], *, covariates: int) -> tuple[Any, list[str]]:
    parts, names = [np.ones(len(frame))], ["intercept"]
    for position, (column, name) in enumerate(fixed.items()):
        if position < covariates:
            parts.append(frame[column].to_numpy())
            names.append(name)
            continue
        first, *others = sorted(frame[column].unique())
        parts.extend((frame[column] == other).to_numpy().astype(float) for other in others)
        names.extend(f"{name} {other} rather than {first}" for other in others)
    design = np.column_stack(parts)
    if np.linalg.matrix_rank(design) < design.shape[1]:
        raise BadData("The effects cannot be told apart: one column repeats others, or never varies.")
    return design, names


def _slope_columns(design: Any, names: list[str], slopes: Sequence[str]) -> list[Any]:
    columns = []
    for slope in slopes:
        found = [i for i, name in enumerate(names) if name == slope or name.startswith(f"{slope} ")]
        if len(found) != 1:
            raise BadData(f"A slope belongs to a covariate or to a factor of two values; {slope!r} has more.")
        columns.append(design[:, found[0]])
    return columns


def _fitted(y: Any, design: Any, names: list[str], random: Any, who: Any, *, dropped: int, level: float) -> Mixed:
    from scipy.stats import t
    from statsmodels.regression.mixed_linear_model import MixedLM

    result = _best_fit(MixedLM(y, design, groups=who, exog_re=random))
    freedoms = _freedoms(design, random, who)
    values, errors = result.fe_params, result.bse_fe
    effects, p = {}, {}
    for name, value, error, freedom in zip(names, values, errors, freedoms, strict=True):
        half = float(t.ppf((1 + level) / 2, freedom) * error)
        method = named(f"mixed model with t of {freedom} degrees of freedom", level=level)
        effects[name] = Estimate(float(value), float(value) - half, float(value) + half, len(y), method)
        p[name] = float(2 * t.sf(abs(value / error), freedom))
    variance = float(np.asarray(result.cov_re)[0, 0])
    between = variance / (variance + float(result.scale))
    return Mixed(effects, p, between, len(np.unique(who)), len(y), dropped, bool(result.converged), level)


def _best_fit(model: Any) -> Any:
    """Fit by several optimisers until one settles inside, and keep the best.

    Single ones may stop at a variance of zero that is not the optimum, and call it settled.
    """
    fits = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        # Variance at its bound and slow convergence are told by `converged` and `between`, not by warnings.
        warnings.simplefilter("ignore")
        for method in ("bfgs", "cg", "powell"):
            try:
                fit = model.fit(reml=True, method=[method])
                usable = bool(np.isfinite(fit.bse_fe).all() and np.isfinite(fit.llf))
            except np.linalg.LinAlgError:
                continue
            if usable:
                fits.append(fit)
                if fit.converged and np.linalg.eigvalsh(np.asarray(fit.cov_re)).min() > 1e-3 * fit.scale:
                    break
    if not fits:
        raise BadData("The model cannot be fitted to these data; leave out slopes or factors.")
    return max(fits, key=lambda fit: fit.llf)


def _freedoms(design: Any, random: Any, who: Any) -> list[int]:
    groups = np.unique(who)
    within = np.array([any(np.ptp(column[who == group]) > 0 for group in groups) for column in design.T])
    sloped = np.array([any(np.array_equal(column, slope) for slope in random.T) for column in design.T])
    rows = len(who) - len(groups) - int(within.sum())
    outer = len(groups) - int((~within).sum())
    return [
        rows if inside and not slope else (len(groups) - 1 if inside else outer)
        for inside, slope in zip(within, sloped, strict=True)
    ]
