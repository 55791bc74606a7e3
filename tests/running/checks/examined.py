"""Tests under examination, for the tests of the checks."""

from typing import Annotated

from mensura.dialogue import Ask, Choice, Number, Save, test
from mensura.running.check import CheckOptions, make_trial

QUICK = CheckOptions(sessions=5, turns=200)


def trial_of(function, *, options=QUICK, **declared):
    """Put a generator function under examination."""
    return make_trial(test("under-test-v1", **declared)(function), options=options)


def full_trial_of(function, **declared):
    """The same with as many sessions as `mensura check` takes."""
    return trial_of(function, options=CheckOptions(), **declared)


def good(rng, *, asks: Annotated[int, "How many letters are asked about, 1 or more."] = 12):
    """Ask which of three is drawn."""
    for i in range(asks):
        drawn = "abc"[int(rng.integers(3))]
        yield Ask(f"Which letter? {i}", Choice(("a", "b", "c")), key=f"q{i}", truth=drawn)


def saving(rng, *, saved=None):
    """Count, with a save after each ask."""
    start, total = (0, 0) if saved is None else (saved["i"], saved["total"])
    for i in range(start, 4):
        answer = yield Ask(f"So far {total}. Add?", Number(0, 9, integer=True), key=f"q{i}")
        total += answer or 0
        yield Save({"i": i + 1, "total": total})


class Chatty:
    """Says yes to everything."""

    def __call__(self, ask):
        return "yes"
