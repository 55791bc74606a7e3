"""Adaptive taking of a calibrated bank: the item that tells most of the ability comes next."""

from collections.abc import Callable, Generator
from typing import Any

import numpy as np

from mensura.dialogue import Ask, Bank, Item
from mensura.errors import BadParameter
from mensura.scores.grades.grade import grades, is_graded
from mensura.scores.natural import natural
from mensura.stats.response.adaptive import Adaptive
from mensura.stats.response.curves import Curves, ItemCurve


def require_calibrated(items: Bank, *, precision: float) -> None:
    """Refuse a bank without calibrated items, or a precision that no test can reach, in a sentence."""
    if not items.calibrations:
        raise BadParameter(
            f"{items.name} is not calibrated, so no item is known to tell more than another: mensura calibrate RUN… "
            "-o bank.jsonl writes a bank that is."
        )
    Adaptive.begin(_curves(items), precision=precision)


def ask_adaptively(
    items: Bank, rng: np.random.Generator, *, precision: float, asked: Callable[[Item], Ask]
) -> Generator[Ask, Any, None]:
    """Ask calibrated items until the standard deviation of the ability is at most `precision`, or none is left.

    What is not answered counts as wrong, as it does in the score.
    """
    require_calibrated(items, precision=precision)
    calibrated = [item for item in items if item.key in items.calibrations]
    test = Adaptive.begin(_curves(items), precision=precision)
    while (place := test.choose(rng)) is not None:
        ask = asked(calibrated[place])
        answer = yield ask
        test = test.answered(place, right=is_right(ask, answer))


def is_right(ask: Ask, answer: Any) -> bool:
    """Return whether an answer is right by the grader or the natural score of its item.

    >>> from mensura.dialogue import Choice
    >>> ask = Ask("2 + 2?", Choice(("3", "4")), truth="4")
    >>> is_right(ask, "4"), is_right(ask, "3"), is_right(ask, None)
    (True, False, False)
    """
    if answer is None or ask.space is None:
        return False
    if is_graded(ask.truth):
        return grades(answer, ask.truth).get("accuracy") == 1
    found = natural(ask.space.kind, [answer], [ask.truth]).get("accuracy")
    return found is not None and bool(found[0] == 1)


def _curves(items: Bank) -> Curves:
    return Curves.of(map(ItemCurve.read, items.calibrations.values()))
