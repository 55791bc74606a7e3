"""Doing nothing: the floor beside each score."""

from typing import Any

from mensura.dialogue import Ask, Wait


class Nothing:
    """Lets the time pass."""

    recomputes = True

    def __call__(self, ask: Ask) -> Any:
        return Wait()
