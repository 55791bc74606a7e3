"""Hub: a run of constraints whose agents are processes elsewhere; what they send goes through it, and is recorded."""

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from mensura.catalog.constraints.hub.seat import AgentSeat
from mensura.catalog.constraints.hub.wire import PATIENCE, line_of, listening, name_the_late, read_line
from mensura.dialogue import Event, Instance, Limits, Session, make_record
from mensura.errors import Invalid

Lost = Literal["end", "pause"]


class Hub:
    """Waits for an agent in every role, then carries what they send until the run is over.

    The session is the same as in any run, with `execution="real"`: what an agent answers goes out at once, and the
    order of answers is the record, from which all of it can be replayed.

    Parameters
    ----------
    instance
        What is to be agreed on, and how.
    lost
        What a lost agent does: "end" the run, or "pause" it until someone sits in its place again. Who takes a seat
        over is given all posts of the past first, reads them as its predecessor did, and goes on from there.
    record
        Where the events are written, one object of JSON a line, as they come; None: nowhere.
    say
        What is told to who started the hub.
    """

    def __init__(
        self,
        instance: Instance,
        *,
        lost: Lost = "end",
        record: Path | None = None,
        say: Callable[[str], None] = lambda words: None,
    ) -> None:
        self.instance, self.lost, self.say = instance, lost, say
        chances = {role: int(instance.chance_of(role).integers(2**53)) for role in instance.roles}
        self.seats = {role: AgentSeat(role, chances[role]) for role in instance.roles}
        self.session = Session(instance, trace="summary", limits=Limits(answer_seconds=None))
        self.refused = 0
        """Lines and guests that were turned away."""
        self._events: list[Event] = []
        self._file = None if record is None else record.open("w", encoding="utf-8")
        self._over = asyncio.Event()
        self._begun = False

    @property
    def missing(self) -> list[str]:
        """The roles in which nobody sits."""
        return [role for role, seat in self.seats.items() if seat.writer is None]

    async def serve(self, host: str, port: int, *, ready: Callable[[str, int], None] = lambda host, port: None) -> None:
        """Listen until the run is over."""
        async with listening(self._attend, host, port) as where:
            ready(*where)
            naming = asyncio.create_task(name_the_late(self.say, self._late))
            try:
                await self._over.wait()
            finally:
                naming.cancel()
                for seat in self.seats.values():
                    if seat.writer is not None:
                        seat.writer.close()
                if self._file is not None:
                    self._file.close()

    def _late(self) -> tuple[str, list[str]]:
        """Return whom the run waits for: those who are missing, else those who have long been reading."""
        if missing := self.missing:
            return "", missing
        now = time.perf_counter()
        stalled = [
            role for role, seat in self.seats.items() if seat.waiting is not None and now - seat.since > PATIENCE
        ]
        return "an answer of ", stalled

    async def _attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Seat a guest, and listen to it until it leaves."""
        try:
            seat = self._seat(await read_line(reader))
        except Invalid as wrong:
            self.refused += 1
            writer.write(line_of({"error": str(wrong)}))
            writer.close()
            return
        seat.writer = writer
        self.say(f"Agent {seat.role} is here, {len(self.seats) - len(self.missing)} of {len(self.seats)}.")
        seat.say({"welcome": seat.role, "seed": seat.seed, "past": seat.past})
        seat.hand_over()
        if not self.missing and not self._begun:
            self._begun = True
            self.session.start()
            self._go_on()
            if (seconds := self.session.deadline) is not None:
                asyncio.get_running_loop().call_later(seconds, self._lapse, seconds)
        await self._listen(seat, reader)
        writer.close()
        if seat.writer is writer:
            seat.writer = None
            self._lose(seat)

    def _seat(self, message: dict[str, Any] | None) -> AgentSeat:
        role = None if message is None else message.get("join")
        if role is None or not isinstance(role, str):
            raise Invalid('The first line is {"join": NAME}, with the name of an agent or "" for any that is free.')
        if role and role not in self.seats:
            raise Invalid(f"There is no agent {role!r:.60}; there are {', '.join(list(self.seats)[:20])}.")
        free = [role] if role else self.missing
        if not free or self.seats[free[0]].writer is not None:
            raise Invalid(f"Agent {role} is here already." if role else "All agents are here already.")
        return self.seats[free[0]]

    async def _listen(self, seat: AgentSeat, reader: asyncio.StreamReader) -> None:
        while not self._over.is_set():
            try:
                message = await read_line(reader)
                if message is None:
                    return
                self._take(seat, message)
            except Invalid as wrong:
                self.refused += 1
                seat.say({"error": str(wrong)})
                if "MiB" in str(wrong):
                    return
                if self._begun:
                    # Too many wrong answers in a row end a session.
                    self._go_on()

    def _take(self, seat: AgentSeat, message: dict[str, Any]) -> None:
        """Take an answer, and hand out what follows from it."""
        if "calls" not in message:
            raise Invalid('An answer is {"number": N, "calls": [...]}.')
        if seat.waiting is None or message.get("number") != seat.number:
            raise Invalid("There is no post of that number that waits for an answer.")
        if self.session.status != "open":
            return
        self.session.answer(message["calls"], role=seat.role, number=self.session.asked[seat.role])
        seat.answered(message, keep=self.lost == "pause")
        self._go_on()

    def _go_on(self) -> None:
        """Hand out what is asked of those who are free; end where the session has."""
        for role, ask in self.session.open.items():
            seat = self.seats[role]
            if seat.waiting is None:
                seat.give(ask.prompt.data())  # type: ignore[union-attr]
        self._write()
        if self.session.status != "open" and not self._over.is_set():
            for seat in self.seats.values():
                seat.say({"over": self.session.status})
            self._over.set()

    def _lapse(self, seconds: int) -> None:
        """End the run at its limit: all that is still asked lapses."""
        if not self._over.is_set():
            self.session.advance(seconds)
            self._go_on()

    def _lose(self, seat: AgentSeat) -> None:
        if not self._begun or self._over.is_set():
            return
        self.say(f"Agent {seat.role} is lost." + (" The run waits for it." if self.lost == "pause" else ""))
        if self.lost == "end":
            self.session.fail("crashed", last_words=f"{seat.role} was lost.", roles=[seat.role])
            self._go_on()

    def _write(self) -> None:
        events = self.session.drain()
        self._events += events
        if self._file is not None and events:
            for event in events:
                kept = {name: value for name, value in asdict(event).items() if value is not None}
                self._file.write(json.dumps(kept, default=list) + "\n")
            # An answer is on disk before what follows from it is sent: writes wait for the loop.
            self._file.flush()

    def result(self) -> dict[str, Any]:
        """Return the scored instance, with what was measured of the network beside it."""
        instance = self.instance
        cast = dict.fromkeys(instance.roles, "hub")
        record = make_record(
            self._events, test=instance.test.id, parameters=dict(instance.parameters), cast=cast, session="hub"
        )
        record.status = self.session.status
        assert instance.test.score is not None
        scores = instance.test.score(record, self.session.drain_truths())
        found: dict[str, Any] = scores.details["instances"][0] if scores.details else {"verdict": "crashed"}
        agents = {role: seat.report() for role, seat in self.seats.items()}
        return {**found, "self_reported": True, "refused_lines": self.refused, "agents_elsewhere": agents}
