"""Choice: one of several named alternatives. Action: the same for agents, by number."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from mensura.dialogue.spaces.base import Json, Space, gymnasium_spaces, place_in, shown, typed
from mensura.errors import Invalid, nearest


@dataclass(frozen=True)
class Choice(Space):
    """One of several named alternatives.

    >>> Choice(("red", "blue")).check("red")
    'red'
    >>> Choice(("red", "blue")).check("gren")
    Traceback (most recent call last):
    mensura.errors.Invalid: Choose one of red, blue; got 'gren'.
    """

    kind: ClassVar[str] = "choice"
    natural: ClassVar[str] = "mensura.scores.natural:ACCURACY"
    alternatives: ClassVar[str] = "options"
    options: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", tuple(self.options))

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.options)

    def check(self, answer: Any) -> str:
        if type(answer) is str and answer in self._known:
            return answer
        raise Invalid("Choose one of {options}; got {got}.", options=", ".join(self.options), got=shown(answer))

    def outcome(self, answer: Any) -> str:
        """Read an alternative by its name, or by its number from 0 or its letter from A where that is not ambiguous.

        >>> Choice(("Rome", "Paris")).outcome("B"), Choice(("Rome", "Paris")).outcome(0)
        ('Paris', 'Rome')
        """
        return alternative(self.options, answer)

    def schema(self) -> Json:
        return {"type": "string", "enum": list(self.options)}

    def draw(self, rng: np.random.Generator) -> str:
        return self.options[int(rng.integers(len(self.options)))]

    def parse(self, form: Mapping[str, str]) -> str:
        return typed(form)

    def hint(self) -> str:
        return f"One of: {', '.join(self.options)}."

    def gym(self) -> Any:
        return gymnasium_spaces().Discrete(len(self.options))

    def from_gym(self, action: Any) -> str:
        return self.options[place_in(len(self.options), action)]


@dataclass(frozen=True)
class Action(Space):
    """One of several moves, answered by number from 0 or by name; the canonical answer is the number.

    >>> Action(("left", "right")).check("right"), Action(("left", "right")).check(0)
    (1, 0)
    """

    kind: ClassVar[str] = "action"
    natural: ClassVar[str] = "mensura.scores.natural:ACCURACY"
    alternatives: ClassVar[str] = "names"
    submits: ClassVar[bool] = True
    names: tuple[str, ...]
    keys: tuple[str, ...] = ()
    """Keyboard keys for people, one per move, as browsers name them ("ArrowLeft")."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "keys", tuple(self.keys))

    @cached_property
    def _count(self) -> int:
        return len(self.names)

    def check(self, answer: Any) -> int:
        if type(answer) is int and 0 <= answer < self._count:
            return answer
        if isinstance(answer, np.integer):
            return self.check(int(answer))
        if isinstance(answer, str) and answer in self.names:
            return self.names.index(answer)
        last = self._count - 1
        raise Invalid(
            "A move is a number from 0 to {last} or one of {names}; got {got}.",
            last=last,
            names=", ".join(self.names),
            got=shown(answer),
        )

    def schema(self) -> Json:
        return {"type": "string", "enum": list(self.names)}

    def draw(self, rng: np.random.Generator) -> int:
        return int(rng.integers(self._count))

    def parse(self, form: Mapping[str, str]) -> int | str:
        text = typed(form)
        if text.isdecimal() and text not in self.names:
            return int(text)
        if text not in self.names:
            if near := nearest(text, self.names):
                raise Invalid("There is no move called {got}. Did you mean {near}?", got=repr(text), near=near)
            raise Invalid("There is no move called {got}. Moves are {all}.", got=repr(text), all=", ".join(self.names))
        return text

    def hint(self) -> str:
        return f"A move: one of {', '.join(self.names)}."

    def gym(self) -> Any:
        return gymnasium_spaces().Discrete(self._count)

    def from_gym(self, action: Any) -> int:
        return place_in(self._count, action)


def alternative(options: Sequence[str], answer: Any) -> str:
    """Find the alternative that is right, by its name, its number from 0 or its letter from A."""
    if isinstance(answer, bool):
        if set(options) == {"yes", "no"}:
            return "yes" if answer else "no"
        raise Invalid(f"The answer must be one of {', '.join(options)}; got {str(answer).lower()}.")
    text = str(answer).strip() if isinstance(answer, (str, int, float)) else ""
    place = _place(answer, len(options))
    if text in options:
        if isinstance(answer, int) and place is not None and options[place] != text:
            both = f"The answer {answer} may be the option {text!r} or the number of {options[place]!r}."
            raise Invalid(f"{both} Write the option itself, in quotation marks.")
        return text
    if place is None:
        raise Invalid(f"The answer must be one of {', '.join(options)}; got {shown(answer)}.")
    return options[place]


def _place(answer: Any, count: int) -> int | None:
    """Read the number of an alternative from 0, or its letter from A."""
    place = -1
    if isinstance(answer, int):
        place = answer
    elif isinstance(answer, str) and len(answer.strip()) == 1:
        place = ord(answer.strip()) - ord("A")
    return place if 0 <= place < count else None
