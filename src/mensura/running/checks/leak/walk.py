"""Walk: every object that can be reached from another by attributes, containers and closures."""

import types
import weakref
from collections import deque
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

LEAVES = (str, bytes, bytearray, int, float, complex, bool, type(None), np.generic, range)
ARRAY = 1000
"""Numbers of an array that are looked at."""


def walk(root: Any, path: str, *, seen: dict[int, Any], most: int) -> Iterator[tuple[str, Any]]:
    """Return what can be reached with the way to it, nearest first, each object once.

    Not followed: modules and their names, classes that stand in modules, and builtin functions. They are the same
    for every session.

    Parameters
    ----------
    seen
        Objects met before, by id; kept here so that their ids stay theirs.
    most
        How many objects are looked at.
    """
    waiting = deque([(path, root)])
    while waiting and most > 0:
        where, thing = waiting.popleft()
        leaf = isinstance(thing, LEAVES) and not _carries(thing)
        if not leaf:
            if id(thing) in seen or _elsewhere(thing):
                continue
            seen[id(thing)] = thing
        most -= 1
        yield where, thing
        if not leaf:
            waiting.extend((f"{where}, {name}" if name else where, inner) for name, inner in _inside(thing))


def _carries(leaf: Any) -> bool:
    """Return whether a text or number is of a kind of its own and holds something by name."""
    return type(leaf) not in LEAVES and next(attributes(leaf), None) is not None


def _elsewhere(thing: Any) -> bool:
    """Return whether a thing belongs to the program and not to a session."""
    if isinstance(thing, type):
        return "<locals>" not in thing.__qualname__
    return isinstance(thing, (types.ModuleType, types.BuiltinFunctionType, np.dtype)) and not hasattr(thing, "__dict__")


def _inside(thing: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(thing, (Mapping, types.MappingProxyType)):
        for name, inner in list(thing.items()):
            yield "", name
            yield str(name), inner
    elif isinstance(thing, (list, tuple, deque)):
        yield from ((f"number {i + 1}", inner) for i, inner in enumerate(list(thing)))
    elif isinstance(thing, (set, frozenset)):
        yield from (("", inner) for inner in list(thing))
    elif isinstance(thing, np.ndarray):
        yield from ((f"number {i + 1}", inner) for i, inner in enumerate(thing.ravel()[:ARRAY].tolist()))
    elif isinstance(thing, types.FunctionType):
        yield from _of_function(thing)
    elif isinstance(thing, types.CellType):
        yield from _cell(thing)
    elif isinstance(thing, types.MethodType):
        yield from (("", thing.__self__), ("", thing.__func__))
    elif isinstance(thing, partial):
        yield from (("", thing.func), ("its arguments", thing.args), ("its arguments", thing.keywords))
    elif isinstance(thing, (types.GeneratorType, types.CoroutineType)):
        frame = thing.gi_frame if isinstance(thing, types.GeneratorType) else thing.cr_frame
        yield "its frame", dict(frame.f_locals) if frame is not None else {}
    elif isinstance(thing, weakref.ref):
        yield "", thing()
    elif isinstance(thing, type):
        yield from (
            (name, inner) for name, inner in vars(thing).items() if not isinstance(inner, types.GetSetDescriptorType)
        )
        return
    yield from attributes(thing)


def _of_function(function: Any) -> Iterator[tuple[str, Any]]:
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=False):
        yield f"closure {name}", cell
    yield "its defaults", function.__defaults__ or ()
    yield "its defaults", function.__kwdefaults__ or {}


def _cell(cell: Any) -> Iterator[tuple[str, Any]]:
    try:
        yield "", cell.cell_contents
    except ValueError:
        return


def attributes(thing: Any) -> Iterator[tuple[str, Any]]:
    """Return what an object holds by name, also where it has slots or is made in C."""
    own = getattr(thing, "__dict__", None)
    if isinstance(own, dict):
        yield from ((str(name), inner) for name, inner in list(own.items()))
    for kind in type(thing).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            mangled = (
                f"_{kind.__name__.lstrip('_')}{name}" if name.startswith("__") and not name.endswith("__") else name
            )
            if name not in ("__dict__", "__weakref__") and hasattr(thing, mangled):
                yield name, getattr(thing, mangled)
    if "<locals>" in type(thing).__qualname__:
        yield "its class", type(thing)
    for name in _FURTHER.get(type(thing).__name__, ()):
        if hasattr(thing, name):
            yield name, getattr(thing, name)
    if isinstance(thing, property):
        yield from (("", getter) for getter in (thing.fget, thing.fset) if getter is not None)
    if isinstance(thing, (staticmethod, classmethod)) or hasattr(type(thing), "__wrapped__"):
        yield "", getattr(thing, "__wrapped__", None)


_FURTHER = {
    "Generator": ("bit_generator",),
    **dict.fromkeys(("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"), ("seed_seq", "state")),
    "SeedSequence": ("entropy", "spawn_key"),
    "count": (),
}
"""What objects made in C hold, which have no dictionary."""
