"""Several talks at once: their rounds are put together, and each goes on when it has its own answers."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from mensura.dialogue import Clock, Round

Talking = Generator[Round, dict[str, Any], None]


@dataclass
class _Open:
    """A talk that goes on: what it asks now, and what came so far."""

    talk: Talking
    round: Round
    given: dict[str, Any] = field(default_factory=dict)

    def complete(self, now: int) -> bool:
        """Return whether it has what its round needs, or its time is over."""
        asked = [ask.role for ask in self.round.asks if ask.space is not None]
        wanted = self.round.need
        need = len(asked) if wanted == "all" else 1 if wanted == "any" else wanted
        late = self.round.until is not None and now >= self.round.until
        return late or len(self.given) >= need


def beside(talks: Sequence[Talking], *, clock: Clock) -> Talking:
    """Hold several talks with roles of their own at once: `yield from beside(talks, clock=clock)`.

    >>> from mensura.dialogue import Ask, Text
    >>> def one(role, times):
    ...     for _ in range(times):
    ...         yield Round([Ask("Say.", Text(), role=role)])
    >>> both = beside([one("a", 1), one("b", 2)], clock=Clock())
    >>> [ask.role for ask in next(both).asks], [ask.role for ask in both.send({"a": "x"}).asks]
    (['a', 'b'], ['b'])
    """
    going = [_Open(talk, first) for talk in talks if (first := next(talk, None)) is not None]
    while going:
        if len(going) == 1 and not going[0].given:
            answers = yield going[0].round
            going[0].given = answers
            finished = list(going)
        else:
            answers = yield _together(going)
            for one in going:
                mine = {ask.role for ask in one.round.asks}
                one.given |= {role: answer for role, answer in answers.items() if role in mine}
            finished = [one for one in going if one.complete(clock.now)]
            if not answers and not finished:
                # Nobody who is asked has anything to say, or they have left.
                finished = list(going)
        for one in finished:
            try:
                one.round, one.given = one.talk.send(one.given), {}
            except StopIteration:
                going.remove(one)


def _together(going: Sequence[_Open]) -> Round:
    # Each ask keeps the end of its own talk: the end of one must not take the others' asks off their pages.
    asks = [
        replace(ask, until=one.round.until if ask.until is None else ask.until)
        for one in going
        for ask in one.round.asks
        if ask.role not in one.given
    ]

    def meanwhile(role: str) -> Any:
        found = (one.round.meanwhile(role) for one in going if one.round.meanwhile is not None)
        return next((seen for seen in found if seen is not None), None)

    return Round(asks, need="any", meanwhile=meanwhile)
