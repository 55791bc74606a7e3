"""PagiServer: a room behind TCP; every line of a client becomes an answer of the session."""

from __future__ import annotations

import asyncio
import threading
import time
from bisect import bisect_left
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mensura.catalog.pagi_world.calls import SPACE
from mensura.catalog.pagi_world.onlooker import ONLOOKER, Bystander, Onlooker
from mensura.catalog.pagi_world.protocol.reading import CONNECT, DISCONNECT, ClientMessage, Dialect, Framing
from mensura.catalog.pagi_world.protocol.recording import EventFile, read_events, trim
from mensura.catalog.pagi_world.protocol.writing import line_of
from mensura.catalog.pagi_world.rooms.picture import size_of
from mensura.catalog.pagi_world.rooms.room import find_room, list_rooms
from mensura.catalog.pagi_world.world.terms import TERMS
from mensura.dialogue import Address, Instance, Limits, Session, Test, make_record, replay
from mensura.errors import BadParameter, Invalid, Late, MensuraError
from mensura.signals import listening_error

SETTLE, SETTLE_WALL = 0.05, 2.0
"""Seconds after which what was written is on the disk: what a loss of power may cost. They are more under the clock of
the wall, where who writes while the disk is waited for waits too, and a tick would be late."""
SLACK = 0.1
"""Seconds of lateness after which the room goes slower instead of hurrying after the clock."""
LIMITS = Limits(answer_seconds=None, turns=10**9)
MOST_QUEUED = 10_000
MOST_LATE = 1_000_000
"""Of how many ticks the lateness is kept: four hours and a half."""
MOST_UNREAD = 4 * 2**20
"""Bytes that wait for a client that does not read; then it is let go."""


@dataclass(eq=False)
class ClientSeat:
    """One connection: who it is, what it writes, and what waits for it."""

    writer: asyncio.StreamWriter
    role: str = ""
    dialect: Dialect = "json"
    queue: deque[tuple[Any, ...]] = field(default_factory=deque)
    stepping: bool = False

    def say(self, reply: list[Any], *, original: bool) -> None:
        """Write one reply; a client that reads nothing is let go."""
        if self.writer.is_closing():
            return
        self.writer.write(line_of(reply, self.dialect, original=original))
        if self.writer.transport.get_write_buffer_size() > MOST_UNREAD:
            self.writer.transport.abort()


class PagiServer:
    """Serves a room, session after session.

    Parameters
    ----------
    test, parameters, seed
        What is served; `pace` of the parameters says whether clients let the room go on, or the clock does.
    record
        Where events are written before they are acknowledged; a file that exists is continued.
    """

    def __init__(
        self,
        test: Test,
        parameters: dict[str, Any],
        seed: int,
        *,
        record: Path | None = None,
        say: Callable[[str], None] = lambda words: None,
        most_sessions: int | None = None,
        onlooker: Onlooker | None = None,
    ) -> None:
        self.test, self.parameters, self.seed, self.tell = test, parameters, seed, say
        self.wall = parameters["pace"] == "wall"
        self.original = parameters["physics"] == "original"
        self.rate = TERMS[parameters["physics"]].rate
        self.granted: int | None = None
        """How many more messages, or ticks of the clock on the wall, who holds the room lets through; None: all."""
        self.speed = 1.0
        """How fast the clock on the wall lets the room go."""
        self.onlooker: Onlooker = onlooker or Bystander()
        ONLOOKER.set(self.onlooker)
        self.seats: dict[str, ClientSeat] = {}
        self.guests: set[ClientSeat] = set()
        self.errors = 0
        self.commands = 0
        self.lateness: deque[float] = deque(maxlen=MOST_LATE)
        self.results: list[dict[str, Any]] = []
        self.most_sessions = most_sessions
        self.number, self._closed = 0, -1
        self._over, self._settled = asyncio.Event(), threading.Event()
        self._roles = test.cast_roles(parameters)
        self._heard: dict[str, int] = {}
        resumed = self._resume(record)
        self.session = self._new_session() if resumed is None else resumed
        self._file = None if record is None else EventFile(record)
        if self._file is not None and resumed is None:
            self._file.begin(self._head())

    # Sessions ---------------------------------------------------------------------------------------------------------

    def _head(self) -> dict[str, Any]:
        return {"test": self.test.id, "parameters": self.parameters, "seed": self.seed, "number": self.number}

    def _instance(self) -> Instance:
        return Instance(self.test, self.parameters, self.seed, Address(session=self.number))

    def _new_session(self) -> Session:
        return Session(self._instance(), trace="summary", limits=LIMITS)

    def _resume(self, record: Path | None) -> Session | None:
        """Return the session of the file, if it has one, with which to go on."""
        if record is None or not record.is_file() or not record.stat().st_size:
            return None
        trim(record)
        kept = read_events(record)
        if not kept:
            return None
        head, events = kept[-1]
        if (head["test"], head["parameters"], head["seed"]) != (self.test.id, self.parameters, self.seed):
            raise BadParameter(f"{record} is a record of another room, setting or seed; name another file.")
        self.number = head["number"]
        session = replay(self._instance(), events, trace="summary", limits=LIMITS) if events else self._new_session()
        self.tell(f"Went on with {record}, {len(events)} events.")
        if session.status != "open":
            self._closed = self.number
            self.results.append(self._result(session))
        return session

    def _begin(self) -> None:
        """Begin the session once someone is there; who is not there yet joins later."""
        if self.session.log.number == 0:
            ONLOOKER.set(self.onlooker)
            self.session.start()
        for role in self._roles:
            here = role in self.seats
            if here and role in self.session.gone:
                self.session.join(role)
            elif not here and role not in self.session.gone:
                self.session.leave(role)
        asked = self.session.open
        if asked and not self.wall and any(role in self.seats and role not in asked for role in self._roles):
            # Who joins is asked from the next round on: an act of nothing ends this one.
            role = next(iter(asked))
            if not (role in self.seats and self.seats[role].stepping):
                self.session.answer([], role=role, number=self.session.asked[role])
                self._hand_out()

    def _next_session(self) -> None:
        self.number += 1
        self.session = self._new_session()
        if self._file is not None:
            self._file.begin(self._head())
        self._begin()
        self._hand_out()

    # Clients ----------------------------------------------------------------------------------------------------------

    async def serve(self, host: str, port: int, *, ready: Callable[[str, int], None] = lambda host, port: None) -> None:
        """Listen until it is stopped, or as many sessions are over as were wanted."""
        try:
            server = await asyncio.start_server(self._attend, host, port)
        except OSError as error:
            raise BadParameter(listening_error(host, port, error)) from None
        async with server:
            ready(*server.sockets[0].getsockname()[:2])
            settling = threading.Thread(target=self._settle, daemon=True)
            settling.start()
            task = asyncio.create_task(self._keep_time()) if self.wall else None
            try:
                await self._over.wait()
            finally:
                if task is not None:
                    task.cancel()
                self._settled.set()
                settling.join()
                for seat in [*self.guests]:
                    with suppress(Exception):
                        await asyncio.wait_for(seat.writer.drain(), 1)
                    seat.writer.close()
                if self._file is not None:
                    self._file.close()

    def _settle(self) -> None:
        """Bring what was written to the disk, in a thread: neither a long step nor a slow disk delays the other."""
        while self._file is not None and not self._settled.wait(SETTLE_WALL if self.wall else SETTLE):
            self._file.settle()

    async def _attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seat, framing = ClientSeat(writer), Framing()
        self.guests.add(seat)
        socket = writer.get_extra_info("socket")
        if socket is not None:
            import socket as sockets

            socket.setsockopt(sockets.IPPROTO_TCP, sockets.TCP_NODELAY, 1)
        try:
            while data := await reader.read(65536):
                for message in framing.feed(data):
                    self._hear(seat, message)
                    if seat.writer.is_closing():
                        return
                await writer.drain()
        except (ConnectionError, TimeoutError, asyncio.CancelledError):
            pass
        finally:
            self._lose(seat)
            writer.close()

    def _hear(self, seat: ClientSeat, message: ClientMessage) -> None:
        seat.dialect = message.dialect
        try:
            row = self._prepared(message)
        except MensuraError as wrong:
            self._refuse(seat, str(wrong))
            return
        name = row[0]
        if name == DISCONNECT:
            seat.writer.close()
            return
        if name == CONNECT:
            self._sit(seat, message.row[1] if len(message.row) > 1 else "")
            return
        if name == "SC":
            if not self.type(row[1]):
                self._refuse(seat, "SC: nobody is there who could hear it.")
            return
        if not seat.role and not self._sit(seat, ""):
            return
        self._queue(seat, row)

    def type(self, text: str) -> bool:
        """Let all agents hear what a person types; False where nobody is there through whom it could be passed on."""
        silenced = () if self.onlooker.play is None else self.onlooker.play.plan.silenced
        seat = next((seat for role, seat in self.seats.items() if role not in silenced), None)
        if seat is not None:
            self._queue(seat, ("SC", text))
        return seat is not None

    def _prepared(self, message: ClientMessage) -> tuple[Any, ...]:
        """Return a checked call, with what it needs from the folder of the server; raises a sentence."""
        row = message.row
        if message.wrong:
            raise Invalid(message.wrong)
        if row[0] in (CONNECT, DISCONNECT):
            return row
        (row,) = SPACE.check([row])
        if row[0] == "loadTask" and row[2] is None and row[1] not in list_rooms():
            found = next((name for end in ("", ".json", ".tsk") if in_folder(name := row[1] + end)), None)
            return row if found is None else (*row[:2], find_room(found))
        if row[0] == "createItem" and row[10] is None:
            size = size_of(row[2], Path()) if in_folder(row[2]) else None
            return row if size is None else (*row[:10], list(size))
        return row

    def _refuse(self, seat: ClientSeat, words: str) -> None:
        self.errors += 1
        seat.say(["errorMsg", words], original=self.original)

    def _queue(self, seat: ClientSeat, row: tuple[Any, ...]) -> None:
        if len(seat.queue) >= MOST_QUEUED:
            self._refuse(seat, f"More than {MOST_QUEUED} messages wait; {row[0]} was not taken.")
            return
        seat.queue.append(row)
        if not self.wall:
            self._serve(seat)

    def _sit(self, seat: ClientSeat, role: str) -> bool:
        """Give a client a role, the one it names or the first that is free."""
        if seat.role and role in ("", seat.role):
            return True
        free = [one for one in self._roles if one not in self.seats]
        if role and role not in self._roles:
            words = f"There is no role {role!r:.60}; there are {', '.join(self._roles)}."
        elif role and role not in free:
            words = f"The role {role} is taken."
        elif not free:
            words = "All roles are taken."
        else:
            words = ""
        if words:
            self._refuse(seat, words)
            return False
        if seat.role:
            del self.seats[seat.role]
        seat.role = role or free[0]
        self.seats[seat.role] = seat
        self.tell(f"{seat.role} is here.")
        if self.session.status == "open":
            self._begin()
            self._write()
        return True

    def _lose(self, seat: ClientSeat) -> None:
        self.guests.discard(seat)
        if self.seats.get(seat.role) is not seat:
            return
        del self.seats[seat.role]
        self.tell(f"{seat.role} has left.")
        # The last to leave keeps the room standing still.
        if self.seats and self.session.status == "open":
            self.session.leave(seat.role)
            self._hand_out()

    # Who watches ------------------------------------------------------------------------------------------------------

    def hold(self, granted: int | None) -> None:
        """Hold the room but for so many more messages or ticks; None lets it go on."""
        self.granted = granted
        for seat in list(self.seats.values()):
            if not self.wall:
                self._serve(seat)

    def _let(self) -> bool:
        if self.granted == 0:
            return False
        if self.granted is not None:
            self.granted -= 1
        return True

    # Counted ----------------------------------------------------------------------------------------------------------

    def _serve(self, seat: ClientSeat) -> None:
        """Hand in what a client wrote while it is asked."""
        while seat.queue:
            if self.session.status != "open":
                self._after(seat)
                continue
            if seat.role not in self.session.open or not self._let():
                return
            row = seat.queue.popleft()
            if row[0] == "step":
                seat.stepping = True
            self._answer(seat, [row])
            self._hand_out()

    def _answer(self, seat: ClientSeat, rows: list[tuple[Any, ...]], *, tick: int | None = None) -> None:
        role = seat.role
        try:
            self.commands += len(rows)
            self.session.answer(rows, role=role, number=self.session.asked[role], tick=tick, patiently=True)
        except MensuraError as wrong:
            seat.stepping &= not isinstance(wrong, Invalid | Late)
            self._refuse(seat, str(wrong))

    def _after(self, seat: ClientSeat) -> None:
        """Answer a client whose session is over: `reset` begins the next."""
        row = seat.queue.popleft()
        if row[0] == "reset":
            seat.say(["update", "reset,OK"], original=self.original)
            self._next_session()
        elif row[0] == "getOutcome" and self.results:
            found = self.results[-1]
            shown = {name: found[name] for name in ("success", "ticks", "endorphins", "work")}
            seat.say(["outcome", shown], original=self.original)
        else:
            self._refuse(seat, f"{row[0]}: this session is over; reset begins the next.")

    def _hand_out(self) -> None:
        """Write events, then tell clients what came; who waited for a step hears of it last."""
        session = self.session
        for role, ask in list(session.open.items()):
            number = session.asked[role]
            if self._heard.get(role) == number and role in self._heard:
                continue
            self._heard[role] = number
            replies = list(ask.prompt.replies)  # type: ignore[union-attr]
            seat = self.seats.get(role)
            if not replies and (seat is None or not seat.stepping):
                continue
            self._write()
            self._send(role, replies)
            if seat is not None and seat.stepping:
                seat.stepping = False
                seat.say(["step", str(ask.prompt.tick)], original=self.original)  # type: ignore[union-attr]
        self._write()
        if session.status != "open":
            self._close_session()
        for seat in list(self.seats.values()):
            if seat.queue and not self.wall and seat.role in session.open:
                asyncio.get_running_loop().call_soon(self._serve, seat)

    def _send(self, role: str, replies: list[list[Any]]) -> None:
        everyone = self.seats.values() if self.original else [self.seats[role]] if role in self.seats else []
        for seat in everyone:
            for reply in replies:
                if reply[0] == "saved":
                    seat.say(self._save(reply), original=self.original)
                else:
                    seat.say(reply, original=self.original)

    def _save(self, reply: list[Any]) -> list[Any]:
        """Write a room that a client saves, in the folder of the server and nowhere else."""
        import json
        import re

        name = str(reply[1]).removesuffix(".json")
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9 _-]{0,80}", name):
            return ["errorMsg", f"saveTask: a name has letters, digits, blanks, _ and -; got {reply[1]!r:.60}."]
        try:
            Path(f"{name}.json").write_text(json.dumps(reply[2], indent=1))
        except OSError as error:
            return ["errorMsg", f"saveTask: {name}.json cannot be written: {error.strerror}."]
        return reply

    def _write(self) -> None:
        events = self.session.drain()
        if events and self._file is not None:
            self._file.write(events)

    def _close_session(self) -> None:
        if self._closed == self.number:
            return
        self._closed = self.number
        outcome, result = self.session.outcome.prompt, self._result(self.session)
        self.results.append(result)
        words = next((reply[1] for reply in getattr(outcome, "replies", []) if reply[0] == "over"), "It is over.")
        for seat in self.seats.values():
            seat.say(["over", words], original=self.original)
            if seat.stepping:
                seat.stepping = False
                seat.say(["step", str(result["ticks"])], original=self.original)
        self.tell(f"Session {self.number} is over: {'solved' if result['success'] else 'not solved'}.")
        if self.most_sessions is not None and len(self.results) >= self.most_sessions:
            self._over.set()

    def _result(self, session: Session) -> dict[str, Any]:
        found = session.drain_truths().get("result", {"success": False, "ticks": 0, "endorphins": 0, "work": 0})
        return {**found, "session": self.number, "status": session.status}

    def stop(self) -> None:
        """Stop serving."""
        self._over.set()

    # Wall -------------------------------------------------------------------------------------------------------------

    async def _keep_time(self) -> None:
        """Step the room at the edge of every tick; where it is late it goes slower, and never skips."""
        due = time.perf_counter() + 1 / self.rate
        while True:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            now, step = time.perf_counter(), 1 / self.rate / self.speed
            if self.session.log.number == 0 or not self.seats or not self._let():
                due = now + step
                continue
            self.lateness.append(now - due)
            self._edge()
            due += step
            if time.perf_counter() - due > SLACK:
                due = time.perf_counter()

    def _edge(self) -> None:
        session = self.session
        if session.status != "open":
            for seat in list(self.seats.values()):
                while seat.queue and self.session.status != "open":
                    self._after(seat)
            return
        now = session.clock.now
        for role in list(session.open):
            sitting = self.seats.get(role)
            if sitting is not None and sitting.queue:
                seat = sitting
                rows = [row for row in seat.queue if row[0] != "step"]
                if len(rows) < len(seat.queue):
                    self._refuse(seat, "step: the clock lets this room go on.")
                seat.queue.clear()
                if rows:
                    self._answer(seat, rows, tick=now)
        if session.status == "open" and session.clock.now == now:
            session.advance(now + 1)
        self._hand_out()

    def report(self) -> dict[str, Any]:
        """Return what came of all sessions, and how late ticks were."""
        late = sorted(self.lateness)
        shares = (
            {f"p{share}": late[min(len(late) - 1, len(late) * share // 100)] * 1000 for share in (50, 99)}
            if late
            else {}
        )
        return {
            "sessions": self.results,
            "commands": self.commands,
            "errors": self.errors,
            "lateness_ms": {
                **shares,
                "worst": late[-1] * 1000,
                "under_10": bisect_left(late, 0.01) / len(late),
                "ticks": len(late),
            }
            if late
            else {},
        }


def in_folder(name: str) -> bool:
    """Return whether a name is that of a file in the folder of the server, and of no other place."""
    return name == Path(name).name and Path(name).is_file()


def score_file(test: Test, path: Path) -> list[dict[str, Any]]:
    """Replay every session of a record and return its scores."""
    found = []
    for head, events in read_events(path):
        parameters = test.fill(head["parameters"])
        instance = Instance(test, parameters, head["seed"], Address(session=head["number"]))
        session = replay(instance, events, trace="summary", limits=LIMITS, from_save=False)
        record = make_record(events, test=test.id, parameters=parameters, cast={}, session=str(head["number"]))
        assert test.score is not None
        scores = test.score(record, session.drain_truths())
        values = {name: float(items.values[0]) for name, items in scores.values.items()}
        found.append({"number": head["number"], "status": session.status, "ticks": session.clock.now, "scores": values})
    return found
