"""Accepting: takes whatever the assistant proposes and reads no mail, to show what reading is worth."""

from typing import Any

import numpy as np

from mensura.catalog.crisis.act import Act, call
from mensura.dialogue import Ask

LAST = 400
"""Seconds before the end at which those who wait for mail turn to the schedule, the site and the briefing."""

LISTED = 60
"""Seconds by which the list of lost rooms has come."""


class Accepting:
    """Lets the assistant plan, publish and brief; patiently, lets it first fill in the forms for all mail it labels."""

    recomputes = True

    def __init__(self, *, patient: bool = False) -> None:
        self._patient = patient
        self.begin(np.random.default_rng(0))

    def begin(self, rng: np.random.Generator) -> None:
        """Come in."""
        self._asks = [call("wait", seconds=LISTED), *(call(name) for name in ("optimise", "batch", "draft"))]
        self._mail: list[str] = []

    def __call__(self, ask: Ask) -> Act:
        """Accept what was proposed, or ask for the next proposal."""
        desk: Any = ask.prompt
        self._mail += [header["id"] for header in desk.new if header.get("label")]
        proposal = desk.said["data"].get("proposal")
        if isinstance(proposal, dict) and proposal["acts"] and not proposal["accepted"]:
            return call("accept", proposal=proposal["id"])
        if self._patient and desk.left > LAST:
            return call("suggest", message=self._mail.pop(0)) if self._mail else call("wait", seconds=60)
        return self._asks.pop(0) if self._asks else call("finish")
