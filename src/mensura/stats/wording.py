"""Wording: statistics in plain words."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isnan

from mensura.dialogue.score import Score
from mensura.stats.estimate import Estimate
from mensura.stats.rounding import rounded


def figure(value: float) -> str:
    """Write a number with three digits, an unknown one as "unknown".

    >>> figure(0.12345), figure(float("nan"))
    ('0.123', 'unknown')
    """
    return rounded(value)[0]


def bracket(estimate: Estimate) -> str:
    """Write an interval, or that there is none.

    >>> bracket(Estimate(0.5, 0.4, 0.6, 20, "t"))
    '[0.40, 0.60]'
    """
    return estimate.bracket if estimate.has_interval else "[no error estimate]"


def spoken(estimate: Estimate) -> str:
    """Write a number with its interval.

    >>> spoken(Estimate(0.5, 0.4, 0.6, 20, "t"))
    '0.50 [0.40, 0.60]'
    """
    return f"{estimate.rounded[0]} {bracket(estimate)}"


def size(estimate: Estimate) -> str:
    """Write an estimate without its sign, the interval turned with it.

    >>> size(Estimate(-0.5, -0.6, -0.4, 20, "t"))
    '0.50 [0.40, 0.60]'
    """
    if estimate.value >= 0:
        return spoken(estimate)
    return spoken(replace(estimate, value=-estimate.value, low=-estimate.high, high=-estimate.low))


def frequency(p: float) -> str:
    """Write a p-value as how often chance alone does it, in studies like this one.

    >>> frequency(0.6), frequency(0.03), frequency(0.0004), frequency(1e-9)
    ('about 60 of 100', 'about 3 of 100', 'about 4 of 10000', 'fewer than 1 of 10000')
    """
    if isnan(p):
        return "an unknown share"
    if p < 0.0001:
        return "fewer than 1 of 10000"
    of = 100 if p >= 0.01 else 1000 if p >= 0.001 else 10000
    return f"about {round(p * of)} of {of}"


def several(count: int, noun: str) -> str:
    """Count a noun.

    >>> several(1, "item"), several(20, "item")
    ('1 item', '20 items')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def times(count: int) -> str:
    """Return how often something happens.

    >>> times(1), times(20)
    ('once', '20 times')
    """
    return "once" if count == 1 else f"{count} times"


def listed(names: Sequence[str]) -> str:
    """Join names as a sentence does.

    >>> listed(["Ada"]), listed(["Ada", "Bob", "Cleo"])
    ('Ada', 'Ada, Bob and Cleo')
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def duration(seconds: float) -> str:
    """Write how long something took.

    >>> duration(0.1234), duration(75), duration(7300)
    ('0.12 s', '1 min 15 s', '2 h 1 min')
    """
    if seconds < 60:
        return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds:.2g} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min"


def attributed(said: Mapping[str, Sequence[str]]) -> list[str]:
    """Return each sentence once, with whom it is about where it is not said of all; "" is nothing said.

    >>> attributed({"ada": ["One session."], "bob": ["One session."], "cleo": [""]})
    ['ada, bob: One session.']
    >>> attributed({"ada": ["One session."], "bob": ["One session."]})
    ['One session.']
    """
    about: dict[str, list[str]] = {}
    for who, sentences in said.items():
        for sentence in sentences:
            about.setdefault(sentence, []).append(who)
    return [
        sentence if len(names) == len(said) else f"{', '.join(names)}: {sentence}"
        for sentence, names in about.items()
        if sentence
    ]


def ahead(names: tuple[str, str], value: float, *, scores: Sequence[Score] = ()) -> str:
    """Return who is ahead on scores of one direction, where first minus second is `value`.

    Who is ahead does better where a way is good, and scores higher where none is.

    >>> ahead(("A", "B"), 2.2, scores=[Score("err", better="less")])
    'B does better than A on err (smaller is better)'
    >>> ahead(("A", "B"), 2.2, scores=[Score("level", best=5)]), ahead(("A", "B"), -1)
    ('A scores higher than B on level (best at 5)', 'B scores higher than A')
    """
    less = bool(scores) and scores[0].better == "less"
    about = f" on {listed([score.title for score in scores])} ({scores[0].direction})" if scores else ""
    if value == 0:
        return f"{listed(names)} score alike{about}"
    first, second = names if (value < 0) == less else names[::-1]
    return f"{first} {advantage(scores)} than {second}{about}"


def advantage(scores: Sequence[Score]) -> str:
    """Return what it is to be ahead on scores: to do better, or to score higher where neither way is good."""
    return "does better" if scores and scores[0].better else "scores higher"


def compared(*, names: tuple[str, str], difference: Estimate, p: float, over: str, level: float) -> str:
    """Return whether two things differ: only where the interval leaves out zero and the test agrees.

    >>> compared(names=("A", "B"), difference=Estimate(0.12, 0.05, 0.19, 20, "t"), p=0.002,
    ...          over="on the same 20 items", level=0.95)  # doctest: +NORMALIZE_WHITESPACE
    'A scores higher than B by 0.120 [0.050, 0.190] on the same 20 items; if there were no difference, chance alone
    would give one this large in about 2 of 1000 such studies.'
    """
    higher = f"{ahead(names, difference.value)} by {size(difference)} {over}"
    chance = f"if there were no difference, chance alone would give one this large in {frequency(p)} such studies"
    if difference.excludes(0) and p <= 1 - level:
        return f"{higher}; {chance}."
    if difference.excludes(0) or p <= 1 - level:
        return f"The data hint at a difference but do not settle it: {higher}; {chance}."
    return f"The data do not show a difference: {higher}, and {chance}. That is not proof that they are equal."
