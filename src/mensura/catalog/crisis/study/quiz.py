"""The quiz after instruction: whether a participant knows how the tools of their condition work."""

from collections.abc import Collection, Generator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from mensura.catalog.crisis.settings import find_condition
from mensura.catalog.crisis.world.data import Data, read
from mensura.dialogue import Ask, Choice, Items, Outcome, Record, Score, test

PREFIX = "quiz."
SCORES = (Score("accuracy", better="more", proportion=True),)
INTRODUCTION = "A few questions about the tools, so that you and we know that they are clear. Take the time you need."


class Question(Data):
    """One question; the first option is right, and options are shown in an order drawn by chance."""

    key: str
    text: str
    options: tuple[str, ...]
    tools: tuple[str, ...] = ()


@cache
def questions() -> tuple[Question, ...]:
    """Read all questions."""
    import yaml

    place = files(__package__).joinpath("quiz.yaml")
    return tuple(read(Question, said, place="quiz.yaml") for said in yaml.safe_load(place.read_text(encoding="utf-8")))


def quiz_for(tools: Collection[str]) -> tuple[Question, ...]:
    """Give the questions about tools that a condition has.

    >>> [each.key for each in quiz_for({"order", "move", "copy", "look"})]
    ['clock', 'vendors', 'move', 'specification', 'sheet']
    """
    return tuple(each for each in questions() if set(each.tools) <= set(tools))


def ask_quiz(rng: np.random.Generator, tools: Collection[str], *, role: str = "subject") -> Generator[Ask, Any, None]:
    """Ask the quiz of a role; what is right is told after each answer, since instruction goes on here."""
    for question in quiz_for(tools):
        shown = [question.options[place] for place in rng.permutation(len(question.options))]
        key = f"{PREFIX}{question.key}" if role == "subject" else f"{PREFIX}{role}.{question.key}"
        answer = yield Ask(question.text, Choice(tuple(shown)), key=key, role=role, truth=question.options[0])
        if answer != question.options[0]:
            yield Ask(f"Not quite: {question.options[0]}", role=role)


def score(record: Record, truths: Mapping[str, Any]) -> dict[str, Items | float]:
    """Give the share of right answers."""
    found = score_quiz(record.given(), truths)
    return {} if found is None else {"accuracy": found}


def chance_levels(*, condition: str = "agent") -> dict[str, float]:
    """Say what guessing scores: one of three options is right."""
    asked = quiz_for(find_condition(condition).tools)
    return {"accuracy": sum(1 / len(each.options) for each in asked) / len(asked)}


@test("crisis-quiz-v1", score=score, scores=SCORES, scoring="2", chance=chance_levels)
def quiz(rng: np.random.Generator, *, condition: str = "agent") -> Generator[Ask, Any, Outcome]:
    """Answer a few questions about how the tools of the office work."""
    yield Ask(INTRODUCTION)
    yield from ask_quiz(rng, find_condition(condition).tools)
    return Outcome("Thank you. The office comes next.")


def score_quiz(given: Mapping[str, Any], truths: Mapping[str, Any]) -> Items | None:
    """Say of each question that was asked whether it was answered right, NaN where not at all; None: no quiz."""
    asked = [key for key in truths if key.startswith(PREFIX)]
    if not asked:
        return None
    right = [float("nan") if given.get(key) is None else float(given[key] == truths[key]) for key in asked]
    return Items(right, asked)
