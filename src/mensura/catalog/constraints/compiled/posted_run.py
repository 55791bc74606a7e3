"""PostedRun: a run whose agents write letters, cycle by cycle on arrays; what forms of several algorithms share."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mensura.catalog.constraints.compiled.network import LinkedAgents
from mensura.catalog.constraints.compiled.post import (
    CURVE,
    LETTERS_SHORT,
    LIMITS,
    REGISTERS_SHORT,
    count_violated,
    make_counts,
    make_letters,
    widened,
)
from mensura.catalog.constraints.compiled.register import Register, make_register, widened_register

Ints = np.ndarray[Any, Any]


class PostedRun:
    """Postbag, counts, and where a run stands: `at` is the cycle, the side that is read, who is next, how it ended."""

    kinds: tuple[str, ...]
    registers: tuple[str, ...] = ("where",)
    where: Register
    """Agent and other → the slot in which the one keeps the other."""
    values: Ints

    def __init__(self, agents: LinkedAgents, latencies: Ints) -> None:
        self.agents, self.latencies = agents, latencies
        room = 4 * len(agents.target) + 4 * agents.count + 1024
        self.letters = make_letters(agents.count, room=room, parts=room, latencies=len(latencies))
        self.counts = make_counts(agents.count, kinds=len(self.kinds), latencies=len(latencies))
        self.at = np.array([0, 1, -1, 0])
        self.violated = np.zeros(1024, np.int64)
        for name in self.registers:
            setattr(self, name, make_register(1 << int(2 * len(agents.target) + 512).bit_length()))

    def run(self, limits: Ints, note: Callable[[int, Ints], None] = lambda cycle, values: None) -> None:
        """Run to the end; where there is too little room, more is made. `note` is told the last values."""
        while short := self.cycles(limits):
            self.widen(int(short))
        note(self.cycle, self.values)

    def cycles(self, limits: Ints) -> int:
        """Do cycles until the run is over, 0, or there is too little room: of which."""
        raise NotImplementedError

    def widen(self, which: int) -> None:
        """Make more room of one sort."""
        if which == CURVE:
            self.violated = np.concatenate([self.violated, np.zeros_like(self.violated)])
        elif which == REGISTERS_SHORT:
            for name in self.registers:
                setattr(self, name, widened_register(getattr(self, name)))
        else:
            self.letters = widened(self.letters, ("data" if which == LETTERS_SHORT else "parts",), axis=1)

    def note_violated(self) -> None:
        """Begin the curve of violated constraints."""
        agents = self.agents
        self.violated[0] = count_violated(self.values, agents.first, agents.target, agents.masks)

    @property
    def cycle(self) -> int:
        """How many cycles there were."""
        return int(self.at[0])

    @property
    def reached(self) -> str:
        """The limit that ended it."""
        return LIMITS[self.at[3]] if self.at[3] < len(LIMITS) else ""

    @property
    def curve(self) -> list[tuple[int, int]]:
        """After which cycles the number of violated constraints changed, and to what."""
        counts = self.violated[: self.cycle + 1]
        changed = np.flatnonzero(np.diff(counts, prepend=-1))
        return [(int(cycle), int(counts[cycle])) for cycle in changed]
