"""Fitting: a truth is something that could be answered, or what natural scoring takes beside that."""

from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any

from mensura.dialogue import Space
from mensura.dialogue.canonical import canonical
from mensura.errors import Invalid
from mensura.running.checks.check import Check
from mensura.running.checks.leak.sitting import all_shown
from mensura.running.checks.trial import Trial


def check_truth_fits(trial: Trial) -> Check:
    """Hold the truth of every ask against its space, where natural scoring will compare the two."""
    name = "truth fits"
    if not trial.first.truths:
        return Check(name, None, "no ask carries a truth")
    if trial.test.score is not None:
        return Check(name, None, "its own scoring reads its truths, which may have any form")
    shown = [(one, one.ask.space) for one in all_shown(trial) if one.ask.space is not None]
    for one, space in shown:
        if fault := misfit(space, one.truth):
            return Check(
                name, False, f"the truth of {one.ask.key!r} is {one.truth!r}, which nobody can answer: {fault}"
            )
    if not shown:
        return Check(name, None, "no ask with a space carries a truth")
    return Check(name, True, f"{len(shown)} truths lie in their spaces")


def misfit(space: Space, truth: Any) -> str:
    """Say in a sentence what is wrong with a truth; "" where nothing is, or where it is not known yet.

    >>> from mensura.dialogue import Choice, Probability
    >>> misfit(Probability(), 1), misfit(Choice(("red", "blue")), "green")
    ('', "Choose one of red, blue; got 'green'.")
    """
    if isinstance(truth, float) and truth != truth:
        return ""
    return _KINDS.get(space.kind, lambda space, truth: "")(space, truth)


def _answerable(space: Space, truth: Any) -> str:
    try:
        answer = space.check(truth)
    except Invalid as wrong:
        return str(wrong)
    return "" if canonical(answer) == canonical(truth) or answer == truth else f"The answer would be {answer!r}."


def _event(space: Space, truth: Any) -> str:
    return "" if truth in (0, 1) else "What happens is 0 or 1."


def _alternative(space: Any, truth: Any) -> str:
    index = isinstance(truth, int) and not isinstance(truth, bool) and 0 <= truth < len(space.options)
    return "" if index or truth in space.options else f"It is none of {', '.join(space.options)}."


def _number(space: Space, truth: Any) -> str:
    return "" if isinstance(truth, Real) and not isinstance(truth, bool) else "A quantity is a number."


def _amounts(space: Any, truth: Any) -> str:
    if isinstance(truth, Mapping):
        return "" if set(truth) <= set(space.options) else f"Its alternatives are {', '.join(space.options)}."
    return "" if len(truth) == len(space.options) else f"There are {len(space.options)} alternatives."


def _position(space: Space, truth: Any) -> str:
    numbers = list(truth) if isinstance(truth, (list, tuple)) else []
    placed = len(numbers) >= 2 and all(isinstance(value, Real) for value in numbers)
    return "" if placed else "A place is a list of two numbers."


_KINDS: dict[str, Callable[[Any, Any], str]] = {
    **dict.fromkeys(("choice", "action", "text", "number", "likert"), _answerable),
    "probability": _event,
    "distribution": _alternative,
    "density": _number,
    "allocation": _amounts,
    **dict.fromkeys(("point", "circle"), _position),
}
