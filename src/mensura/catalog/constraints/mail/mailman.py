"""Mailman: wakes agents, carries what they send, checks what they claim, and counts it all. It does no I/O."""

from collections import deque
from collections.abc import Container, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from operator import add
from typing import Any, Literal

import numpy as np

from mensura.catalog.constraints.mail.ends import RunEnds
from mensura.catalog.constraints.mail.letter import ATOMS, Letter, frozen
from mensura.catalog.constraints.mail.network import Network, NetworkTerms
from mensura.catalog.constraints.mail.standing import Standing
from mensura.catalog.constraints.mail.tally import AgentTally, Refusals
from mensura.catalog.constraints.problem.problem import Problem
from mensura.errors import BadParameter, Invalid

Execution = Literal["sync", "async", "real"]
Reading = Literal["packet", "each", "one"]
Stamps = tuple[int, ...]
Carried = tuple[int, Letter, Stamps]
"""Who sent it, the letter, and the sender's clocks when it was sent: the chain of wakings, then checks per latency."""
VERDICTS = ("solved", "unsolvable", "optimal")


class Mailman:
    """One run: `wake` says who reads what now, `take` takes what they call, until `over` says how it ended.

    Parameters
    ----------
    problem
        What is to be agreed on.
    execution
        "sync": all agents that have mail read it in the same cycle, and what they send arrives in the next at the
        earliest. "async": one agent at a time, drawn from those that have mail. "real": all that have mail, each as
        fast as it is.
    reading
        "packet": all that has arrived at once; "each": all of it, one letter at a waking; "one": one letter a cycle.
    terms
        What the network does to messages.
    ends
        Limits.
    latencies
        For each of them, in checks, non-concurrent checks are counted with messages that take so long.
    rng
        Chance of the network and of who is woken next.
    flood
        The most messages of one agent at one waking.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        rng: np.random.Generator,
        execution: Execution = "sync",
        reading: Reading = "packet",
        terms: NetworkTerms = NetworkTerms(),
        ends: RunEnds = RunEnds(),
        latencies: Sequence[int] = (0,),
        flood: int | None = None,
    ) -> None:
        self.problem = problem
        self.agents = tuple(problem.agents)
        self.synchronous, self.reading, self.ends = execution == "sync", reading, ends
        self.latencies = tuple(latencies)
        self.over = ""
        """How the run ended: "quiet", "stopped", "limit" or "lost"; empty while it goes on."""
        self.why = ""
        """More about it: the limit, who stopped it with which claim, who was lost."""
        self.cycle = 0
        self.messages = 0
        self.wakings = 0
        self.checks = 0
        self.claims: list[tuple[str, str]] = []
        self.standing = Standing(problem)
        self.curve: list[tuple[int, float, int]] = []
        self.refusals = Refusals()
        ticks, least = (1, 1) if self.synchronous else (len(self.agents), 0)
        self.network = Network(terms, rng, ticks=ticks, least=least)
        self._index = {agent: place for place, agent in enumerate(self.agents)}
        self.tallies = [AgentTally() for _ in self.agents]
        self._clocks: list[Stamps] = [(0,) * (1 + len(self.latencies)) for _ in self.agents]
        self._added, self._late = (0, *self.latencies), any(self.latencies)
        self._flood = 1000 + 10 * len(self.agents) if flood is None else flood
        self._plain = terms.plain
        self._boxes: list[deque[Carried]] = [deque() for _ in self.agents]
        """What has arrived and is not read yet."""
        self._ready: list[int] = []
        """In asynchronous runs, who has mail."""
        self._reader: int | None = None
        """In asynchronous runs, who was woken last."""
        self._next: dict[int, list[Carried]] = {}
        """In synchronous runs over a plain network, what arrives in the next cycle."""
        self._way: list[tuple[int, int, int, Carried]] = []
        """Everything else that is on its way: the tick at which it arrives, in which order it was sent, to whom."""
        self._serial = 0
        """How many of these there were."""
        self._left: dict[int, deque[Carried]] = {}
        """What is still to be read in this cycle, where letters are read each on its own."""

    @property
    def now(self) -> int:
        """The time in ticks: cycles, or wakings, of which as many as there are agents make one unit of time."""
        return self.cycle if self.synchronous else self.wakings

    def wake(self) -> list[tuple[str, list[Letter]]]:
        """Return who is woken now and what each of them reads; nobody where the run is over."""
        if not self.synchronous:
            return self._wake_one()
        if not self._left and not self._begin_cycle():
            return []
        woken = []
        if self.reading == "packet":
            due, self._left = self._left, {}
            for place in sorted(due):
                woken.append((self.agents[place], self._read(place, due[place])))
            return woken
        for place in sorted(self._left):
            box = self._left[place]
            woken.append((self.agents[place], self._read(place, (box.popleft(),))))
            if not box or self.reading == "one":
                del self._left[place]
        return woken

    def wake_free(self, busy: Container[str]) -> list[tuple[str, list[Letter]]]:
        """Return who reads what in a real run: all who have mail and are not busy with what they read before.

        Nobody is woken any more once someone has stopped the run or a limit is reached; it is over, and only then, when
        those who are busy have answered too.
        """
        over = self.claims or self.ends.reached(cycles=self.cycle, messages=self.messages, checks=self.checks)
        self._arrive(wait=not over and not busy)
        woken = []
        for place in [] if over or self.over else list(self._ready):
            if self.agents[place] in busy:
                continue
            self._ready.remove(place)
            box, self._boxes[place] = self._boxes[place], deque()
            self.wakings += 1
            woken.append((self.agents[place], self._read(place, box)))
            self.cycle = max(self.cycle, self._clocks[place][0])
        if not woken and not busy:
            self.draw_curve()
            self._over()
        return woken

    def take(self, agent: str, calls: Sequence[Sequence[Any]] | None) -> None:
        """Take what an agent calls; None where it gave no answer at all, which ends the run."""
        if calls is None:
            self._end("lost", agent)
            return
        place = self._index[agent]
        tally, clock = self.tallies[place], self._clocks[place]
        total = calls[-1][1] if calls and calls[-1][0] == "count" else 0
        stamped, stamps, room = 0, clock, self._flood
        for call in calls:
            if call[0] == "send":
                after = total if call[4] is None else call[4]
                if after != stamped:
                    stamped, stamps = after, (clock[0], *[own + after for own in clock[1:]])
                room -= self._send(place, call, stamps, room)
            elif call[0] == "assign":
                self._assign(agent, call[1], call[2])
            elif call[0] == "stop":
                self._claim(agent, call[1])
            else:
                tally.note(call)
        self.messages += self._flood - room
        self.checks += total
        if total:
            self._clocks[place] = (clock[0], *[own + total for own in clock[1:]])
        if not self.synchronous and self.wakings % len(self.agents) == 0:
            self.draw_curve()

    def _send(self, place: int, call: Sequence[Any], stamps: Stamps, room: int) -> int:
        """Send a letter to one agent or to several; returns how many are carried."""
        _, to, kind, data, _ = call
        agent, index = self.agents[place], self._index
        try:
            copy, size = frozen(data)
        except Invalid as wrong:
            self.refusals.add(agent, "data", f"A message of {agent} was not carried. {wrong}")
            return 0
        letter: Carried = (place, Letter(agent, kind, copy), stamps)
        arriving = self._next if self._plain and self.synchronous else None
        carried, shared = 0, _shareable(copy)
        for name in (to,) if type(to) is str else to if isinstance(to, (list, tuple)) else (to,):
            reader = index.get(name) if type(name) is str else None
            if reader is None or reader == place or carried >= room:
                self._refuse_letter(agent, name, reader)
                continue
            if carried and not shared:
                # What a reader could change is copied for each.
                letter = (place, Letter(agent, kind, frozen(data)[0]), stamps)
            carried += 1
            if arriving is None:
                self._carry(place, reader, letter)
            elif reader in arriving:
                arriving[reader].append(letter)
            else:
                arriving[reader] = [letter]
        if carried:
            tally = self.tallies[place]
            tally.sent[kind] = tally.sent.get(kind, 0) + carried
            tally.size += size * carried
        return carried

    def _begin_cycle(self) -> bool:
        """End the cycle and begin the next in which there is mail; False where the run is over."""
        self.draw_curve()
        if self._over():
            return False
        if self._plain:
            self.cycle += 1
            arrived: dict[int, Any] = self._next
            self._next = {}
        else:
            self.cycle = self.cycle + 1 if any(self._boxes) else max(self.cycle + 1, self._way[0][0])
            arrived = {}
            while self._way and self._way[0][0] <= self.cycle:
                _, _, reader, letter = heappop(self._way)
                arrived.setdefault(reader, []).append(letter)
        most = self.ends.cycles
        if most is not None and self.cycle > most:
            self.cycle = most
            self._end("limit", "cycles")
            return False
        if not self._plain or self.reading != "packet":
            for letters in arrived.values():
                # Letters that arrive together are read in the order of their senders.
                letters.sort(key=lambda letter: letter[0])
        if self.reading == "packet":
            self._left = arrived
        else:
            for reader, letters in arrived.items():
                self._boxes[reader].extend(letters)
            self._left = {reader: box for reader, box in enumerate(self._boxes) if box}
            if self.reading == "each":
                # What arrives together counts together, in whatever order it is read.
                for reader, letters in self._left.items():
                    self._clocks[reader] = self._newest(reader, letters)
        return True

    def _over(self) -> bool:
        """End the run where someone stopped it, where it is quiet or where a limit is reached."""
        if self.over:
            return True
        if self.claims:
            self._end("stopped", "{}: {}".format(*self.claims[0]))
        elif not (self._next or self._way or self._ready or any(self._boxes)):
            self._end("quiet", "")
        elif reached := self.ends.reached(cycles=self.cycle, messages=self.messages, checks=self.checks):
            self._end("limit", reached)
        return bool(self.over)

    def lapse(self) -> None:
        """End the run because its seconds are over."""
        self.draw_curve()
        self._end("limit", "seconds")

    def _end(self, over: str, why: str) -> None:
        if not self.over:
            self.over, self.why = over, why

    def _wake_one(self) -> list[tuple[str, list[Letter]]]:
        """Wake one agent that has mail, in an asynchronous run."""
        if self._over():
            self.draw_curve()
            return []
        place = self._due()
        box = self._boxes[place]
        if self.reading == "packet":
            letters: Any = box
            self._boxes[place] = deque()
        else:
            letters = (box.popleft(),)
        if self.reading == "packet" or not box:
            self._ready.remove(place)
        self.wakings += 1
        read = self._read(place, letters)
        self.cycle = max(self.cycle, self._clocks[place][0])
        return [(self.agents[place], read)]

    def _due(self) -> int:
        """Draw who reads next, once all that has arrived by now is in its box."""
        self._arrive(wait=True)
        ready = self._ready
        if self.reading == "each" and self._reader is not None and self._boxes[self._reader]:
            # It reads all that it has before anybody else is woken.
            return self._reader
        self._reader = ready[int(self.network.draw() * len(ready))]
        return self._reader

    def _arrive(self, *, wait: bool) -> None:
        """Put all that has arrived by now into its boxes; where nobody has mail, wait for what arrives first."""
        if wait and self._way and not self._ready:
            self.wakings = max(self.wakings, self._way[0][0])
        while self._way and self._way[0][0] <= self.wakings:
            _, _, reader, letter = heappop(self._way)
            self._put(reader, letter)

    def _put(self, reader: int, letter: Carried) -> None:
        box = self._boxes[reader]
        if not box:
            self._ready.append(reader)
        box.append(letter)

    def _carry(self, sender: int, reader: int, letter: Carried) -> None:
        """Send a letter by the network."""
        now = self.now
        for arrival in self.network.carry(sender, reader, now):
            if arrival <= now:
                # What was sent before and is due now is read before.
                self._arrive(wait=False)
                self._put(reader, letter)
            else:
                self._serial += 1
                heappush(self._way, (arrival, self._serial, reader, letter))

    def _read(self, place: int, letters: Sequence[Carried]) -> list[Letter]:
        """Move a reader's clocks to what its letters say, and hand them over."""
        chain, *clocks = self._newest(place, letters)
        self._clocks[place] = (chain + 1, *clocks)
        tally = self.tallies[place]
        tally.received += len(letters)
        tally.wakings += 1
        return [letter[1] for letter in letters]

    def _newest(self, place: int, letters: Iterable[Carried]) -> Stamps:
        """Return a reader's clocks, moved to those of letters that took their latency."""
        own = self._clocks[place]
        if not self._late:
            return tuple(map(max, own, *[letter[2] for letter in letters]))
        newest = map(max, *[letter[2] for letter in letters], (0,) * len(own))
        return tuple(map(max, own, map(add, newest, self._added)))

    def _assign(self, agent: str, variable: Any, value: Any) -> None:
        if variable not in self.problem.agents[agent]:
            self.refusals.add(agent, "variable", f"{agent} gave a value to {variable!r:.60}, which is not its own.")
            return
        try:
            self.standing.assign(variable, frozen(value)[0])
        except (KeyError, TypeError, Invalid):
            words = f"{agent} gave {variable} the value {value!r:.60}, which is not in its domain."
            self.refusals.add(agent, "value", words)

    def _claim(self, agent: str, verdict: str) -> None:
        if verdict in VERDICTS:
            self.claims.append((agent, verdict))
        else:
            words = f"{agent} stopped with {verdict!r:.60}; a claim is {', '.join(VERDICTS)}."
            self.refusals.add(agent, "claim", words)

    def _refuse_letter(self, agent: str, to: Any, reader: int | None) -> None:
        if reader is None:
            self.refusals.add(agent, "stranger", f"{agent} wrote to {to!r:.60}, and there is no such agent.")
        elif self.agents[reader] == agent:
            self.refusals.add(agent, "itself", f"{agent} wrote to itself.")
        else:
            words = f"{agent} sent more than {self._flood} messages at one waking; the rest was not carried."
            self.refusals.add(agent, "flood", words)

    def draw_curve(self) -> None:
        """Note what the values cost now, where that has changed."""
        standing = self.standing
        if standing.changed and standing.complete:
            standing.changed = False
            cost, violated = standing.cost()
            if not self.curve or self.curve[-1][1:] != (cost, violated):
                self.curve.append((self.cycle, cost, violated))

    def close(
        self,
        *,
        cycle: int,
        messages: int,
        checks: int,
        clocks: list[Stamps],
        claims: list[tuple[str, str]],
        reached: str,
    ) -> None:
        """Enter what was carried by other means: on arrays, with the same counts."""
        self.cycle, self.messages, self.checks, self._clocks, self.claims = cycle, messages, checks, clocks, claims
        if claims:
            self._end("stopped", "{}: {}".format(*claims[0]))
        else:
            self._end("limit" if reached else "quiet", reached)

    def report(self) -> dict[str, Any]:
        """Return all measures of the run as JSON."""
        from mensura.catalog.constraints.mail.report import report_of

        return report_of(self)

    @property
    def clocks(self) -> Mapping[str, Stamps]:
        """The clocks of every agent: the chain of wakings, then checks per latency."""
        return dict(zip(self.agents, self._clocks, strict=True))


def latencies_of(text: str) -> tuple[int, ...]:
    """Read the latencies of concurrent clocks as they are given with --latency."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdigit() for part in parts):
        raise BadParameter(f"--latency is one number of checks or several, as in 0,100,1000; got {text!r}.")
    return tuple(dict.fromkeys(map(int, parts)))


def _shareable(data: Any) -> bool:
    """Return whether nobody can change data, so that several readers may hold the same."""
    return type(data) in ATOMS or (type(data) is tuple and all(map(_shareable, data)))
