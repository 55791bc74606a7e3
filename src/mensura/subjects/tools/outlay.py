"""Outlay: what a model took of its allowance in a session, kept where a kill does not reach it."""

import math

from mensura.subjects.tools.allowance import Used
from mensura.subjects.tools.steps import total
from mensura.subjects.tools.steward import Spent, Steward


class Outlay:
    """The cost of one model in one session; without a steward nothing is kept.

    What replies took is in their notes. Calls that lead to others, as those of tools, are noted before the tools are
    used: a session that is resumed begins with all of it.
    """

    def __init__(self, steward: Steward | None) -> None:
        self._steward = steward
        self._role = ""
        self._replies = 0
        self._settled = Spent()
        self._under_way = Spent()

    def open(self, used: Used, role: str) -> None:
        """Begin a session with what was taken in it before."""
        self._role, self._replies, self._settled, self._under_way = role, 0, Spent(), Spent()
        if self._steward is None:
            return
        stored = self._steward.replied(role)
        self._replies, self._settled = stored.replies, stored
        under_way = self._under_way = self._steward.on_the_way(role, replies=stored.replies)
        for spent in (stored, under_way):
            used.add(tokens=spent.tokens, cost=spent.cost)
            used.seconds += spent.seconds
        used.turns = under_way.turns

    def note(self, used: Used, *, turns: int, tokens_in: float | None, tokens_out: float | None) -> None:
        """Store what the answer took that is not given yet; turns and tokens are those of this process."""
        if self._steward is not None:
            before, earlier = self._settled, self._under_way
            spent = Spent(
                _less(used.tokens, before.tokens),
                _less(used.cost, before.cost),
                used.seconds - before.seconds,
                used.turns + turns,
                self._replies,
                total([earlier.tokens_in, tokens_in]),
                total([earlier.tokens_out, tokens_out]),
            )
            self._steward.note(self._role, spent)

    def settle(self, used: Used) -> None:
        """Take note that the model has replied: what it took is in the notes of its reply."""
        self._replies += 1
        self._settled, self._under_way = Spent(used.tokens, used.cost, used.seconds), Spent()
        used.turns = 0


def _less(now: float, before: float | None) -> float | None:
    left = math.nan if before is None else now - before
    return None if math.isnan(left) else left
