"""Transfer from X to Y in every form of Bieger and others (2016), and by learning curves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadData
from mensura.stats.adaptivity.courses import course_difference, course_mean, cut, of_courses, verdict
from mensura.stats.estimate import Estimate
from mensura.stats.finding import Finding
from mensura.stats.generalise import ANYWHERE
from mensura.stats.intervals.ratio import ratio_estimate
from mensura.stats.intervals.sample import Floats, Values, numbers, table
from mensura.stats.scale import Scale
from mensura.stats.wording import spoken

ARMS = {
    "x": ("on_x", "on_y", "knowledge"),
    "y": ("on_y", "time", "knowledge"),
    "x_then_y": ("on_y", "time", "knowledge", "time_on_x"),
    "split": ("on_y",),
}
"""The possible arms, with one number per course: trained on X only, on Y only, on X and then as long on Y, on X and Y
within the time that Y alone had."""
TIMED = ("y", "x_then_y")
"""The arms whose times to the level on Y are compared."""


@dataclass(frozen=True, slots=True)
class TransferForms(Finding):
    """The effects of training on X on Y; None where an arm is missing, or where no course reached the level.

    `knowledge_saved` and `detour` compare with Y alone: positive is good. `detour` is what the way over X saves in all.
    """

    raw: Estimate | None
    loss: Estimate | None
    gain_extra: Estimate | None
    gain_fixed: Estimate | None
    knowledge: Estimate | None
    knowledge_saved: Estimate | None
    training_time: Estimate | None
    composite_time: Estimate | None
    detour: Estimate | None
    paired: bool
    unreached: str = ""
    """Which times are unknown because no course reached the level on Y; empty where one did."""

    @property
    def sentence(self) -> str:
        """Return it as sentences, one for each form that is known."""
        words = {
            "raw": ("On Y after X", None),
            "loss": ("From X to Y after X", ("loss", "gain")),
            "gain_extra": ("With extra time on X", ("gain", "harm")),
            "gain_fixed": ("Within the same time", ("gain", "harm")),
            "knowledge": ("Knowledge to be added for Y after X", None),
            "training_time": ("Training time for Y", ("saving", "cost")),
            "composite_time": ("Time on X and then Y together", None),
            "detour": ("The detour over X", ("saving", "cost")),
        }
        said = []
        for name, (head, ways) in words.items():
            found = getattr(self, name)
            if found is not None:
                said.append(f"{head}: {spoken(found) if ways is None else verdict(found, good=ways[0], bad=ways[1])}.")
        how = "Courses are paired by seed." if self.paired else "Arms are groups of different courses, not pairs."
        return " ".join([*said, *filter(None, [self.unreached]), how])


@dataclass(frozen=True, slots=True)
class CurveTransfer(Finding):
    """Transfer as differences of two learning curves on Y, after X and alone (Taylor and Stone 2009)."""

    jumpstart: Estimate
    asymptote: Estimate
    total_reward: Estimate
    transfer_ratio: Estimate
    area_form: Estimate

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        parts = {field.name: getattr(self, field.name) for field in fields(self)}
        return "; ".join(
            f"{name.replace('_', ' ')} {verdict(found, good='gain', bad='harm')}" for name, found in parts.items()
        )


def transfer_forms(
    arms: Mapping[str, Mapping[str, Values]],
    *,
    horizon: float | None = None,
    paired: bool = True,
    scale: Scale = ANYWHERE,
    level: float = 0.95,
) -> TransferForms:
    """Estimate the forms of transfer that the given arms allow.

    Raw performance: Y after X. Loss: X after X, minus that. Gain with extra time: Y after X and then Y, minus Y alone,
    as long on Y. Gain at a fixed budget: the same with the time on X taken off that on Y. Knowledge: what is added
    for the level on Y after X. Training time: to reach the level on Y alone, minus after X. Composite time: after X,
    plus the time on X. A time that no course reached the level in is unknown, not the horizon; so is the difference of
    two such times.

    Parameters
    ----------
    arms : mapping
        By arm (`x`, `y`, `x_then_y`, `split`) and by what was measured (see `ARMS`) one number per course, as lists in
        the same order of seeds or as mappings from seed; times are NaN where the level was never reached.
    horizon : float, optional
        Up to where times were watched: those that never came count with it (restricted means).
    paired : bool
        Whether courses of different arms share seeds; else arms are groups, and intervals are Welch's.
    scale : Scale
        What a level can be: intervals of levels stay within it, of loss and gains within what two can differ by.
    level : float
        Confidence level.

    References
    ----------
    .. [1] Bieger, Thórisson, Steunebrink, Thorarensen and Sigurðardóttir (2016), Evaluation of general-purpose
       artificial intelligence: why, what & how, section 4.2.

    Examples
    --------
    >>> found = transfer_forms({"x": {"on_x": [0.9, 0.8, 0.9], "on_y": [0.4, 0.5, 0.3]}})
    >>> print(found.loss)
    0.47 [0.09, 0.85] (n=3, t)
    """
    known = _read(arms, horizon=horizon, paired=paired)

    def value(arm: str, name: str) -> Any:
        return known.get(arm, {}).get(name)

    def mean(of: Any, *, scale: Scale = ANYWHERE) -> Estimate | None:
        return None if of is None else cut(course_mean(list(of.values()), level=level), scale=scale)

    def difference(first: Any, second: Any, *, scale: Scale = ANYWHERE) -> Estimate | None:
        known = first is not None and second is not None
        return course_difference(first, second, paired=paired, scale=scale, level=level) if known else None

    after, on_x = value("x_then_y", "time"), value("x_then_y", "time_on_x")
    together = None if after is None or on_x is None else {key: after[key] + on_x.get(key, np.nan) for key in after}
    alone = value("y", "on_y")
    missed = [arm for arm in TIMED if value(arm, "time") is not None and not _reached(arms[arm]["time"], horizon)]
    both = set(missed) == set(TIMED)
    return TransferForms(
        raw=mean(value("x", "on_y"), scale=scale),
        loss=_loss(value("x", "on_x"), value("x", "on_y"), paired=paired, scale=scale, level=level),
        gain_extra=difference(value("x_then_y", "on_y"), alone, scale=scale),
        gain_fixed=difference(value("split", "on_y"), alone, scale=scale),
        knowledge=mean(value("x_then_y", "knowledge")),
        knowledge_saved=difference(value("y", "knowledge"), value("x_then_y", "knowledge")),
        training_time=None if both else difference(value("y", "time"), after),
        composite_time=None if "x_then_y" in missed else mean(together),
        detour=None if both else difference(value("y", "time"), together),
        paired=paired,
        unreached=_unreached(missed, horizon=horizon),
    )


def _reached(times: Any, horizon: float | None) -> bool:
    """Return whether some course reached the level while it was watched."""
    given = list(times.values()) if isinstance(times, Mapping) else times
    return bool((numbers(given, name="times") <= (np.inf if horizon is None else horizon)).any())


def _unreached(missed: Sequence[str], *, horizon: float | None) -> str:
    if not missed:
        return ""
    within = "" if horizon is None else f" within {horizon:g}"
    if len(missed) == len(TIMED):
        return f"No course reached the level on Y{within}, with or without X: it is unknown whether the detour pays."
    where = "alone" if missed == ["y"] else "after X"
    return f"No course reached the level on Y {where}{within}: its time counts as the least that it can be."


def _loss(on_x: Any, on_y: Any, *, paired: bool, scale: Scale, level: float) -> Estimate | None:
    """Compare both levels of the same courses, whatever the arms are; else of groups that took one probe each."""
    if on_x is None or on_y is None:
        return None
    both = any(not np.isnan(on_x[key] - on_y.get(key, np.nan)) for key in on_x)
    return course_difference(on_x, on_y, paired=paired or both, scale=scale, level=level)


def curve_transfer(
    *,
    after: ArrayLike,
    alone: ArrayLike,
    ends: int = 1,
    best: float = 1.0,
    scale: Scale = ANYWHERE,
    level: float = 0.95,
) -> CurveTransfer:
    r"""Compare learning curves on Y after X with those on Y alone, course by course.

    Jumpstart and asymptote are differences of the first and last levels, total reward of the sums; the transfer ratio
    is that difference over the sum alone, the area form [2]_ :math:`(A - A_{alone})/(1 - A_{alone})` of mean levels.

    Parameters
    ----------
    after, alone : array_like
        Levels by course (row, paired by seed) and session on Y (column).
    ends : int
        How many sessions make the first and the last level.
    best : float
        The level of the oracle, the 1 of the area form.
    scale : Scale
        What a level can be: intervals of jumpstart and asymptote stay within what two levels can differ by.
    level : float
        Confidence level.

    References
    ----------
    .. [1] Taylor and Stone (2009), Journal of Machine Learning Research 10, 1633-1685.
    .. [2] Wołczyk, Zając, Pascanu, Kuciński and Miłoś (2021), Continual World, NeurIPS 34.

    Examples
    --------
    >>> found = curve_transfer(after=[[0.4, 0.8], [0.5, 0.8], [0.3, 0.9]], alone=[[0.1, 0.7], [0.2, 0.8], [0.1, 0.8]])
    >>> round(found.jumpstart.value, 3), round(found.transfer_ratio.value, 3), round(found.area_form.value, 3)
    (0.267, 0.37, 0.303)
    """
    first, second = (table(side, name="levels", rows="courses", columns="sessions") for side in (after, alone))
    if first.shape != second.shape or not 1 <= ends <= first.shape[1]:
        raise BadData(f"Both curves need the same courses and sessions; got {first.shape} and {second.shape}.")
    gained, area = (first - second).sum(axis=1), second.mean(axis=1)

    def gap(one: Floats, other: Floats) -> Estimate:
        return course_difference(one.mean(axis=1), other.mean(axis=1), scale=scale, level=level)

    ratio = ratio_estimate(numerator=gained, denominator=second.sum(axis=1), level=level)
    form = ratio_estimate(numerator=first.mean(axis=1) - area, denominator=best - area, level=level)
    return CurveTransfer(
        jumpstart=gap(first[:, :ends], second[:, :ends]),
        asymptote=gap(first[:, -ends:], second[:, -ends:]),
        total_reward=course_difference(first.sum(axis=1), second.sum(axis=1), level=level),
        transfer_ratio=of_courses(ratio),
        area_form=of_courses(form),
    )


def transfer_points(
    points: Sequence[Mapping[str, Any]],
    *,
    horizon: float | None = None,
    paired: bool = True,
    scale: Scale = ANYWHERE,
    level: float = 0.95,
) -> tuple[dict[str, Any], ...]:
    """Return transfer as a function of the training on X: each point's amount, level on X, knowledge and forms.

    Parameters
    ----------
    points : sequence of mapping
        Each with `training`, the time on X, and `arms` as `transfer_forms` takes them.
    horizon, paired, scale, level
        As in `transfer_forms`.

    Examples
    --------
    >>> arms = {"x": {"on_x": [0.5, 0.7], "on_y": [0.2, 0.3]}}
    >>> [point["level"].value for point in transfer_points([{"training": 20, "arms": arms}])]
    [0.6]
    """
    found = []
    for point in sorted(points, key=lambda one: float(one["training"])):
        held = _read(point["arms"], horizon=horizon, paired=paired).get("x", {})
        of_x = {name: list(held[name].values()) for name in ("on_x", "knowledge") if name in held}
        found.append(
            {
                "training": float(point["training"]),
                "level": cut(course_mean(of_x["on_x"], level=level), scale=scale) if "on_x" in of_x else None,
                "knowledge": course_mean(of_x["knowledge"], level=level) if "knowledge" in of_x else None,
                "forms": transfer_forms(point["arms"], horizon=horizon, paired=paired, scale=scale, level=level),
            }
        )
    return tuple(found)


def _read(
    arms: Mapping[str, Mapping[str, Any]], *, horizon: float | None, paired: bool
) -> dict[str, dict[str, dict[str, float]]]:
    """Return each arm's numbers by course; one number that is given for all courses holds for each."""
    read: dict[str, dict[str, dict[str, float]]] = {}
    counts: dict[str, set[Any]] = {}
    if not arms:
        raise BadData(f"Give at least one arm: {', '.join(ARMS)}.")
    if horizon is not None and not horizon > 0:
        raise BadData(f"The horizon is a number above 0; got {horizon}.")
    for arm, measured in arms.items():
        if arm not in ARMS or not isinstance(measured, Mapping):
            raise BadData(f"Arms are {', '.join(ARMS)}, each with what was measured; got {arm!r}.")
        if empty := [name for name, given in measured.items() if given is None]:
            raise BadData(f"The arm {arm!r} has no numbers for {empty[0]!r}: leave it out, or give one per course.")
        several = {name: given for name, given in measured.items() if not np.isscalar(given)}
        counts[arm] = {"by seed" if isinstance(given, Mapping) else len(given) for given in several.values()}
        courses, read[arm] = next((_keys(given) for given in several.values()), ["0"]), {}
        for name, given in measured.items():
            if name not in ARMS[arm]:
                raise BadData(f"The arm {arm!r} holds {', '.join(ARMS[arm])}; got {name!r}.")
            values = list(given.values()) if isinstance(given, Mapping) else given
            values = numbers(values, name=f"{name} of {arm}")
            values = _restricted(values, horizon=horizon, arm=arm) if name == "time" else values
            keys = _keys(given) if name in several else courses
            read[arm][name] = dict(zip(keys, np.broadcast_to(values, len(keys)).tolist(), strict=True))
    together = [set().union(*counts.values())] if paired else list(counts.values())
    if uneven := next((sorted(map(str, sizes)) for sizes in together if len(sizes) > 1), None):
        raise BadData(
            f"Courses are paired by seed, so lists are equally long; got {' and '.join(uneven)}. "
            "Give objects from seed to number, or say that arms are not paired."
        )
    return read


def _keys(given: Any) -> list[str]:
    return [str(key) for key in (given if isinstance(given, Mapping) else range(len(given)))]


def _restricted(times: Floats, *, horizon: float | None, arm: str) -> Floats:
    if (times < 0).any():
        raise BadData(f"Times of {arm!r} are from 0 up, or missing where the level was never reached.")
    if horizon is None and np.isnan(times).any():
        raise BadData(f"Some courses of {arm!r} never reached the level: say up to where they were watched (horizon).")
    return times if horizon is None else np.minimum(np.where(np.isnan(times), horizon, times), horizon)
