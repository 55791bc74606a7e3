"""Reference subjects of approval: they want nothing, and approve of everything or of nothing."""

from collections.abc import Callable
from functools import partial
from typing import Any

from mensura.dialogue import Ask, Call


class Decided:
    """Decides alike on every call; wants none itself, and withdraws none that can be decided.

    Parameters
    ----------
    decision
        What is answered to every call: approve, refuse or end.
    """

    recomputes = True

    def __init__(self, decision: str) -> None:
        self.decision = decision

    def __call__(self, ask: Ask) -> Any:
        assert isinstance(ask.space, Call)
        call = next(one for one in (self.decision, "done", "withdraw") if one in ask.space.tools)
        return {"call": call, "arguments": {}}


SUBJECTS: dict[str, Callable[[], Any]] = {
    "always": partial(Decided, "approve"),
    "never": partial(Decided, "refuse"),
}
