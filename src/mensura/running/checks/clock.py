"""Clock: what is asked does not depend on the time of day."""

import datetime
import sys
import sysconfig
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mensura.dialogue.canonical import canonical
from mensura.running.checks.check import Check
from mensura.running.checks.replaying import first_difference
from mensura.running.checks.trial import Held, Trial

AWAY = (463 * 86_400 + 5 * 3_600 + 7 * 60 + 11, 12 * 3_600)
"""Seconds by which clocks are moved: another day of the week, hour, minute and second; and the other half of a day."""


def check_clock(trial: Trial) -> Check:
    """Hold the first session again with the clocks moved: asks and truths must be the same.

    Moved are the functions of `time` and the classes of `datetime`, under every name that a module of the test or of
    ours has for them.
    """
    name = "clock"
    for seconds in AWAY:
        with moved_clock(seconds, trial):
            moved = trial.hold(trial.chance)
        if difference := _difference(trial.first, moved):
            if _difference(trial.first, trial.hold(trial.chance)):
                return Check(name, None, "sessions of one seed differ whatever the time")
            return Check(
                name, False, f"with the clock moved, {difference} All chance comes from rng, all time from clock."
            )
    return Check(name, True, "the same is asked at any time of day")


def _difference(one: Held, other: Held) -> str:
    if difference := first_difference(one.events, other.events):
        return difference
    return "" if canonical(one.truths) == canonical(other.truths) else "the truths are others."


@contextmanager
def moved_clock(seconds: int, trial: Trial) -> Iterator[None]:
    """Move the time of day for all modules but those of Python and of installed packages."""
    instead = {id(real): (real, moved) for real, moved in _moved(seconds)}
    undo: list[tuple[dict[str, Any], str, Any]] = []
    try:
        for names in _namespaces(trial):
            for name, value in list(names.items()):
                if id(value) in instead and instead[id(value)][0] is value:
                    undo.append((names, name, value))
                    names[name] = instead[id(value)][1]
        yield
    finally:
        for names, name, value in undo:
            names[name] = value


def _namespaces(trial: Trial) -> Iterator[dict[str, Any]]:
    installed = tuple(sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))
    yield vars(time)
    yield vars(datetime)
    function: Any = trial.test.function
    yield getattr(getattr(function, "func", function), "__globals__", {})
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if module.__name__ != __name__ and isinstance(file, str) and not file.startswith(installed):
            yield vars(module)


def _moved(seconds: int) -> list[tuple[Any, Any]]:
    """Pair what tells the time with the same at another time."""
    now, now_ns = time.time, time.time_ns
    pairs: list[tuple[Any, Any]] = [(now, lambda: now() + seconds), (now_ns, lambda: now_ns() + seconds * 10**9)]
    for function in (time.localtime, time.gmtime, time.ctime):
        pairs.append((function, _at(function, now, seconds)))
    local, write = time.localtime, time.strftime
    pairs.append((write, lambda form, when=None: write(form, local(now() + seconds) if when is None else when)))
    return [*pairs, *((kind, _later(kind, seconds)) for kind in (datetime.datetime, datetime.date))]


def _at(function: Any, now: Any, seconds: int) -> Any:
    return lambda when=None: function(now() + seconds if when is None else when)


def _later(real: Any, seconds: int) -> Any:
    """Make a class that passes for `datetime` or `date` and gives another time for now."""
    away = datetime.timedelta(seconds=seconds)
    exact = datetime.datetime

    class Passing(type):
        def __instancecheck__(cls, thing: Any) -> bool:
            return isinstance(thing, real)

        def __subclasscheck__(cls, kind: type) -> bool:
            return issubclass(kind, real)

    def today(cls: Any) -> Any:
        later = exact.now() + away
        return later if real is exact else later.date()

    given: dict[str, Any] = {"today": classmethod(today)}
    if real is exact:
        given["now"] = classmethod(lambda cls, tz=None: exact.now(tz) + away)
        given["utcnow"] = classmethod(lambda cls: exact.now(datetime.UTC).replace(tzinfo=None) + away)
    return Passing(real.__name__, (real,), given)
