"""Speed: on a clock, a silent and a talkative subject see the world go at the same pace."""

from typing import Any

import numpy as np

from mensura.dialogue import Ask, Event, Limits, Wait
from mensura.errors import MensuraError
from mensura.running.checks.check import Check
from mensura.running.checks.trial import MakeSubject, Trial

Steps = list[tuple[str, str, str, int]]


def check_world_speed(trial: Trial) -> Check:
    """Compare the ticks at which things are told and lapse for subjects that say nothing and that say too much.

    Always: one that keeps silent and one that chatters, in words which are not answers. And where the test has
    reference subjects called `silent` and `talkative`, who give answers that change nothing: these two. Only the
    author knows such answers, and only they show a world that steps on answers as well as on time.
    """
    name = "world speed"
    if not trial.test.takes("clock"):
        return Check(name, None, "it has no clock")
    pairs: list[tuple[MakeSubject, MakeSubject, str]] = [(Mute, Chattering, "one that chatters")]
    own = trial.test.subjects
    if "silent" in own and "talkative" in own:
        pairs.append((own["silent"], own["talkative"], "its talkative subject"))
    steps: Steps = []
    for quiet, loud, words in pairs:
        try:
            steps, other = (_steps(trial, make) for make in (quiet, loud))
        except MensuraError as error:
            return Check(name, False, f"does not get through with {words}: {error}")
        # What is asked again after idle words is no step of the world.
        if quiet is not Mute:
            steps, other = _told(steps), _told(other)
        for a, b in zip(steps, other, strict=False):
            if a != b:
                return Check(name, False, f"{_say(a)} for a silent subject, but {_say(b)} for {words}.")
        if len(steps) != len(other):
            return Check(name, False, f"a silent subject sees {len(steps)} things happen, {words} {len(other)}.")
    found = f"the same {len(steps)} things happen at the same ticks"
    if len(pairs) > 1:
        return Check(name, True, f"{found} for idle talk and for its own talkative subject")
    return Check(name, True, f"{found} for idle talk; subjects called silent and talkative would tell more")


class Mute:
    """Says nothing where it may; elsewhere it answers at random."""

    recomputes = True

    def begin(self, rng: np.random.Generator) -> None:
        """Take the generator of this session."""
        self.rng = rng

    def __call__(self, ask: Ask) -> Any:
        return Wait() if ask.until is not None else ask.space.draw(self.rng)  # type: ignore[union-attr]


class Chattering(Mute):
    """Gives invalid answers, a few times for each ask; for the rest it does as the silent one."""

    asked: Ask | None = None
    said = 0

    def __call__(self, ask: Ask) -> Any:
        if ask is not self.asked:
            self.asked, self.said = ask, 0
        self.said += 1
        # Not for ever: where words cost no time, talk without pause would never let any pass.
        return NO_ANSWER if ask.until is not None and self.said <= TALK else super().__call__(ask)


NO_ANSWER = {"this": "is no answer"}
TALK = 3


def _steps(trial: Trial, make: MakeSubject) -> Steps:
    """List what happened: told, asked, lapsed, paused and ended, each with its tick."""
    held = trial.hold(make, limits=Limits(turns=trial.turns, invalid_in_a_row=trial.turns))
    return [_step(event) for event in held.events if event.kind in ("tell", "ask", "lapse", "pause", "end")]


def _step(event: Event) -> tuple[str, str, str, int]:
    return event.kind, event.role, event.key, event.tick


def _told(steps: Steps) -> Steps:
    return [step for step in steps if step[0] in ("tell", "pause", "end")]


def _say(step: tuple[str, str, str, int]) -> str:
    kind, _, key, tick = step
    return f"{kind} {key} at tick {tick}".replace("  ", " ")
