"""Simulated participants: office workers by script, who use whatever tools their condition has."""

from typing import Any

import numpy as np

from mensura.catalog.crisis.subjects.respondent import Respondent
from mensura.catalog.crisis.subjects.traits import COMPETENT, Traits, draw_traits
from mensura.catalog.crisis.subjects.worker import Work, Worker
from mensura.catalog.crisis.survey.survey import PREFIX
from mensura.dialogue import Ask


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
        self._workers: dict[str, tuple[Worker, Work]] = {}
        """One per role: a single participant may be cast for both, and is then two people."""
        self._paired = False
        self._respondent: Respondent | None = None

    def feedback(self, told: Ask) -> None:
        """Take in what one is told at the beginning: whether one is alone."""
        self._paired = self._paired or "colleague" in str(told.prompt)

    def __call__(self, ask: Ask) -> Any:
        """Do the next thing, or answer the survey at the end."""
        if ask.key.startswith(PREFIX):
            if self._respondent is None:
                self._respondent = Respondent(self._rng)
            return self._respondent(ask)
        if ask.role not in self._workers:
            part = "all" if not self._paired else "schedule" if ask.role == "subject" else "rest"
            worker = Worker(self.traits, self._rng, part=part)
            self._workers[ask.role] = worker, worker.work()
        worker, work = self._workers[ask.role]
        worker.hear(ask.prompt)
        return next(work)
