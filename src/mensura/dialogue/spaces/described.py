"""Described: a space of which only the description is known; and spaces made again from their descriptions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from inspect import signature
from typing import Any, ClassVar

import numpy as np

from mensura.dialogue.spaces.base import LIKE, Space, space_class, typed
from mensura.errors import MensuraError


def read_space(described: Mapping[str, Any], *, schema: Mapping[str, Any] | None = None) -> Space:
    """Make a space of its description.

    >>> read_space({"kind": "choice", "options": ["red", "blue"]})
    Choice(options=('red', 'blue'))
    """
    try:
        found = space_class(str(described.get("kind")))
        if found is None and (found := space_class(str(described.get(LIKE)))) is not None:
            described = {name: value for name, value in described.items() if name in signature(found).parameters}
        if found is not None:
            return found.read(described)
    except Exception:
        # Its package may be hidden from a subject, or its description may be all that there is.
        pass
    return Described(described, schema or {})


@dataclass(frozen=True)
class Described(Space):
    """A space of a kind that is not known here: it has its description and its schema, and lets all answers pass."""

    kind: ClassVar[str] = "described"
    description: Mapping[str, Any]
    answers: Mapping[str, Any] = field(default_factory=dict)
    """JSON schema of valid answers."""

    def check(self, answer: Any) -> Any:
        return answer

    def schema(self) -> dict[str, Any]:
        return dict(self.answers)

    def draw(self, rng: np.random.Generator) -> Any:
        raise MensuraError(f"Answers of kind {self.description.get('kind')!r} cannot be drawn outside the test.")

    def parse(self, form: Mapping[str, str]) -> str:
        return typed(form)
