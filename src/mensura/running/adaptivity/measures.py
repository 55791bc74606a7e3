"""Measures: what the levels of courses are measured by, as the plan states it before the data."""

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from mensura.errors import BadParameter, unknown

if TYPE_CHECKING:
    from mensura.running.study.plan import Study


@dataclass(frozen=True)
class Measures:
    """The score that levels are measured by, and between what it lies; `adaptivity` of a plan.

    Parameters
    ----------
    score
        The score; without it nothing is measured.
    chance, oracle
        What chance and the best there is score: a number, or the cast that takes the same courses for it. Without
        chance it is what the test says; without an oracle levels are scores.
    worst
        The worst score there is; without it, the bound that the test declares.
    reach
        The level that learning is to reach, by which resources are counted; a performance where there is an oracle.
    block
        How many sessions make one point of a curve.
    dose
        What conditions differ by that is a dose: a parameter, an option behind a name that a parameter has
        (`task: car-race#sensors=3`), or `training`, the sessions of training in an arm.
    """

    score: str = ""
    chance: str | float | None = None
    oracle: str | float | None = None
    worst: float | None = None
    reach: float | None = None
    block: int = 1
    dose: str = ""

    @classmethod
    def read(cls, study: "Study") -> "Measures":
        """Read what a plan states, or refuse it with a clear message."""
        given = dict(study.adaptivity)
        known = tuple(each.name for each in fields(cls))
        for key in given:
            if key not in known:
                raise unknown("key of adaptivity", str(key), known=known, see=f"There are {', '.join(known)}.")
        if given and not study.courses:
            raise BadParameter("Adaptivity is measured in courses: give the plan `phases` or `arms`.")
        if given and not given.get("score"):
            raise BadParameter("Say by which score levels are measured: `adaptivity: {score: NAME}`.")
        casts = [cast.name for cast in study.casts]
        for side in ("chance", "oracle"):
            named = given.get(side)
            if isinstance(named, str) and named not in casts:
                see = f"It is a number or a cast; there are {', '.join(casts)}."
                raise unknown(f"cast as {side} of adaptivity", named, known=casts, see=see)
        if not isinstance(given.get("dose", ""), str):
            raise BadParameter(f"dose names what conditions differ by, such as a parameter; got {given['dose']!r}.")
        for name in ("worst", "reach"):
            _check_number(name, given.get(name))
        if type(given.get("block", 1)) is not int or given.get("block", 1) < 1:
            raise BadParameter(f"block is a whole number of sessions from 1; got {given['block']!r}.")
        return cls(**given)


def _check_number(name: str, value: Any) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise BadParameter(f"{name} is a number; got {value!r}.")
