"""Fitting: a truth is something that could be answered, or what natural scoring takes beside that."""

from typing import Any

from mensura.dialogue import Space
from mensura.running.checks.check import Check
from mensura.running.checks.leak.sitting import all_shown
from mensura.running.checks.trial import Trial
from mensura.scores.grades.grade import is_graded


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
    """Return in a sentence what is wrong with a truth; "" where nothing is, or where it is not known yet.

    >>> from mensura.dialogue import Choice, Probability
    >>> misfit(Probability(), 1), misfit(Choice(("red", "blue")), "green")
    ('', "Choose one of red, blue; got 'green'.")
    """
    unknown = isinstance(truth, float) and truth != truth
    # What a grader takes was held against it when its bank was read.
    return "" if unknown or is_graded(truth) or not space.natural else space.misfit(truth)
