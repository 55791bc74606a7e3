"""Sitting: a session of the chance subject with everything kept that it was shown, when, and what was true."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mensura.dialogue import Ask, Break, Test, prompt_data, prompt_text
from mensura.dialogue.canonical import canonical
from mensura.running.checks.trial import Held, Trial

MOST = 200
"""Asks of a session that are looked at: more would tell little more, and take long."""


class Reading:
    """Passes answers on and keeps all that it could read, and when."""

    recomputes = True

    def __init__(self, subject: Any) -> None:
        self._subject = subject
        self.asks: list[Ask] = []
        self.told: list[Any] = []
        self.heard: list[int] = []
        """How much was told before each ask."""
        self.answers: list[Any] = []
        self.seconds: list[float] = []
        """From each answer to the next ask."""
        self.handed: list[Any] = []
        self._since = time.perf_counter()

    def begin(self, rng: np.random.Generator) -> None:
        """Keep the generator, too."""
        self.handed.append(rng)
        getattr(self._subject, "begin", lambda rng: None)(rng)
        self._since = time.perf_counter()

    def __call__(self, ask: Ask) -> Any:
        self.seconds.append(time.perf_counter() - self._since)
        self.asks.append(ask)
        self.heard.append(len(self.told))
        answer = self._subject(ask)
        self.answers.append(answer)
        self._since = time.perf_counter()
        return answer

    def feedback(self, told: Ask) -> None:
        """Keep what was told."""
        self.told.append(told)
        getattr(self._subject, "feedback", lambda told: None)(told)

    def rest(self, prompt: Any) -> None:
        """Keep what is said in a break."""
        self.told.append(Break(prompt))
        getattr(self._subject, "rest", lambda prompt: None)(prompt)

    def end(self, outcome: Any) -> None:
        """Keep the last words."""
        self.told.append(outcome)
        getattr(self._subject, "end", lambda outcome: None)(outcome)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._subject, name)


@dataclass(frozen=True, eq=False)
class Showing:
    """An ask or message that has a truth, as a subject first saw it, and the truth."""

    ask: Ask
    truth: Any
    session: int
    number: int
    """Its number among the asks of its role, from 0."""
    seconds: float
    told: Sequence[Any]
    before: bool | None
    """Whether the answer before was right; None where that is not known."""
    repeated: bool = False
    """Whether an earlier ask of the session had the same truth."""
    left: int | None = None
    """Ticks from the ask to its deadline; None where it has none."""

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The alternatives that it offers, in their order; empty where it offers none, or the truth is not one."""
        space = self.ask.space
        names = getattr(space, "options", None) or getattr(space, "names", None) or ()
        labels = tuple(map(str, names)) if isinstance(names, (list, tuple)) else ()
        return labels if len(set(labels)) == len(labels) > 1 and _place(self.truth, labels) is not None else ()

    @cached_property
    def right(self) -> int:
        """The place of the right alternative, from 0; -1 where it offers none."""
        place = _place(self.truth, self.labels) if self.labels else None
        return -1 if place is None else place

    @cached_property
    def prompt(self) -> str:
        """The prompt as one text: its words, and its data where that says more."""
        prompt = self.ask.prompt
        return (
            prompt if isinstance(prompt, str) else f"{prompt_text(prompt)}\n{canonical(prompt_data(prompt, page=True))}"
        )

    @cached_property
    def item(self) -> tuple[str, str, frozenset[str]]:
        """What is asked, whatever the order of its alternatives."""
        return self.ask.key, self.prompt, frozenset(self.labels)

    @property
    def answer(self) -> Any:
        """The truth as a subject would write it: the alternative's name, where there are some."""
        return self.labels[self.right] if self.labels else self.truth


@dataclass(frozen=True)
class Sitting:
    """A session that was held, and what its subjects could read."""

    held: Held
    readers: list[Reading]
    number: int

    @cached_property
    def shown(self) -> list[Showing]:
        """What has a truth, asked or only told, each key once: a subject that is asked again may have been told."""
        found: list[Showing] = []
        ticks = {event.key: event.tick for event in reversed(self.held.events) if event.kind == "ask"}
        for reader in self.readers:
            seen: set[str] = set()
            known: set[str] = set()
            for number, ask in enumerate(reader.asks):
                if ask.key in seen or ask.key not in self.held.truths or len(found) >= MOST:
                    continue
                seen.add(ask.key)
                told, before = reader.told[: reader.heard[number]], self._right(reader, number - 1)
                truth, seconds = self.held.truths[ask.key], reader.seconds[number]
                repeated = canonical(truth) in known
                known.add(canonical(truth))
                left = None if ask.until is None else ask.until - ticks.get(ask.key, 0)
                found.append(Showing(ask, truth, self.number, number, seconds, told, before, repeated, left))
            for number, told in enumerate(reader.told):
                key = told.key if isinstance(told, Ask) else ""
                if key and key not in seen and key in self.held.truths and len(found) < MOST:
                    seen.add(key)
                    truth = self.held.truths[key]
                    found.append(Showing(told, truth, self.number, number, 0.0, reader.told[:number], None))
        return found

    def _right(self, reader: Reading, number: int) -> bool | None:
        if number < 0 or number >= len(reader.answers) or reader.asks[number].key not in self.held.truths:
            return None
        return same(reader.answers[number], self.held.truths[reader.asks[number].key])


def sit(trial: Trial, number: int = 0, *, test: Test | None = None) -> Sitting:
    """Hold a session in which all that is shown is kept; those of the test as it is are held once."""
    if test is None and number in trial.sittings:
        kept: Sitting = trial.sittings[number]
        return kept
    readers: list[Reading] = []

    def make() -> Reading:
        readers.append(Reading(trial.chance()))
        return readers[-1]

    sitting = Sitting(trial.hold(make, session=number, test=test), readers, number)
    if test is None:
        trial.sittings[number] = sitting
    return sitting


def all_shown(trial: Trial, *, start: int = 0) -> list[Showing]:
    """Collect the asks with a truth of as many sessions as a statistical check takes."""
    return [shown for number in range(start, start + trial.sessions) for shown in sit(trial, number).shown]


def same(value: Any, truth: Any) -> bool:
    """Return whether a value says the same as a truth."""
    try:
        return canonical(value) == canonical(truth) or str(value) == str(truth)
    except (TypeError, ValueError):
        return False


def _place(truth: Any, labels: tuple[str, ...]) -> int | None:
    if isinstance(truth, str):
        return labels.index(truth) if truth in labels else None
    whole = isinstance(truth, (int, np.integer)) and not isinstance(truth, bool)
    return int(truth) if whole and 0 <= truth < len(labels) else None
