"""Callable: a function, class or object of Python's as a subject, in this process."""

import inspect
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from mensura.errors import BadParameter
from mensura.subjects.subject import Subject

NEEDS = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def as_subject(thing: Any, *, options: Mapping[str, Any] | None = None) -> Subject:
    """Make a subject of what Python code offers: nothing is wrapped, so nothing is slowed down.

    A function of one argument is the subject itself. A class, or a function that needs no argument, makes the
    subject; `options` are its keyword arguments.

    Examples
    --------
    >>> as_subject(lambda ask: 0.5)("any ask")
    0.5
    >>> class Half:
    ...     def __call__(self, ask):
    ...         return 0.5
    >>> as_subject(Half)("any ask")
    0.5
    """
    if not callable(thing):
        raise BadParameter(f"A subject is a function or a class; got {type(thing).__name__} {thing!r}.")
    needed = _needed(thing)
    makes = isinstance(thing, type) or (needed is not None and not needed)
    if not makes:
        if options:
            raise BadParameter(f"{_name(thing)} is a plain function and takes no options; got {', '.join(options)}.")
        return thing  # type: ignore[no-any-return]
    subject = _made(thing, dict(options or {}))
    if not callable(subject):
        raise BadParameter(f"{_name(thing)} should make a subject, a callable ask → answer; it gave {subject!r}.")
    return subject  # type: ignore[no-any-return]


def _made(thing: Any, options: dict[str, Any]) -> Any:
    try:
        _signature(thing).bind(**options)
    except TypeError as error:
        raise BadParameter(f"{_name(thing)} cannot be made with {options or 'no options'}: {error}.") from None
    except ValueError:
        return thing(**options)
    return thing(**options)


def takes(thing: Any) -> Mapping[str, inspect.Parameter] | None:
    """Return the parameters of what can be called; None where Python cannot say."""
    try:
        return _signature(thing).parameters
    except (ValueError, TypeError):
        return None


def _signature(thing: Any) -> inspect.Signature:
    return _of_class(thing) if isinstance(thing, type) else inspect.signature(thing)


@lru_cache(maxsize=256)
def _of_class(kind: type) -> inspect.Signature:
    """Read the signature of a class once: every session makes its subjects anew."""
    return inspect.signature(kind)


def _needed(thing: Any) -> list[str] | None:
    """List the positional arguments that must be given; None where Python cannot say."""
    found = takes(thing)
    parameters = () if found is None else found.values()
    if found is None or any(parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in parameters):
        return None
    return [
        parameter.name
        for parameter in parameters
        if parameter.kind in NEEDS and parameter.default is inspect.Parameter.empty
    ]


def _name(thing: Any) -> str:
    return str(getattr(thing, "__qualname__", None) or repr(thing))
