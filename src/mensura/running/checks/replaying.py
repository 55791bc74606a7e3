"""Replaying: the same seed and answers give the same session, from the beginning and from anywhere."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mensura.dialogue import Event, Session, prompt_data, replay
from mensura.dialogue.canonical import canonical
from mensura.errors import MensuraError, ReplayDiffers
from mensura.running.checks.check import Check
from mensura.running.checks.trial import Trial


def check_replays_alike(trial: Trial) -> Check:
    """Hold a session twice, replay it, and resume it from many cuts: all must agree to the letter."""
    name = "replays alike"
    held = trial.first
    try:
        again = trial.hold(trial.chance)
        if difference := first_difference(held.events, again.events):
            return Check(name, False, f"two sessions of one seed differ: {difference}")
        if key := _other_truth(held.truths, again.truths):
            return Check(name, False, f"two sessions of one seed differ: the truth of {key!r} is another.")
        replay(held.instance, held.events, from_save=False)
        ends = places(len(held.events), trial.cuts)
        for end in ends:
            resumed = replay(held.instance, held.events[:end], from_save=False)
            if difference := _open_differs(resumed, held.events[:end]):
                return Check(name, False, f"resumed after event {end}, {difference}")
    except ReplayDiffers as error:
        return Check(name, False, str(error))
    except MensuraError as error:
        return Check(name, False, f"a second time it fails: {error}")
    return Check(name, True, f"{len(held.events)} events come out the same, also after {len(ends)} cuts")


def first_difference(one: list[Event], other: list[Event]) -> str:
    """Name the first event in which two logs differ; empty where they agree."""
    for a, b in zip(one, other, strict=False):
        first, second = comparable(a), comparable(b)
        if first != second:
            return f"event {a.number} ({a.kind} {a.key!r}) is {shorten(first)} once and {shorten(second)} then."
    return "" if len(one) == len(other) else f"one has {len(one)} events, the other {len(other)}."


def _other_truth(one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """Name the first key whose truths differ; empty where all agree."""
    return next((key for key in {**one, **other} if canonical(one.get(key)) != canonical(other.get(key))), "")


def comparable(event: Event) -> str:
    """Write an event without the time of day."""
    content = event.content
    bare = replace(event, time=None, content=None)
    return canonical({**{name: getattr(bare, name) for name in bare.__slots__}, "content": content})


def places(length: int, cuts: int) -> list[int]:
    """Choose places to cut a log, evenly, the first and last events among them."""
    step = max(1, length // cuts)
    return sorted({1, *range(1, length, step), length})


def shorten(text: str) -> str:
    """Keep a sentence readable."""
    return text if len(text) <= 300 else text[:297] + "..."


def _open_differs(session: Session, events: list[Event]) -> str:
    """Compare what is asked after a resume with what the log says was asked; empty where they agree."""
    recorded: dict[int, Any] = {event.number: event.content for event in events if event.kind == "ask"}
    for role, number in session.asked.items():
        ask = session.open[role]
        shown = canonical({"prompt": prompt_data(ask.prompt), "space": ask.space.data()})  # type: ignore[union-attr]
        if number in recorded and canonical(recorded[number]) != shown:
            return f"{role} is asked {shorten(shown)} and not {shorten(canonical(recorded[number]))}."
    return ""
