"""Outlay: what a model took of its allowance in a session, kept where a kill does not reach it."""

import math

from mensura.subjects.tools.allowance import Used
from mensura.subjects.tools.steward import Spent, Steward


class Outlay:
    """What one model took in one session; without a steward nothing is kept.

    What replies took is in their notes. Calls that lead to others, as those of tools, are noted before the tools are
    used: a session that is resumed begins with all of it.
    """

    def __init__(self, steward: Steward | None) -> None:
        self._steward = steward
        self._role = ""
        self._replies = 0
        self._settled = Spent()

    def open(self, used: Used, role: str) -> None:
        """Begin a session with what was taken in it before."""
        self._role, self._replies, self._settled = role, 0, Spent()
        if self._steward is None:
            return
        stored = self._steward.replied(role)
        self._replies, self._settled = stored.replies, stored
        under_way = self._steward.on_the_way(role, replies=stored.replies)
        for spent in (stored, under_way):
            used.add(tokens=spent.tokens, cost=spent.cost)
            used.seconds += spent.seconds
        used.turns = under_way.turns

    def note(self, used: Used, *, turns: int) -> None:
        """Store what the answer took that is not given yet."""
        if self._steward is not None:
            before = self._settled
            tokens, cost = _less(used.tokens, before.tokens), _less(used.cost, before.cost)
            seconds = used.seconds - before.seconds
            self._steward.note(self._role, Spent(tokens, cost, seconds, used.turns + turns, self._replies))

    def settle(self, used: Used) -> None:
        """Take note that the model has replied: what it took is in the notes of its reply."""
        self._replies += 1
        self._settled = Spent(used.tokens, used.cost, used.seconds)
        used.turns = 0


def _less(now: float, before: float | None) -> float | None:
    left = math.nan if before is None else now - before
    return None if math.isnan(left) else left
