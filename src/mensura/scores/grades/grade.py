"""Grade: which grader an item names, with its options, and what it makes of an answer."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from mensura.dialogue.score import Score
from mensura.errors import BadFile, unknown
from mensura.json_file import loads
from mensura.scores.grades import exact, members, numeric, overlap, pattern
from mensura.scores.grades.code import CODE, check_program, code_grades

GRADE, ANSWER = "grade", "answer"
WRITTEN = '`grade` is the name of a grader or {"by": name, ...}'
SCORES = {
    "accuracy": Score("accuracy", better="more", proportion=True),
    "exact_match": Score("exact_match", better="more", proportion=True),
    "token_f1": Score("token_f1", better="more", low=0, high=1, label="token F1"),
    "set_f1": Score("set_f1", better="more", low=0, high=1, label="set F1"),
    "set_precision": Score("set_precision", better="more", low=0, high=1),
    "set_recall": Score("set_recall", better="more", low=0, high=1),
    "tests_passed": Score("tests_passed", better="more", low=0, high=1),
}
"""The declarations of the scores that graders give."""


@dataclass(frozen=True)
class Grader:
    """A way to grade: its function with its options as keywords, and how what is right is checked beforehand."""

    function: Callable[..., dict[str, float]]
    check: Callable[..., Any]
    choices: Mapping[str, Sequence[str]]
    """Option → the words that it can be, or be a list of."""
    several: bool = True
    """Whether a list of answers means that each of them is right; otherwise the list is the answer."""
    kinds: tuple[str, ...] = ("text",)
    """Kinds of spaces whose answers it can read."""

    @property
    def options(self) -> dict[str, Any]:
        """Its options and what they are unless an item says otherwise."""
        parameters = inspect.signature(self.function).parameters.values()
        return {one.name: one.default for one in parameters if one.kind is one.KEYWORD_ONLY}


def _text(truth: Any, **options: Any) -> str:
    if isinstance(truth, bool) or not isinstance(truth, (str, int, float)):
        raise BadFile(f"What is right is a text, or a list of texts that are all right; got {truth!r}.")
    return str(truth)


def _number(truth: Any, *, unit: str = "", **options: Any) -> Any:
    if numeric.read_quantity(truth, unit=unit) is None:
        raise BadFile(f"The answer of a numeric item is a number, 42 or '3/4'; got {truth!r}.")
    return truth


def _set(truth: Any, **options: Any) -> Any:
    if not isinstance(truth, (list, tuple)):
        raise BadFile(f'The answer of a set is the list of its members, ["iron", "gold"]; got {truth!r}.')
    return [[_text(name) for name in one] if isinstance(one, (list, tuple)) else _text(one) for one in truth]


IGNORE = {"ignore": exact.IGNORABLE}
GRADERS = {
    "exact": Grader(exact.exact, _text, IGNORE),
    "pattern": Grader(
        pattern.pattern, lambda truth, **options: pattern.check_pattern(truth), {"where": pattern.PLACES}
    ),
    "numeric": Grader(numeric.numeric, _number, {"find": numeric.PLACES}, kinds=("text", "number")),
    "set": Grader(members.members, _set, {"count": members.COUNTS, **IGNORE}, several=False),
    "f1": Grader(overlap.f1, _text, {}),
    CODE: Grader(code_grades, check_program, {}, several=False),
}


def graded_truth(grade: Any, answer: Any) -> dict[str, Any]:
    """Return what is right together with how it is graded, as one truth.

    Parameters
    ----------
    grade
        The name of a grader ("numeric"), or a mapping with its options ({"by": "numeric", "relative": 0.01}), also as
        JSON.
    answer
        What is right; for most graders a list means that each of its parts is.

    Raises
    ------
    BadFile
        If there is no such grader or option, or the answer is none that it can grade.

    Examples
    --------
    >>> graded_truth({"by": "numeric", "absolute": 0.5}, "3/4")
    {'grade': {'by': 'numeric', 'absolute': 0.5}, 'answer': ['3/4']}
    """
    name, options = read_grade(grade)
    grader = GRADERS[name]
    if not grader.several:
        return {GRADE: {"by": name, **options}, ANSWER: grader.check(answer, **options)}
    every = answer if isinstance(answer, (list, tuple)) else [answer]
    if not every:
        raise BadFile(f"A {name} item needs at least one answer that is right; got an empty list.")
    return {GRADE: {"by": name, **options}, ANSWER: [grader.check(one, **options) for one in every]}


def read_grade(grade: Any) -> tuple[str, dict[str, Any]]:
    """Return the name of a grader and its options, or raise a sentence for what there is not.

    >>> read_grade('{"by": "set", "count": "all"}')
    ('set', {'count': 'all'})
    """
    if isinstance(grade, str) and grade.startswith("{"):
        try:
            grade = loads(grade)
        except ValueError:
            raise BadFile(f"{WRITTEN}; got {grade!r}, which is not JSON.") from None
    described = {"by": grade} if isinstance(grade, str) else grade
    if not isinstance(described, Mapping) or not isinstance(described.get("by"), str):
        raise BadFile(f"{WRITTEN}; got {grade!r}.")
    name, options = described["by"], {key: value for key, value in described.items() if key != "by"}
    if name not in GRADERS:
        raise BadFile(str(unknown("grader", name, known=GRADERS, see=f"Graders are {', '.join(GRADERS)}.")))
    _check_options(name, GRADERS[name], options)
    return name, options


def is_graded(truth: Any) -> TypeGuard[Mapping[str, Any]]:
    """Return whether a truth says how it is graded."""
    return isinstance(truth, Mapping) and set(truth) == {GRADE, ANSWER}


def grades(answer: Any, truth: Mapping[str, Any], *, verdict: Any = None) -> dict[str, float]:
    """Return what a grader makes of an answer: scores by name, from 0 to 1; of several right answers the best.

    Parameters
    ----------
    answer
        What was answered; None where nothing was, and its scores are NaN.
    truth
        As `graded_truth` gives it.
    verdict
        What running the tests of a program has shown; None where they have not been run.

    Examples
    --------
    >>> grades("NYC", graded_truth("exact", ["New York", "NYC"]))
    {'accuracy': 1.0}
    """
    described = dict(truth[GRADE])
    name = described.pop("by")
    grader = GRADERS[name]
    if name == CODE:
        return code_grades(answer, verdict)
    given = "" if answer is None else answer if name == "numeric" else str(answer)
    every = truth[ANSWER] if grader.several else [truth[ANSWER]]
    found = [grader.function(given, one, **described) for one in every]
    if answer is None:
        return dict.fromkeys(found[0], float("nan"))
    return {score: max(one[score] for one in found) for score in found[0]}


def _check_options(name: str, grader: Grader, options: Mapping[str, Any]) -> None:
    known = grader.options
    for option, value in options.items():
        if option not in known:
            see = f"There are {', '.join(known) or 'none'}."
            raise BadFile(str(unknown(f"option of the grader {name}", option, known=known, see=see)))
        words = grader.choices.get(option)
        if words is not None:
            given = value if option in IGNORE and isinstance(value, (list, tuple)) else [value]
            if not all(one in words for one in given):
                raise BadFile(f"The option {option} of the grader {name} is {' or '.join(words)}; got {value!r}.")
        elif isinstance(known[option], float):
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < float("inf"):
                raise BadFile(f"The option {option} of the grader {name} is a number of at least 0; got {value!r}.")
        elif not isinstance(value, type(known[option])):
            raise BadFile(f"The option {option} of the grader {name} is {known[option]!r} or the like; got {value!r}.")
