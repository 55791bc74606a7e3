"""Reaching: nothing that a subject is handed leads to the seed, to the test's generator or to a truth."""

from collections.abc import Iterator
from secrets import token_hex
from typing import Any

import numpy as np

from mensura.dialogue import Ask, Instance, Item, Session, generator
from mensura.running.checks.check import Check
from mensura.running.checks.leak.sitting import Sitting, sit
from mensura.running.checks.leak.substitution import with_truths
from mensura.running.checks.leak.walk import walk
from mensura.running.checks.trial import Held, Trial

MOST = 300_000
"""Objects that are looked at in all."""


def check_reach(trial: Trial) -> Check:
    """Walk from every object that a subject is handed, through attributes, containers, closures and frames.

    Truths are replaced by marks, so that a truth is known wherever it turns up. Modules are not walked: a subject in
    the same process can read them and everything else, which is why the record calls it trusted.
    """
    name = "reach"
    mark = f"mark-{token_hex(12)}"
    # One key has one truth, so its mark is made of the key.
    sitting = sit(trial, test=with_truths(trial.test, lambda key, truth: f"{mark}-{key}"))
    secrets = _Secrets(trial, sitting.held, mark)
    seen: dict[int, Any] = {}
    for label, root in _handed(sitting):
        for path, thing in walk(root, label, seen=seen, most=MOST - len(seen)):
            if what := secrets.found(thing):
                return Check(name, False, f"{path} leads to {what}.")
    all_of = "" if len(seen) < MOST else ", and there are more"
    return Check(name, True, f"{len(seen)} objects can be reached{all_of}; no seed, generator or truth among them")


def _handed(sitting: Sitting) -> Iterator[tuple[str, Any]]:
    for reader in sitting.readers:
        yield from (("the generator of the subject", rng) for rng in reader.handed)
        yield from ((f"the ask {ask.key!r}", ask) for ask in reader.asks)
        for told in reader.told:
            yield f"the message {told.key!r}" if isinstance(told, Ask) else f"the {type(told).__name__.lower()}", told


class _Secrets:
    """What must not be reached in a session."""

    def __init__(self, trial: Trial, held: Held, mark: str) -> None:
        self.mark = mark
        self.seed = trial.seed
        self.written = (str(trial.seed), f"{trial.seed:x}")
        own = generator(trial.seed, held.instance.address).bit_generator.state["state"]
        # The increment names the stream, wherever in it the generator stands.
        self.stream = own["inc"]

    def found(self, thing: Any) -> str:
        """Return which secret a thing is; "" where it is none."""
        if isinstance(thing, (int, np.integer)) and not isinstance(thing, bool):
            if thing == self.seed:
                return "the seed"
            return "the state of the test's generator" if thing == self.stream else ""
        if isinstance(thing, (str, bytes)):
            return self._text(thing if isinstance(thing, str) else thing.decode("latin-1"))
        if isinstance(thing, (Session, Instance)):
            return f"the {type(thing).__name__.lower()} itself"
        if isinstance(thing, np.random.Generator):
            state: Any = thing.bit_generator.state.get("state")
            return "the test's generator" if isinstance(state, dict) and state.get("inc") == self.stream else ""
        if isinstance(thing, Ask) and (thing.truth is not None or thing.aside is not None):
            return f"the ask {thing.key!r} with its truth"
        return f"the item {thing.key!r} with its answer" if isinstance(thing, Item) and thing.answer is not None else ""

    def _text(self, text: str) -> str:
        if self.mark in text:
            return "a truth"
        return "the seed" if any(written in text for written in self.written) else ""
