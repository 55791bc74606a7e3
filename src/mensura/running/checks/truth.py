"""Truth: nothing that a subject can read holds it before it has answered."""

import pickle
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from secrets import token_hex
from typing import Any

from mensura.dialogue import Ask, Prompt, Round, Test, prompt_data, prompt_text
from mensura.dialogue.canonical import canonical
from mensura.running.checks.check import Check
from mensura.running.checks.replaying import first_difference
from mensura.running.checks.trial import Held, Trial

ENOUGH = 10
"""Asks with a truth that a pattern must fit without exception before it counts as a leak."""


def check_truth_hidden(trial: Trial) -> Check:
    """Look for truths where subjects can read.

    Three ways: truths are replaced by marks that must turn up nowhere; a session without truths must leave the same
    log and digests; and no fixed place of an ask, such as the first option, the end of the key or the fourth word of
    the prompt, may always hold the right answer.
    """
    name = "truth hidden"
    reader = Reading(trial.chance())
    held = trial.hold(lambda: reader)
    if not held.truths:
        return Check(name, None, "no ask carries a truth")
    if marked := _marks_seen(trial):
        return Check(name, False, marked)
    # One subject for all roles, as above: with one per role chance alone would make the logs differ.
    same = trial.chance()
    bare = trial.hold(lambda: same, test=with_truths(trial.test, lambda key, truth: None))
    if difference := first_difference(held.events, bare.events):
        return Check(name, False, f"the log depends on truths: {difference}")
    if place := _telling_place(held, reader.asks):
        return Check(name, False, f"{place} of every ask holds its right answer.")
    return Check(name, True, f"{len(held.truths)} truths, none in asks, JSON, log or digests")


class Reading:
    """Passes answers on and keeps every ask it could read."""

    recomputes = True

    def __init__(self, subject: Any) -> None:
        self._subject = subject
        self.asks: list[Ask] = []
        self.told: list[Any] = []

    def __call__(self, ask: Ask) -> Any:
        self.asks.append(ask)
        return self._subject(ask)

    def feedback(self, told: Ask) -> None:
        """Keep what was told, too."""
        self.told.append(told)
        getattr(self._subject, "feedback", lambda told: None)(told)

    def end(self, outcome: Any) -> None:
        """Keep the last words."""
        self.told.append(outcome)
        getattr(self._subject, "end", lambda outcome: None)(outcome)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._subject, name)


def with_truths(test: Test, change: Callable[[str, Any], Any]) -> Test:
    """Make the same test with other truths: a function of key and truth, or None for no truth."""

    @wraps(test.function)
    def function(*arguments: Any, **named: Any) -> Any:
        dialogue = test.function(*arguments, **named)
        value = None
        try:
            while True:
                try:
                    item = dialogue.send(value)
                except StopIteration as stop:
                    return stop.value
                value = yield _changed(item, change)
        finally:
            dialogue.close()

    return replace(test, function=function)


def _changed(item: Any, change: Callable[[str, Any], Any]) -> Any:
    if isinstance(item, Round):
        return Round([_changed(ask, change) for ask in item.asks], item.need, item.until)
    if not isinstance(item, Ask) or item.truth is None:
        return item
    truth = change(item.key, item.truth)
    return Ask(item.prompt, item.space, item.key, item.role, truth, item.until, item.reward)


def _marks_seen(trial: Trial) -> str:
    """Replace every truth by a mark, and look for it in all that subjects and readers of the log can see."""
    mark = f"mark-{token_hex(12)}"
    # One key has one truth, so its mark is made of the key.
    marked = with_truths(trial.test, lambda key, truth: f"{mark}-{key}")
    readers: list[Reading] = []

    def make() -> Reading:
        readers.append(Reading(trial.chance()))
        return readers[-1]

    held = trial.hold(make, test=marked)
    for reader in readers:
        for seen in [*reader.asks, *reader.told]:
            if getattr(seen, "truth", None) is not None:
                return f"the ask {seen.key!r} still carries its truth when the subject sees it."
            if mark in _all_of(seen):
                return f"{getattr(seen, 'key', 'the outcome')!r} holds its truth where the subject can read it."
    log = canonical([[event.value, event.key, event.content, event.notes] for event in held.events])
    if mark in log:
        return "the log of events holds a truth."
    return "" if str(trial.seed) not in _without_saves(held) else "the log of events holds the seed."


def _all_of(seen: Any) -> str:
    """Write out all that can be reached from an ask: its JSON, its words, and the objects behind it."""
    prompt = canonical(prompt_data(seen.prompt)) + prompt_text(seen.prompt)
    try:
        behind = pickle.dumps(seen).decode("latin-1")
    except Exception:
        behind = repr(seen)
    return prompt + behind


def _without_saves(held: Held) -> str:
    """Write the log as subjects may come to see it; saves hold the generator and stay with the store."""
    return canonical([[event.value, event.key, event.content] for event in held.events if event.kind != "save"])


def _telling_place(held: Held, asks: Sequence[Ask]) -> str:
    """Find a place of the asks that always holds the right answer; empty where there is none."""
    truthful = [(ask, held.truths[ask.key]) for ask in asks if ask.key in held.truths]
    if len(truthful) < ENOUGH or len({canonical(truth) for _, truth in truthful}) < 2:
        return ""
    telling: set[str] | None = None
    for ask, truth in truthful:
        here = {place for place, value in _places(ask) if _same(value, truth)}
        telling = here if telling is None else telling & here
        if not telling:
            return ""
    return sorted(telling or {""})[0]


def _same(value: Any, truth: Any) -> bool:
    try:
        return canonical(value) == canonical(truth) or str(value) == str(truth)
    except (TypeError, ValueError):
        return False


def _places(ask: Ask) -> Iterator[tuple[str, Any]]:
    """Name every fixed place where an answer could stand."""
    for i, part in enumerate(re.split(r"[^A-Za-z0-9]+", ask.key)):
        yield f"part {i + 1} of the key", part
    yield "the deadline", ask.until
    if ask.space is not None:
        yield from _inside("the space", ask.space.data())
    parts = ask.prompt if isinstance(ask.prompt, (list, tuple)) else [ask.prompt]
    for i, part in enumerate(parts):
        if isinstance(part, Prompt):
            yield from _hidden(part)
            yield from _inside(f"part {i + 1} of the prompt", part.data())
    yield from _words(prompt_text(ask.prompt))


def _words(text: str) -> Iterator[tuple[str, str]]:
    words = [word.strip(".,;:!?()[]\"'*") for word in text.split()]
    for i, word in enumerate(words):
        yield f"word {i + 1} of the prompt", word
        yield f"word {len(words) - i} from the end of the prompt", word


def _inside(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _inside(f"{path}, {name}", inner)
    elif isinstance(value, (list, tuple)):
        for i, inner in enumerate(value):
            yield from _inside(f"{path}, number {i + 1}", inner)
    else:
        yield path, value


def _hidden(prompt: Prompt) -> Iterator[tuple[str, Any]]:
    """Give attributes of a prompt that are not shown, but that a program could read."""
    shown = prompt.data()
    names = [*getattr(prompt, "__dict__", {}), *getattr(type(prompt), "__slots__", ())]
    for name in names:
        if name not in shown:
            yield f"the attribute {name} of the prompt", getattr(prompt, name)
