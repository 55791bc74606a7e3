"""Parameter: something of a test that a user can set, by flag or in a file."""

import inspect
import types
import typing
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any

from mensura.errors import BadParameter

EMPTY = inspect.Parameter.empty
TAKES: dict[type, str] = {
    int: "whole number",
    float: "number",
    bool: "yes or no",
    str: "text",
    tuple: "values separated by commas",
    list: "values separated by commas",
    dict: "data, from Python or a plan",
}
SWITCH = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


class Bare(str):
    """A flag that was given without a value: a switch, and nothing else, is turned on by it."""

    __slots__ = ()


@dataclass(frozen=True)
class Between:
    """The numbers that a parameter takes, ends included: `flips: Annotated[int, "How many coins.", Between(1)]`."""

    least: float = -inf
    most: float = inf

    def __contains__(self, value: Any) -> bool:
        # Anything that is no number is left to the type.
        return not isinstance(value, (int, float)) or self.least <= value <= self.most

    def __str__(self) -> str:
        """Write it as what follows "is".

        >>> str(Between(1)), str(Between(0, 0.5))
        ('at least 1', 'from 0 to 0.5')
        """
        if self.most == inf:
            return f"at least {self.least:g}"
        return f"at most {self.most:g}" if self.least == -inf else f"from {self.least:g} to {self.most:g}"


def flag_of(name: str) -> str:
    """Return how an option is typed.

    >>> flag_of("step_cost"), flag_of("--all")
    ('--step-cost', '--all')
    """
    return f"--{name.lstrip('-').replace('_', '-')}"


@dataclass(frozen=True)
class Parameter:
    """Name, type, default and meaning of one keyword argument of a test's function."""

    name: str
    type: type
    default: Any
    choices: tuple[Any, ...] = ()
    """The only values that it can take; empty where it can take any of its type."""
    about: str = ""
    """Its meaning and which values it takes, as declared beside it: `flips: Annotated[int, "How many coins."] = 20`."""
    bounds: Between = Between()

    @property
    def flag(self) -> str:
        """The option of the command line that sets it."""
        return flag_of(self.name)

    @property
    def shown(self) -> Any:
        """The default as users see it; None where a value must be given."""
        return None if self.default is EMPTY else self.default

    @property
    def structured(self) -> bool:
        """Return whether its default has parts, so that no line of text can stand for it."""
        return is_structured(self.shown)

    @property
    def takes(self) -> str:
        """Return the kind of value it takes.

        >>> Parameter("slip", float, 0.1).takes, Parameter("talk", str, "free", ("free", "turns", "none")).takes
        ('number', 'free, turns or none')
        """
        if self.choices:
            *others, last = map(str, self.choices)
            return f"{', '.join(others)} or {last}" if others else last
        if self.structured:
            return "data, from Python or a plan"
        return TAKES.get(self.type, "any value")

    @property
    def default_words(self) -> str:
        """The default in words; "" where a value must be given.

        >>> [Parameter("", type(default), default).default_words for default in ("", False, 10.0, 0.25)]
        ['none', 'no', '10', '0.25']
        """
        if self.default is EMPTY:
            return ""
        if self.structured:
            return "built in"
        if isinstance(self.default, bool):
            return "yes" if self.default else "no"
        if isinstance(self.default, (tuple, list)):
            return ", ".join(map(str, self.default)) or "none"
        if isinstance(self.default, float) and self.default.is_integer():
            return f"{self.default:.0f}"
        return "none" if self.default in (None, "") else str(self.default)

    @property
    def declaration(self) -> str:
        """The line by which a test declares it, with a sentence where it has none.

        >>> Parameter("flips", int, 20).declaration
        'flips: Annotated[int, "What it is, and which values it takes."] = 20'
        """
        kind = self.type.__name__ if self.type is not object else "str | None"
        if self.choices:
            kind = f"Literal[{', '.join(map(repr, self.choices))}]"
        default = "" if self.default is EMPTY else f" = {self.default!r}"
        return f'{self.name}: Annotated[{kind}, "What it is, and which values it takes."]{default:.60}'

    def described(self) -> str:
        """Return its sentence, what it takes and its default, as the help of an option shows them.

        >>> Parameter("flips", int, 20, about="How many coins are asked about.").described()
        'How many coins are asked about.  [whole number; default: 20]'
        """
        default = f"default: {self.default_words}" if self.default is not EMPTY else "required"
        return f"{self.about}  [{self.takes}; {default}]".strip()

    def read(self, value: Any) -> Any:
        """Read a value given as text or as itself.

        >>> Parameter("flips", int, 20).read("40"), Parameter("named", bool, False).read("yes")
        (40, True)
        """
        if isinstance(value, Bare) and self.type is not bool:
            raise BadParameter(f"{self.flag} needs a value.")
        try:
            read = self._read(value)
        except (ValueError, TypeError, KeyError):
            raise BadParameter(f"{self.flag} takes {self._kind}; got {value!r}.") from None
        if self.choices and read not in self.choices:
            raise BadParameter(f"{self.flag} takes {' or '.join(map(str, self.choices))}; got {value!r}.")
        if read not in self.bounds:
            raise BadParameter(f"{self.flag} is {self.bounds}; got {value}.")
        return read

    @property
    def _kind(self) -> str:
        """Return the kind of value it takes, with its article."""
        takes = TAKES.get(self.type, f"a value of type {self.type.__name__}")
        return f"a {takes}" if self.type in (int, float) else takes

    def _read(self, value: Any) -> Any:
        if value is None or self.type is object:
            return value
        if self.type is bool and isinstance(value, str):
            return SWITCH[value.lower()]
        if isinstance(value, self.type) and not (self.type is int and isinstance(value, bool)):
            return value
        if self.type in (tuple, list) and isinstance(value, str):
            return self.type(part.strip() for part in value.split(","))
        if self.type is int and isinstance(value, float) and value != int(value):
            raise ValueError(value)
        return self.type(value)


def read_parameters(function: Callable[..., Any], *, leave_out: Collection[str]) -> dict[str, Parameter]:
    """Return the keyword arguments of a function that users can set, by name."""
    # What a partial has filled in is no parameter, and its types are those of the function inside.
    hints = typing.get_type_hints(function.func if isinstance(function, partial) else function, include_extras=True)
    return {
        name: _parameter(name, hints.get(name), argument.default)
        for name, argument in inspect.signature(function).parameters.items()
        if name not in leave_out and argument.kind is not inspect.Parameter.VAR_KEYWORD
    }


def is_sentence(about: str) -> bool:
    """Return whether what is said of a parameter is a sentence: three words or more that end with a full stop.

    >>> is_sentence("How many coins are asked about."), is_sentence("the flips"), is_sentence("")
    (True, False, False)
    """
    return len(about.split()) >= 3 and about.rstrip().endswith(".")


def is_structured(value: Any) -> bool:
    """Return whether a value has parts, so that no line of text can stand for it.

    >>> is_structured(("a", "b")), is_structured([{"a": 1}]), is_structured({})
    (False, True, True)
    """
    if isinstance(value, Mapping):
        return True
    return isinstance(value, (tuple, list)) and any(isinstance(part, (Mapping, tuple, list)) for part in value)


def _parameter(name: str, hint: Any, default: Any) -> Parameter:
    plain, about, bounds = _without_extras(hint)
    choices = typing.get_args(plain) if typing.get_origin(plain) is typing.Literal else ()
    return Parameter(name, _plain_type(plain, default), default, choices, about, bounds)


def _without_extras(hint: Any) -> tuple[Any, str, Between]:
    """Return the type that reads a value, and the sentence and the bounds that `Annotated` holds about it."""
    about, bounds = "", Between()
    while True:
        origin = typing.get_origin(hint)
        if origin is typing.Annotated:
            sentences = [extra for extra in hint.__metadata__ if isinstance(extra, str)]
            about = about or next(iter(sentences), "")
            bounds = next((extra for extra in hint.__metadata__ if isinstance(extra, Between)), bounds)
            hint = hint.__origin__
        elif origin in (typing.Union, types.UnionType):
            hint = next((part for part in typing.get_args(hint) if part is not type(None)), object)
        else:
            return hint, about, bounds


def _plain_type(hint: Any, default: Any) -> type:
    """Find the class that reads a value: from the annotation, else from the default."""
    origin = typing.get_origin(hint) or hint
    if origin is typing.Literal:
        return type(typing.get_args(hint)[0])
    if isinstance(origin, type):
        return origin
    return object if default in (None, EMPTY) else type(default)
