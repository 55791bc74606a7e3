"""Doing nothing: the floor beside each score."""

from typing import Any

from mensura.dialogue import Ask, Refused, Wait


class Nothing:
    """Lets the time pass."""

    recomputes = True

    def __call__(self, ask: Ask) -> Any:
        # What has no deadline does not pass by waiting: the survey after the session.
        return Wait() if ask.until is not None else Refused("Nothing to say.")
