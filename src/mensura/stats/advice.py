"""Advice: what must be said beside an estimate, in plain sentences."""

from math import ceil, inf, sqrt

from mensura.stats.intervals.bounded import FEW, off_the_end
from mensura.stats.intervals.interval import Interval
from mensura.stats.intervals.moments import Moments
from mensura.stats.population import counted, plural
from mensura.stats.scale import Scale

USEFUL = 0.2
"""A useful interval is a fifth of the scale wide."""
MANY = 200
"""From this number of values on, a long tail does little harm."""
RARE = 100
"""From this number of units on, rare and different ones appear in the sample."""
LONG_TAIL = f"Fewer than {MANY} values can miss rare extreme ones; the interval is then too narrow."
HINT_AGAIN = "Ask each item at least twice."


def note_of(moments: Moments, *, scale: Scale, interval: Interval | None, compares: bool = False) -> str:
    """Return what must be said beside an estimate, or a difference; nothing where all is well.

    >>> import numpy as np
    >>> from mensura.stats.intervals.moments import of_units
    >>> note_of(of_units(np.array([0.5]), unit="session"), scale=Scale(), interval=None)
    'One session: what another session would change cannot be known.'
    """
    n, unit = moments.n, moments.unit
    if n == 0:
        return "Nothing was scored."
    if n == 1 and interval is None:
        return f"One {unit}: what another {unit} would change cannot be known."
    if interval is None and not moments.is_constant:
        return f"Each item was answered once: what another answer would change cannot be known. {HINT_AGAIN}"
    if interval is None:
        return (
            f"All {counted(n, unit)} gave the same value, so the error is unknown. Only a score with a lowest and a "
            "highest value would have an interval here."
        )
    said = [_how_many(moments, scale=scale, interval=interval)] if n < FEW else []
    said += [] if compares else [_few(moments, scale=scale)]
    said.append(_shortfall(moments, scale=scale, interval=interval, compares=compares))
    return " ".join(sentence for sentence in said if sentence)


def units_for_width(moments: Moments, *, scale: Scale, width: float) -> int:
    """Return about how many units give an interval of this width, if the spread stays the same.

    Of fewer than 5 units the spread is hardly known; half of the largest that the scale allows is then supposed at
    least.
    """
    from scipy.special import stdtrit

    spread = sqrt(moments.variance * moments.n)
    if scale.is_bounded:
        share = min(0.95, max(0.05, scale.share(moments.mean)))
        largest = sqrt(share * (1 - share)) * scale.width
        spread = max(spread, largest / 2) if moments.n < FEW else max(spread, largest / 100)
    needed = 2
    for _ in range(20):
        step = max(2, ceil((2 * float(stdtrit(needed - 1, 0.975)) * spread / width) ** 2))
        if step == needed:
            break
        # Damped, because t falls steeply at first.
        needed = max(2, (needed + step + 1) // 2) if step > needed else step
    return max(needed, moments.n + 1)


def _how_many(moments: Moments, *, scale: Scale, interval: Interval) -> str:
    units = counted(moments.n, moments.unit)
    if scale.is_bounded:
        needed = units_for_width(moments, scale=scale, width=USEFUL * scale.width)
        useful = "a fifth of the scale wide"
    else:
        needed = units_for_width(moments, scale=scale, width=(interval.high - interval.low) / 2)
        useful = "half as wide"
    return f"{units} are too few for a useful interval: about {max(needed, FEW)} would give one {useful}."


def _few(moments: Moments, *, scale: Scale) -> str:
    if not scale.is_bounded or moments.n < FEW:
        return ""
    units = (moments.units - scale.value(0.0)) / scale.width
    off = off_the_end(units)
    # Four failures among ten are not few; and of numbers that lie anywhere, none is a failure.
    if off >= FEW or off > len(units) / FEW:
        return ""
    what = "failures" if scale.share(moments.mean) > 0.5 else "successes"
    instead = ", not more sessions," if moments.unit == "item" else ""
    return f"Few {what} seen: more {plural(moments.unit)}{instead} would help."


def _shortfall(moments: Moments, *, scale: Scale, interval: Interval, compares: bool) -> str:
    """Return what the interval does not allow for; `make coverage` shows by how much it then covers too little."""
    n = len(moments.units) if moments.unit == "answer" else moments.n
    if n >= MANY:
        return ""
    if not scale.is_bounded:
        return LONG_TAIL
    unseen = 1 - ((1 - 0.95) / 2) ** (1 / n)
    narrow = interval.high - interval.low < unseen * scale.width
    if compares or moments.most < inf or not narrow or n >= RARE or n < FEW:
        return ""
    one_in = max(2, round(1 / unseen))
    return f"{counted(n, moments.unit)} cannot rule out a rare, very different one (fewer than 1 in {one_in})."
