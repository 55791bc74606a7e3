"""Wording: how conditions, intervals and p-values are written in the tables of a study."""

import re
from collections.abc import Iterable

from mensura.stats import Estimate

COTS, WITHOUT, LEARNING, HUMAN_ASSISTANT = "cots", "radar-l", "radar+l", "cots+a"
CONDITION_WORDS = {
    COTS: "conventional tools",
    WITHOUT: "assistant without learning",
    LEARNING: "assistant with learning",
    HUMAN_ASSISTANT: "conventional tools and a human assistant",
    "agent": "agent alone",
}


def condition_words(condition: str) -> str:
    """Return a condition in words; one that we do not know by its name."""
    return CONDITION_WORDS.get(condition, condition)


def interval_words(estimate: Estimate) -> str:
    """Write an interval, or why there is none.

    >>> interval_words(Estimate(0.79, 0.5, 1.06, 95, "Fieller"))
    '0.50 to 1.06'
    """
    if not estimate.has_interval:
        return estimate.method.removeprefix("none: ")
    return estimate.ends


def p_words(p: float) -> str:
    """Write a p-value as the source does.

    >>> p_words(0.0431), p_words(1e-9)
    ('.0431', '< .0001')
    """
    if p != p:
        return "unknown"
    return "< .0001" if p < 1e-4 else f"{p:.4f}".lstrip("0")


def method_words(estimates: Iterable[Estimate]) -> str:
    """Name the methods by which some intervals were made, each once and without its n, which the tables have.

    >>> method_words([Estimate(0.5, 0.4, 0.6, 30, "t corrected for skew over 30 session means")])
    't corrected for skew'
    """
    methods = (re.sub(r" over \d+ .*", "", one.method) for one in estimates if one.has_interval)
    return " and ".join(dict.fromkeys(methods)) or "no method: nothing varies"
