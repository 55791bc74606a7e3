"""Machine code: functions compiled by numba on their first call, kept on disk, free of the interpreter lock."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeVar, cast

from mensura.errors import MissingExtra
from mensura.kernel_cache import cache_of

Function = TypeVar("Function", bound=Callable[..., object])


def compiler(*folders: Path, extra: str, inline: bool = False, counted: bool = True) -> Callable[[Function], Function]:
    """Return what compiles the functions of some folders, each on its first call.

    Without numba its functions can be imported; a call of one raises MissingExtra.

    Parameters
    ----------
    extra
        The extra that brings numba to those who call these functions.
    folders
        Where all that is compiled stands, with all that it calls. numba looks at the function's own file only, but
        machine code holds all it calls: a change in any of their files counts.
    inline
        Whether a function is written into those that call it: handing over a dozen arrays can cost more than its work.
    counted
        Whether references to arrays are counted as they are handed on, which can take longer than all else; a function
        without it can make no array.
    """
    try:
        import numba
    except ImportError:
        return _refusing(extra)

    def compiled(function: Function) -> Function:
        if getattr(numba.config, "DISABLE_JIT", False):
            return function
        given: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": counted}
        made: Any = numba.njit(inline="always" if inline else "never", **given)(function)
        made._cache = cache_of(function, folders)
        return cast(Function, made)

    return compiled


def for_types_of(function: Any, *arguments: Any) -> Any:
    """Return the machine code of a compiled function for arguments of these types, and for no others.

    It does not look at the types of what it is handed, which for two dozen arrays takes half as long as their work;
    arrays of other types are misread.
    """
    try:
        import numba
    except ImportError:
        return function(*arguments)
    compiles, type_of = getattr(function, "compile", None), cast(Callable[[Any], Any], numba.typeof)
    return function if compiles is None else compiles(tuple(type_of(one) for one in arguments))


def _refusing(extra: str) -> Callable[[Function], Function]:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise MissingExtra(f"Compiled loops of {extra}", package="numba", extra=extra)

    def refused(function: Function) -> Function:
        return cast(Function, refuse)

    return refused
