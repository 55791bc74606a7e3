"""Telling: goals in words, for people in their own language."""

from typing import Any

from mensura.catalog.task_environments.task.goal import Goal
from mensura.phrase import Sentence, joined, phrase


def describe(goal: Goal) -> Sentence:
    """Return a goal in words."""
    what = phrase("the velocity of {body}", body=goal.body) if goal.of == "velocity" else goal.body
    named = {"name": goal.name, "what": what, "target": number_words(goal.target)}
    if goal.crossing:
        parts = [phrase("{name}: {what} passes {target}", **named)]
    else:
        width = number_words(goal.tolerance)
        parts = [phrase("{name}: {what} at {target}, at most {width} off", **named, width=width)]
    for seconds, words in (
        (goal.held, phrase(", for {seconds} s")),
        (goal.after, phrase(", after {seconds} s")),
        (goal.before, phrase(", before {seconds} s")),
        (goal.later, phrase(", at least {seconds} s after what it requires")),
        (goal.within, phrase(", at most {seconds} s after what it requires")),
    ):
        if seconds:
            parts.append(Sentence(words, seconds=number_words(seconds)))
    if goal.requires:
        names = ", ".join(goal.requires)
        parts.append(phrase(", while {goals}", goals=names) if goal.present else phrase(", after {goals}", goals=names))
    return joined(parts, "")


def number_words(quantity: Any) -> Sentence | str:
    """Return a number, a range or a name in words."""
    if isinstance(quantity, str):
        return quantity
    if isinstance(quantity, int | float):
        # A motor that goes one way has a limit of -0 backwards.
        return f"{quantity + 0.0:g}"
    return phrase("{low} to {high}", low=f"{quantity.low:g}", high=f"{quantity.high:g}")
