"""Scores of answers to Inspect's samples: by Inspect's own scorers, or as a log of Inspect gives them."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from mensura.catalog.inspect.task import InspectGrader, at_once, need_inspect
from mensura.dialogue import Items, Record, Score, Scores
from mensura.json_file import loads

VERDICTS = "inspect"
"""Under this key, among the truths of a session, stands what Inspect's scorers said."""
GRADES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""What Inspect counts for correct, incorrect, partial and no answer."""
YES_NO = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}


def declared(graders: Sequence[InspectGrader]) -> tuple[Score, ...]:
    """Declare the scores of some built-in scorers: F1 lies between 0 and 1, all others are right or wrong."""
    return tuple(
        Score(one.name, better="more", low=0, high=1, proportion=one.name != "f1", label=_label(one.name))
        for one in graders
    )


def score_answers(graders: Sequence[InspectGrader], record: Record, truths: Mapping[str, Any]) -> dict[str, Items]:
    """Return what each scorer gives each answer (more is better), exactly as it would under Inspect."""
    chosen = [answer for answer in record.answers if answer.key in truths and record.outcome_of(answer)]
    keys = [answer.key for answer in chosen]
    return {
        grader.name: Items(
            [grade(grader, answer.value, truths[answer.key]) if _is_answered(answer) else np.nan for answer in chosen],
            keys,
        )
        for grader in graders
    }


def grade(grader: InspectGrader, answer: str, target: Any) -> float:
    """Return what a built-in scorer of Inspect gives an answer; of a choice, whether it is the right one."""
    if grader.name == "choice":
        return float(answer == target)
    need_inspect()
    from inspect_ai.model import ModelName, ModelOutput
    from inspect_ai.scorer import Target
    from inspect_ai.solver import TaskState

    output = ModelOutput.from_content("none", answer)
    state = TaskState(ModelName("none/none"), "", 1, "", [], output=output)
    return as_number(at_once(_scorer(grader)(state, Target(target))).value)


def score_verdicts(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Return what Inspect's scorers said of the one sample of a session; NaN where one said nothing that counts."""
    values: dict[str, Items | float] = {}
    found: dict[str, Score] = {}
    for answer in record.answers:
        for name, verdict in truths.get(VERDICTS, {}).items():
            number = verdict["value"] if _is_answered(answer) or answer.status == "invalid" else None
            values[name] = Items([math.nan if number is None else number], [answer.key])
            # Only of grades it is known which way is good, and how far they reach.
            known = {"better": "more", "low": 0.0, "high": 1.0} if verdict["graded"] else {"better": None}
            found[name] = Score(name, **known, unanswered="worst" if verdict["graded"] else None)
    return Scores(values, declared=found)


def verdicts_of(scores: Mapping[str, Any] | None) -> dict[str, dict[str, Any]]:
    """Write down the scores of a sample in a log: a number each, None where it is not one, with what was said."""
    return {name: told for scorer, score in (scores or {}).items() for name, told in _verdicts(scorer, score)}


def as_number(value: Any) -> float:
    """Read the value of a score as Inspect does; NaN where it is no number.

    >>> as_number("C"), as_number("P"), as_number(True), as_number("0.25")
    (1.0, 0.5, 1.0, 0.25)
    """
    if isinstance(value, str):
        value = GRADES.get(value, YES_NO.get(value.lower(), value))
    try:
        return float(value)
    except (TypeError, ValueError):
        return math.nan


def _verdicts(scorer: str, score: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    value = score.value
    if isinstance(value, Mapping):
        parts = [(f"{scorer}/{name}", one) for name, one in value.items()]
    elif isinstance(value, Sequence) and not isinstance(value, str):
        parts = [(f"{scorer}/{place}", one) for place, one in enumerate(value)]
    else:
        parts = [(scorer, value)]
    for name, one in parts:
        number = as_number(one)
        told: dict[str, Any] = {"value": number if math.isfinite(number) else None}
        told["graded"] = isinstance(one, bool) or (isinstance(one, str) and (one in GRADES or one.lower() in YES_NO))
        if told["value"] is None:
            told["said"] = str(one)
        yield name, told | {part: said for part in ("answer", "explanation") if (said := getattr(score, part))}


@cache
def _scorer(grader: InspectGrader) -> Callable[..., Any]:
    from inspect_ai import scorer

    made: Callable[..., Any] = getattr(scorer, grader.name)(**loads(grader.arguments))
    return made


def _is_answered(answer: Any) -> bool:
    return bool(answer.status == "answered")


def _label(name: str) -> str:
    return name if name == "f1" else f"{name} (share right)"
