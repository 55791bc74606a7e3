"""Watching: one problem being solved, as compact frames: who was woken, what it read, called, and what that cost."""

from collections.abc import Mapping, Sequence
from math import isinf
from typing import Any

import numpy as np

from mensura.catalog.constraints.mail.letter import Letter, frozen
from mensura.catalog.constraints.problem.problem import Problem
from mensura.dialogue.canonical import canonical
from mensura.errors import Invalid

LONGEST = 160
"""Characters that are shown of a letter."""
ASSIGN, STOP = -1, -2


class TextPool:
    """Texts that come again and again, each by its number."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))


class RunWatch:
    """Follow a run from what its agents are asked and answer, and from nothing else: live, or from a log.

    Letters are numbered in the order in which they are sent; one that is read is the first of its sender with the same
    content that is still on the way. Lost letters stay on the way, and second copies have no number.
    """

    def __init__(self, problem: Problem, picture: Mapping[str, Any]) -> None:
        self.problem, self.picture = problem, picture
        self.wakings: list[list[Any]] = []
        self.report: Mapping[str, Any] | None = None
        self.kinds, self.texts = TextPool(), TextPool()
        self.values: dict[str, Any] = {}
        self.cost = 0.0
        self.violated = 0
        self.letters = 0
        self._agents = {agent: place for place, agent in enumerate(problem.agents)}
        self._variables = {name: place for place, name in enumerate(problem.variables)}
        links = [(a, b) for a, near in problem.graph.items() for b in near if self._agents[a] < self._agents[b]]
        self._links = {frozenset(pair): place for place, pair in enumerate(links)}
        self._on: dict[str, list[int]] = {name: [] for name in problem.variables}
        """The constraints on each variable."""
        self._pairs: list[list[int]] = []
        """The links that each constraint is drawn on."""
        for number, constraint in enumerate(problem.constraints):
            owners = sorted({self._agents[problem.owner[name]] for name in constraint.scope})
            names = list(problem.agents)
            pairs = [frozenset((names[a], names[b])) for i, a in enumerate(owners) for b in owners[i + 1 :]]
            self._pairs.append([self._links[pair] for pair in pairs])
            for name in constraint.scope:
                self._on[name].append(number)
        self._standing: list[tuple[bool, float]] = [(False, 0.0)] * len(self._pairs)
        self._broken = [0] * len(links)
        self._way: dict[tuple[str, str], list[tuple[int, str, int, int]]] = {}
        self._clocks = dict.fromkeys(problem.agents, 0)

    def wake(self, agent: str, cycle: int, letters: Sequence[Letter], calls: Sequence[Sequence[Any]]) -> list[Any]:
        """Note one waking; returns its frame.

        A frame holds cycle, agent, the numbers of letters read, the calls, and six figures: checks, obsolete letters,
        nogoods kept, links added (the last two None where nothing is said), size of what was sent, and the agent's
        concurrent clock.
        """
        read, clock = [], self._clocks[agent]
        for letter in letters:
            number, stamp = self._arrive(agent, letter)
            read.append(number)
            clock = max(clock, stamp)
        count = calls[-1] if calls and calls[-1][0] == "count" else ("count", 0, 0, None, None)
        made, size = [], 0
        for call in calls:
            if call[0] == "send":
                after = count[1] if call[4] is None else call[4]
                sent, more = self._send(agent, call, clock + after)
                made += sent
                size += more
            elif call[0] == "assign" and call[1] in self.problem.agents[agent]:
                made += self._assign(call[1], call[2])
            elif call[0] == "stop":
                made.append([STOP, str(call[1])])
        self._clocks[agent] = clock = clock + (count[1] or 0)
        frame = [cycle, self._agents[agent], read, made, [count[1] or 0, count[2] or 0, *count[3:5], size, clock]]
        self.wakings.append(frame)
        return frame

    def _arrive(self, agent: str, letter: Letter) -> tuple[int | None, int]:
        way, text = self._way.get((letter.sender, agent), []), text_of(letter.data)
        for place, (number, kind, content, stamp) in enumerate(way):
            if kind == letter.kind and content == self.texts(text):
                del way[place]
                return number, stamp
        return None, 0

    def _send(self, agent: str, call: Sequence[Any], stamp: int) -> tuple[list[list[Any]], int]:
        _, to, kind, data, _ = call
        made, size = [], 0
        try:
            leaves = frozen(data)[1]
        except Invalid:
            return [], 0
        text = self.texts(text_of(data))
        for name in [to] if isinstance(to, str) else to if isinstance(to, (list, tuple)) else []:
            if name in self._agents and name != agent:
                self._way.setdefault((agent, name), []).append((self.letters, kind, text, stamp))
                self.letters += 1
                size += leaves
                made.append([self._agents[name], self.kinds(kind), text])
        return made, size

    def _assign(self, variable: str, value: Any) -> list[list[Any]]:
        """Take a value over; says which links change between violated and not, and what all costs now."""
        positions = self.problem.positions[variable]
        try:
            held = frozen(value)[0]
            position = positions[held]
        except (KeyError, TypeError, Invalid):
            return []
        self.values[variable] = held
        turned = []
        for number in self._on[variable]:
            constraint = self.problem.constraints[number]
            if not all(name in self.values for name in constraint.scope):
                continue
            cell = self.problem.at(constraint, self.values)
            broken = not cell if constraint.hard else isinf(cell)
            before, cost = self._standing[number]
            now = 0.0 if constraint.hard or broken else float(cell)
            self._standing[number] = bool(broken), now
            self.cost += now - cost
            if broken != before:
                self.violated += 1 if broken else -1
                for link in self._pairs[number]:
                    was = self._broken[link] > 0
                    self._broken[link] += 1 if broken else -1
                    if was != (self._broken[link] > 0):
                        turned.append(link)
        cost = self.violated if self.problem.objective == "satisfy" else round(self.cost, 6)
        return [[ASSIGN, self._variables[variable], position, turned, cost, self.violated]]

    def data(self) -> dict[str, Any]:
        """Return all of it as JSON."""
        problem = self.problem
        domains = {name: place for place, name in enumerate(problem.domains)}
        return {
            "objective": problem.objective,
            "agents": list(problem.agents),
            "variables": [
                [name, domains[problem.variables[name]], self._agents[problem.owner[name]]]
                for name in problem.variables
            ],
            "domains": [[str(value) for value in values] for values in problem.domains.values()],
            "links": [sorted(self._agents[name] for name in pair) for pair in self._links],
            "picture": dict(self.picture),
            "kinds": list(self.kinds.numbers),
            "texts": list(self.texts.numbers),
            "wakings": self.wakings,
            "report": self.report,
        }


def text_of(data: Any) -> str:
    """Write what a letter says, the same before and after it was stored as JSON."""
    if isinstance(data, np.ndarray) and data.size > LONGEST:
        return f"a table of {' × '.join(map(str, data.shape))} cells"
    text = "" if data is None else data if isinstance(data, str) else canonical(data)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} … ({len(text)} characters)"
