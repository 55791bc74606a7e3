"""Constant: always gives the same answer."""

import json
from typing import Any

from mensura.dialogue import Ask
from mensura.json_file import loads
from mensura.subjects.naming import Factory, Naming
from mensura.subjects.subject import Unlearning


class Constant(Unlearning):
    """Always gives the same answer.

    >>> Constant(0.5)(Ask("Heads?"))
    0.5
    """

    recomputes = True

    def __init__(self, value: Any) -> None:
        self.value = value
        self.name = f"constant:{json.dumps(value)}"

    @classmethod
    def read(cls, text: str) -> "Constant":
        """Read the answer as JSON, or as plain text where it is none.

        >>> Constant.read("0.5").value, Constant.read("red").value
        (0.5, 'red')
        """
        try:
            return cls(loads(text))
        except ValueError:
            return cls(text)

    def __call__(self, ask: Ask) -> Any:
        return self.value


def named(rest: str, *, naming: Naming) -> Factory:
    """Read a name such as `constant:0.5`."""
    naming.allow()
    return lambda: Constant.read(rest)
