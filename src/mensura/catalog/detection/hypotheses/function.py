"""Functions of the user's own, found by name: in a package, or in a file beside the specification."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from mensura.errors import BadParameter, MensuraError
from mensura.subjects.source import load_module


def load_function(name: str) -> Callable[..., Any]:
    """Find a function written ``package.module:function`` or ``./file.py:function``.

    >>> load_function("math:sqrt")(4)
    2.0
    """
    place, _, attribute = name.rpartition(":")
    how = "Write package.module:function or ./file.py:function."
    try:
        module = load_module(place)
        function = getattr(module, attribute)
    except (ImportError, AttributeError, ValueError, MensuraError) as error:
        raise BadParameter(f"There is no function {name!r} ({error}). {how}") from error
    if not callable(function):
        raise BadParameter(f"{name!r} is not a function. {how}")
    return function  # type: ignore[no-any-return]


def beside(name: str, *, folder: Path) -> str:
    """Return the name of a function with its file, if it is in one, sought from a folder."""
    place, sign, attribute = name.rpartition(":")
    return f"{folder / place}{sign}{attribute}" if place.endswith(".py") else name
