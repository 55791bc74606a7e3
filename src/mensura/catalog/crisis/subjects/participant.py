"""Simulated participants: office workers by script, who use whatever tools their condition has."""

from typing import Any

import numpy as np

from mensura.catalog.crisis.subjects.traits import COMPETENT, Traits, draw_traits
from mensura.catalog.crisis.subjects.worker import Work, Worker
from mensura.dialogue import Ask, Wait


class Participant:
    """A simulated person. They stand for nobody: what they score says what the tools allow such a script, no more.

    Parameters
    ----------
    traits
        Who they are; None draws someone when the session begins.
    """

    recomputes = True

    def __init__(self, traits: Traits | None = COMPETENT) -> None:
        self._given = traits
        self.begin(np.random.default_rng(0))

    def begin(self, rng: np.random.Generator) -> None:
        """Come in: draw who one is, and forget what was before."""
        self.traits = self._given or draw_traits(rng)
        self._rng = rng
        self._work: Work | None = None
        self._worker: Worker | None = None
        self._paired = False
        self._act: Any = None
        self._said: Any = None
        self._until = 0
        self._held = -1

    def feedback(self, told: Ask) -> None:
        """Take in what one is told at the beginning: whether one is alone."""
        self._paired = self._paired or "colleague" in str(told.prompt)

    def __call__(self, ask: Ask) -> Any:
        """Do the next thing."""
        desk: Any = ask.prompt
        if self._work is None:
            role = "all" if not self._paired else "schedule" if ask.role == "subject" else "rest"
            self._worker = Worker(self.traits, self._rng, part=role)
            self._worker.hear(desk)
            self._work = self._worker.work()
            return self._give(next(self._work), desk)
        assert self._worker is not None
        self._worker.hear(desk)
        if self._paired:
            return self._share(desk, subject=ask.role == "subject")
        return self._give(self._work.send(desk), desk)

    def _give(self, act: Any, desk: Any) -> Any:
        self._act, self._said = act, desk.said
        if act["call"] == "wait":
            self._until = desk.now + act["arguments"]["seconds"]
        return act

    def _share(self, desk: Any, *, subject: bool) -> Any:
        """Work beside someone else: of two acts the shorter is done first, and the other is then tried again.

        The subject thinks without holding the clock, the helper in short and long stretches by turns, so that neither
        keeps the other from acting; the time that the other's acts take counts as thinking.
        """
        assert self._work is not None
        if self._act["call"] == "wait":
            if desk.now < self._until:
                return Wait() if subject else self._hold(desk)
        elif desk.said == self._said:
            return self._act
        act = self._give(self._work.send(desk), desk)
        if act["call"] == "wait":
            return Wait() if subject else self._hold(desk)
        return act

    def _hold(self, desk: Any) -> Any:
        """Let the clock run: a little at first, and then for longer than any common act, which so has its turn."""
        seconds = LONG if desk.now == self._held else SHORT
        self._held = desk.now + seconds
        return {"call": "wait", "arguments": {"seconds": seconds}}


SHORT, LONG = 16, 61
"""Seconds for which a helper who thinks lets the clock run."""
