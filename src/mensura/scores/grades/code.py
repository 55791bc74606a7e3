"""Code: an answer that is a program; what its tests showed when it was run is stored, and only read here."""

import re
from collections.abc import Mapping
from typing import Any

from mensura.errors import BadFile

CODE = "code"
SECONDS, MEGABYTES = 10.0, 1024.0
FENCE = re.compile(r"```[\w+-]*\n(.*?)```", re.DOTALL)


def verdict_key(key: str) -> str:
    """Name the truth that holds what running the answer to a key has shown.

    >>> verdict_key("sort")
    'sort/verdict'
    """
    return f"{key}/verdict"


def code_grades(
    answer: Any, verdict: Any = None, *, seconds: float = SECONDS, megabytes: float = MEGABYTES
) -> dict[str, float]:
    """Return the share of tests that a program passed, and whether it passed all; NaN until they have been run.

    The limits are those within which `mensura score RUN --code` runs it; nothing is run here.

    >>> code_grades("...", {"passed": 2, "tests": 4})
    {'accuracy': 0.0, 'tests_passed': 0.5}
    """
    if answer is None or not isinstance(verdict, Mapping):
        return {"accuracy": float("nan"), "tests_passed": float("nan")}
    passed, tests = int(verdict["passed"]), int(verdict["tests"])
    return {"accuracy": float(passed == tests), "tests_passed": passed / tests}


def check_program(truth: Any, **options: Any) -> list[str]:
    """Return the tests of an item: each a piece of Python that raises where the program before it is wrong."""
    tests = [truth] if isinstance(truth, str) else truth
    if not isinstance(tests, (list, tuple)) or not tests or not all(isinstance(one, str) and one for one in tests):
        raise BadFile(f'The answer of a code item is its tests, ["assert add(1, 2) == 3"]; got {truth!r}.')
    return list(tests)


def program_in(answer: str) -> str:
    """Return the program of an answer: its last fenced block, or all of it.

    >>> program_in("Here it is:\\n```python\\nx = 1\\n```")
    'x = 1\\n'
    """
    blocks = FENCE.findall(answer)
    return blocks[-1] if blocks else answer
