"""Declared: parameters say what they are; every score is declared, and lies where its declaration says."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from mensura.dialogue import Items, Score, Scores
from mensura.dialogue.parameters import is_sentence
from mensura.errors import MensuraError
from mensura.running.checks.check import Check
from mensura.running.checks.ending import Declining
from mensura.running.checks.trial import Held, MakeSubject, Trial

SESSIONS = 3
"""Sessions of the chance subject; everyone else takes one."""


def check_parameters_documented(trial: Trial) -> Check:
    """Check that every parameter has a sentence on its meaning and which values it takes."""
    name = "parameters documented"
    parameters = trial.test.parameters.values()
    if not parameters:
        return Check(name, None, "it has no parameters")
    wrong = [parameter for parameter in parameters if not is_sentence(parameter.about)]
    if not wrong:
        return Check(name, True, f"says what {' and '.join(one.name for one in parameters)} {_are(len(parameters))}")
    first, others = wrong[0], [parameter.name for parameter in wrong[1:]]
    fault = f"says only {first.about!r}" if first.about else "does not say what it is and which values it takes"
    more = f"; the same for {', '.join(others)}" if others else ""
    words = f"the parameter {first.name} {fault}: write {first.declaration} (Annotated comes from typing){more}"
    return Check(name, False, words)


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def check_scores_declared(trial: Trial) -> Check:
    """Let chance, someone who declines and the reference subjects take sessions, and hold scores against declarations.

    Reference subjects that cannot be made without arguments, or cannot take the test alone, are left out.
    """
    name = "scores declared"
    if trial.test.score is None:
        return Check(name, None, "it has the natural scores of its spaces, which need no declaration")
    declared = trial.test.declared_scores(trial.parameters)
    given: set[str] = set()
    takers: set[str] = set()
    for who, held in _sessions(trial):
        takers.add(who)
        values = _values(held)
        for score_name, value in values.items():
            if fault := _fault(score_name, value, declared.get(score_name)):
                return Check(name, False, f"{fault} (a session of {who})")
        given |= set(values)
    count = f"{len(given)} scores" if len(given) != 1 else "1 score"
    return Check(name, True, f"gives {count}, declared and within bounds, to {', '.join(sorted(takers))}")


def check_questions_declared(trial: Trial) -> Check:
    """Hold the number of questions that pages promise against those that were asked of each role."""
    name = "questions declared"
    declared = trial.test.count_questions(trial.parameters)
    if declared is None:
        return Check(name, None, "it does not say how many questions it has: pages number them")
    asked: dict[str, set[str]] = {}
    for event in trial.first.events:
        if event.kind == "ask":
            asked.setdefault(event.role, set()).add(event.key)
    most = max(map(len, asked.values()), default=0)
    if most > declared:
        return Check(name, False, f"asks {most} questions, but declares {declared}: correct questions= in its @test")
    return Check(name, True, f"asks {most} of the {declared} questions that it declares")


def _sessions(trial: Trial) -> Iterator[tuple[str, Held]]:
    yield "chance", trial.first
    for number in range(1, min(SESSIONS, trial.sessions)):
        yield "chance", trial.hold(trial.chance, session=number)
    yield "declining", trial.hold(Declining)
    for who, make in trial.test.subjects.items():
        if who != "chance" and (held := _hold(trial, make)) is not None:
            yield who, held


def _hold(trial: Trial, make: MakeSubject) -> Held | None:
    """Hold a session of a reference subject; None where it needs arguments or fails, which is not the test's fault."""
    try:
        make()
    except Exception:
        return None
    try:
        held = trial.hold(make)
    except MensuraError:
        return None
    return held if held.session.status == "finished" else None


def _values(held: Held) -> Mapping[str, Items | float]:
    """Score a session by the test's own scoring alone, before unanswered items are filled in."""
    score: Any = held.instance.test.score
    found = score(held.record, held.truths)
    return found.values if isinstance(found, Scores) else found


def _fault(name: str, value: Items | float, declared: Score | None) -> str:
    """Return in a sentence what is wrong with a score and what to write; "" where nothing is."""
    if declared is None:
        return f'the score {name} is not declared: add Score("{name}", better=...) to scores= in its @test'
    items = value.values if isinstance(value, Items) else np.array([value], dtype=float)
    for number in items[~np.isnan(items)].tolist():
        if not declared.admits(number):
            return (
                f"the score {name} is {number:g}, which is declared {declared.range}: "
                "correct its low= and high=, or leave out a bound that it does not have"
            )
        if declared.proportion and isinstance(value, Items) and number not in (0.0, 1.0):
            return (
                f"the score {name} has an item of {number:g}, but is declared a proportion, whose items are 0 or 1: "
                "write low=0, high=1 in place of proportion=True"
            )
    return ""
