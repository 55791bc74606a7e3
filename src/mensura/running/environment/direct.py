"""Direct: drives a dialogue step by step without a session, for environments that need speed and no record."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.dialogue import Ask, Break, Clock, Outcome, Round, Save, Test
from mensura.errors import BrokenTest


class Direct:
    """A dialogue driven by hand: answers are checked, deadlines lapse, but nothing is logged and no truth is kept.

    Parameters
    ----------
    test
        What is taken.
    parameters
        All of its parameters.
    rng
        Where its chance comes from.
    """

    __slots__ = ("_clock", "_dialogue", "_group", "_price", "_roles", "open", "outcome", "rewards", "told")

    def __init__(self, test: Test, parameters: Mapping[str, Any], rng: np.random.Generator) -> None:
        self._clock = Clock()
        self._price = test.timing.price if test.takes("clock") else None
        self._dialogue = test.begin(rng, self._clock, parameters)
        self._roles = test.cast_roles(parameters)
        self._group = False
        self.open: dict[str, Ask] = {}
        """The asks that wait, by role."""
        self.rewards: dict[str, float] = {}
        """What each role earned by the last answers."""
        self.told: list[Ask] = []
        """What was told since the last answers."""
        self.outcome: Outcome | None = None
        """How it ended; None while it goes on."""
        self._go_on(None)

    def answer(self, answers: Mapping[str, Any]) -> None:
        """Give the answers of all roles that are asked, checked, and go on to the next asks or the end.

        Raises
        ------
        Invalid
            If an answer lies outside its space; nothing has moved then.
        """
        checked: dict[str, Any] = {}
        for role, ask in self.open.items():
            checked[role] = ask.space.check(answers[role])  # type: ignore[union-attr]
        if self._price is not None:
            self._pass_time(checked)
        if self._group:
            value: Any = checked
        else:
            value = next(iter(checked.values()), None)
        self.rewards = {}
        self._go_on(value)

    def close(self) -> None:
        """Let the dialogue go."""
        self._dialogue.close()

    def _pass_time(self, checked: dict[str, Any]) -> None:
        """Let every role pay for its answer; those that come at or after their deadline are lost."""
        start = self._clock.now
        ticks = {role: start + self._price(value) for role, value in checked.items()}  # type: ignore[misc]
        for role, tick in ticks.items():
            until = self.open[role].until
            if until is not None and tick >= until:
                del checked[role]
                ticks[role] = max(until, start)
        self._clock.now = max(ticks.values(), default=start)

    def _go_on(self, value: Any) -> None:
        send = self._dialogue.send
        if self.told:
            self.told = []
        while True:
            try:
                item = send(value)
            except StopIteration as stop:
                self._end(stop.value if isinstance(stop.value, Outcome) else Outcome())
                return
            value = None
            if type(item) is Ask:
                if item.reward is not None:
                    self._reward(item)
                if item.space is not None:
                    self._group = False
                    self.open = {item.role: item}
                    return
                self.told.append(item)
            elif isinstance(item, Round):
                if self._put_round(item):
                    return
                value = {}
            elif not isinstance(item, (Save, Break)):
                raise BrokenTest(f"The test yielded {type(item).__name__}; a test yields Ask, Round, Save or Break.")

    def _put_round(self, group: Round) -> bool:
        self._group = True
        self.open = {}
        for ask in group.asks:
            if ask.reward is not None:
                self._reward(ask)
            if ask.space is None:
                self.told.append(ask)
                continue
            if group.until is not None:
                until = group.until if ask.until is None else min(group.until, ask.until)
                ask = Ask(ask.prompt, ask.space, ask.key, ask.role, None, until, ask.reward)
            self.open[ask.role] = ask
        return bool(self.open)

    def _reward(self, ask: Ask) -> None:
        self.rewards[ask.role] = self.rewards.get(ask.role, 0.0) + ask.reward  # type: ignore[operator]

    def _end(self, outcome: Outcome) -> None:
        self.open = {}
        self.outcome = outcome
        if isinstance(outcome.reward, Mapping):
            earned = dict(outcome.reward)
        else:
            earned = dict.fromkeys(self._roles, outcome.reward) if outcome.reward is not None else {}
        for role, amount in earned.items():
            self.rewards[role] = self.rewards.get(role, 0.0) + amount
