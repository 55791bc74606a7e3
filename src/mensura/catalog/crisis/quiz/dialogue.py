"""The quiz after instruction: whether a participant knows how the tools of their condition work."""

from collections.abc import Collection, Generator
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from mensura.catalog.crisis.quiz.scoring import PREFIX, SCORES, score
from mensura.catalog.crisis.settings import Condition, find_condition
from mensura.catalog.crisis.world.data import Data, read
from mensura.dialogue import Ask, Choice, Outcome, test
from mensura.yaml_file import parse_yaml

INTRODUCTION = "A few questions about the tools, so that you and we know that they are clear. Take the time you need."


class QuizQuestion(Data):
    """One question; the first option is right, and options are shown in an order drawn by chance."""

    key: str
    text: str
    options: tuple[str, ...]
    tools: tuple[str, ...] = ()


@cache
def questions() -> tuple[QuizQuestion, ...]:
    """Read all questions."""

    said = parse_yaml(files(__package__).joinpath("quiz.yaml").read_text(encoding="utf-8"), "quiz.yaml")
    return tuple(read(QuizQuestion, each, place="quiz.yaml") for each in said)


def quiz_for(tools: Collection[str]) -> tuple[QuizQuestion, ...]:
    """Return the questions about tools that a condition has.

    >>> [each.key for each in quiz_for({"order", "move", "copy", "look"})]
    ['clock', 'vendors', 'move', 'specification', 'sheet']
    """
    return tuple(each for each in questions() if set(each.tools) <= set(tools))


def chance_levels(*, condition: str = "agent") -> dict[str, float]:
    """Return what guessing scores: one of three options is right."""
    asked = quiz_for(find_condition(condition).tools)
    return {"accuracy": sum(1 / len(each.options) for each in asked) / len(asked)}


@test("crisis-quiz-v1", score=score, scores=SCORES, scoring="2", chance=chance_levels)
def quiz(rng: np.random.Generator, *, condition: Condition = "agent") -> Generator[Ask, Any, Outcome]:
    """Answer a few questions about how the tools of the office work."""
    yield Ask(INTRODUCTION)
    for question in quiz_for(find_condition(condition).tools):
        shown = tuple(question.options[place] for place in rng.permutation(len(question.options)))
        right = question.options[0]
        answer = yield Ask(question.text, Choice(shown), key=f"{PREFIX}{question.key}", truth=right)
        if answer != right:
            # Instruction goes on here: what is right is told after each answer.
            yield Ask(f"Not quite: {right}")
    return Outcome("Thank you. The office comes next.")
