"""Parameter: something of a test that a user can set, by flag or in a file."""

import inspect
import types
import typing
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import Any

from mensura.errors import BadParameter

EMPTY = inspect.Parameter.empty
SWITCH = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


class Bare(str):
    """A flag that was given without a value: a switch, and nothing else, is turned on by it."""

    __slots__ = ()


@dataclass(frozen=True)
class Parameter:
    """Name, type and default of one keyword argument of a test's function."""

    name: str
    type: type
    default: Any
    choices: tuple[Any, ...] = ()
    """The only values that it can take; empty where it can take any of its type."""

    @property
    def shown(self) -> Any:
        """The default as users see it; None where a value must be given."""
        return None if self.default is EMPTY else self.default

    def read(self, value: Any) -> Any:
        """Read a value given as text or as itself.

        >>> Parameter("flips", int, 20).read("40"), Parameter("named", bool, False).read("yes")
        (40, True)
        """
        flag = f"--{self.name.replace('_', '-')}"
        if isinstance(value, Bare) and self.type is not bool:
            raise BadParameter(f"{flag} needs a value.")
        try:
            read = self._read(value)
        except (ValueError, TypeError, KeyError):
            raise BadParameter(f"{flag} takes a value of type {self.type.__name__}; got {value!r}.") from None
        if self.choices and read not in self.choices:
            raise BadParameter(f"{flag} takes {' or '.join(map(str, self.choices))}; got {value!r}.")
        return read

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
    """List the keyword arguments of a function that users can set."""
    # What a partial has filled in is no parameter, and its types are those of the function inside.
    hints = typing.get_type_hints(function.func if isinstance(function, partial) else function)
    return {
        name: Parameter(
            name, _plain_type(hints.get(name), argument.default), argument.default, _choices(hints.get(name))
        )
        for name, argument in inspect.signature(function).parameters.items()
        if name not in leave_out and argument.kind is not inspect.Parameter.VAR_KEYWORD
    }


def _choices(hint: Any) -> tuple[Any, ...]:
    return typing.get_args(hint) if typing.get_origin(hint) is typing.Literal else ()


def _plain_type(hint: Any, default: Any) -> type:
    """Find the class that reads a value: from the annotation, else from the default."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        hint = next((part for part in typing.get_args(hint) if part is not type(None)), object)
    origin = typing.get_origin(hint) or hint
    if origin is typing.Literal:
        return type(typing.get_args(hint)[0])
    if isinstance(origin, type):
        return origin
    return object if default in (None, EMPTY) else type(default)
