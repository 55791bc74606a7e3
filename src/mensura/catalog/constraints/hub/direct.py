"""Direct: agents that write to each other; the hub only introduces them, and finds out when all is quiet."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from typing import Any

import numpy as np

from mensura.catalog.constraints.families.chain import Single
from mensura.catalog.constraints.families.find import find_chain
from mensura.catalog.constraints.hub.wire import LONGEST, line_of, listening, name_the_late, read_line, take_seat
from mensura.catalog.constraints.mail.ends import RunEnds
from mensura.catalog.constraints.mail.letter import Letter, frozen
from mensura.catalog.constraints.mail.mailman import VERDICTS
from mensura.catalog.constraints.mail.post import Post
from mensura.catalog.constraints.mail.share import shares_of
from mensura.catalog.constraints.mail.standing import Standing
from mensura.catalog.constraints.oracle.find import OracleTruth, truth_of
from mensura.catalog.constraints.order.find import ranks_of
from mensura.catalog.constraints.order.tree import tree_of
from mensura.catalog.constraints.scoring import verdict_of
from mensura.catalog.constraints.several import compiled
from mensura.catalog.constraints.streams import streams_of
from mensura.dialogue import Ask, Instance, generator
from mensura.errors import BadParameter, Invalid, SubjectLost

PAUSE = 0.02
"""Seconds between two counts of messages."""
COUNTED = {"messages": "sent", "checks": "checks"}
"""Limits of a run → what agents report of it; cycles there are none."""


class Switchboard:
    """Introduces agents to each other, then asks again and again how many messages each has sent and read.

    All is quiet when two counts in a row are the same, as many were read as were sent, and nobody is busy: what was
    sent between the counts would show in the second. All counts are the agents' own, and nothing can be replayed.
    """

    def __init__(self, instance: Instance, *, say: Callable[[str], None] = lambda words: None) -> None:
        self.instance, self.say = instance, say
        given = instance.parameters
        drawn, ordered, _ = streams_of(generator(instance.seed, instance.address))
        chain = find_chain(given["problem"], drawn)
        if not isinstance(chain, Single):
            raise BadParameter("A chain of problems goes through the hub: leave out --direct.")
        self.made = compiled(chain.problem, given["several"])
        self.problem = self.made.problem
        tree = tree_of(self.problem, root=given["root"], child=given["child"])
        self.shares = shares_of(self.problem, ranks_of(self.problem, given["order"], ordered), tree)
        self.ends = RunEnds.read(given["stop"])
        self.lost = ""
        self.limit = ""
        """Which limit ended the run; empty for none."""
        self.counts: dict[str, dict[str, Any]] = {}
        self._guests: dict[str, tuple[asyncio.StreamReader, asyncio.StreamWriter, list[Any]]] = {}
        self._complete = asyncio.Event()

    async def serve(self, host: str, port: int, *, ready: Callable[[str, int], None] = lambda host, port: None) -> None:
        """Listen until all is quiet."""
        async with listening(self._welcome, host, port) as where:
            ready(*where)
            naming = asyncio.create_task(name_the_late(self.say, lambda: ("", self.missing)))
            await self._complete.wait()
            naming.cancel()
            self._introduce()
            try:
                await self._until_quiet()
            except SubjectLost as lost:
                self.lost = str(lost)
                self.say(self.lost)
            for _, writer, _ in self._guests.values():
                writer.write(line_of({"over": "lost" if self.lost else "limit" if self.limit else "quiet"}))
                writer.close()

    @property
    def missing(self) -> list[str]:
        """The roles in which nobody sits."""
        return [role for role in self.instance.roles if role not in self._guests]

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            message = await read_line(reader) or {}
            role, port = message.get("join"), message.get("port")
            if not isinstance(role, str) or not isinstance(port, int):
                raise Invalid('Here agents write to each other: the first line is {"join": NAME, "port": N}.')
            free = self.missing
            role = role or (free[0] if free else "")
            if role not in free:
                raise Invalid(f"Agent {role} is not free." if role else "All agents are here already.")
        except Invalid as wrong:
            writer.write(line_of({"error": str(wrong)}))
            writer.close()
            return
        self._guests[role] = reader, writer, [writer.get_extra_info("peername")[0], port]
        self.say(f"Agent {role} is here, {len(self._guests)} of {len(self.instance.roles)}.")
        while self.missing:
            # Who leaves before all are here leaves the seat free.
            await asyncio.sleep(PAUSE)
            if reader.at_eof():
                del self._guests[role]
                return
        self._complete.set()

    def _introduce(self) -> None:
        """Give everyone its share of the problem and the addresses of all."""
        book = {role: address for role, (_, _, address) in self._guests.items()}
        for role, (_, writer, _) in self._guests.items():
            seed = int(self.instance.chance_of(role).integers(2**53))
            post = Post(self.shares[role], [], 0).data()
            writer.write(line_of({"welcome": role, "seed": seed, "book": book, "post": post}))

    async def _until_quiet(self) -> None:
        before, began = None, time.monotonic()
        while True:
            await asyncio.sleep(PAUSE)
            left = None if self.ends.seconds is None else max(0, self.ends.seconds - (time.monotonic() - began))
            try:
                # Who thinks does not count: the time may be over before everybody has answered.
                self.counts |= dict(await asyncio.wait_for(asyncio.gather(*map(self._count, self._guests)), left))
            except TimeoutError:
                self.limit = "seconds"
                return
            stopped = any(one["stopped"] for one in self.counts.values())
            now = [(one["sent"], one["read"]) for one in self.counts.values()]
            idle = not any(one["busy"] for one in self.counts.values())
            quiet = idle and now == before and sum(sent for sent, _ in now) == sum(read for _, read in now)
            if stopped or quiet:
                return
            spent = {name: sum(one[kept] for one in self.counts.values()) for name, kept in COUNTED.items()}
            self.limit = self.ends.reached(cycles=0, seconds=int(time.monotonic() - began), **spent)
            if self.limit:
                return
            before = now

    async def _count(self, role: str) -> tuple[str, dict[str, Any]]:
        reader, writer, _ = self._guests[role]
        writer.write(line_of({"count": True}))
        message = await read_line(reader)
        if message is None:
            raise SubjectLost(f"Agent {role} is lost.")
        return role, message["counted"]

    def result(self) -> dict[str, Any]:
        """Return what the agents say they did; values and claims are checked here."""
        standing, refused = Standing(self.problem), sum(one.get("refused", 0) for one in self.counts.values())
        for role, one in self.counts.items():
            for variable, value in one["assigned"]:
                try:
                    if variable not in self.problem.agents[role]:
                        raise KeyError(variable)
                    standing.assign(variable, frozen(value)[0])
                except (KeyError, TypeError, Invalid):
                    refused += 1
        cost, violated = standing.cost() if standing.complete else (None, None)
        claims = [(role, claim) for role, one in self.counts.items() for claim in one["stopped"] if claim in VERDICTS]
        over = "lost" if self.lost else "stopped" if claims else "limit" if self.limit else "quiet"
        told: dict[str, Any] = {"over": over, "why": self.lost or self.limit, "violated": violated, "claims": claims}
        told |= {"objective": self.problem.objective, "cost": cost}
        seconds = self.instance.parameters["oracle"]
        truth = truth_of(self.made.original, seconds=seconds) if seconds > 0 else OracleTruth(None)
        return {
            "verdict": verdict_of(told, asdict(truth)),
            "truth": truth.flag,
            "assignment": self.made.expand(standing.assignment()),
            "cost": cost,
            "optimum": truth.optimum,
            "violated": violated,
            "messages": {"total": sum(one["sent"] for one in self.counts.values())},
            "checks": sum(one["checks"] for one in self.counts.values()),
            "refused": refused,
            "self_reported": True,
            "replayable": False,
            "lost": self.lost,
            "limit": self.limit,
        }


async def join_directly(make: Callable[[], Any], host: str, port: int, *, role: str = "") -> str:
    """Take a seat where agents write to each other; returns how the run ended."""
    letters: asyncio.Queue[Letter] = asyncio.Queue()
    peers: dict[str, asyncio.StreamWriter] = {}
    state: dict[str, Any] = {
        "sent": 0,
        "read": 0,
        "checks": 0,
        "refused": 0,
        "busy": True,
        "stopped": [],
        "assigned": {},
    }

    async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # Who is still listened to when the run is over is let go without a word.
        with suppress(asyncio.CancelledError):
            while (message := await read_line(reader)) is not None:
                sender, kind, data = message["letter"]
                letters.put_nowait(Letter(sender, kind, frozen(data)[0]))
        writer.close()

    here = host if host in ("127.0.0.1", "localhost") else "0.0.0.0"
    server = await asyncio.start_server(hear, here, 0, limit=LONGEST)
    hello = {"join": role, "port": server.sockets[0].getsockname()[1]}
    reader, writer, welcome = await take_seat(host, port, hello)
    name, book = welcome["welcome"], welcome["book"]
    agent = make()
    agent.begin(np.random.default_rng(welcome["seed"]), name)

    async def act(post: Post) -> None:
        for call in agent(Ask(post, role=name)):
            if call[0] == "send":
                for to in [call[1]] if isinstance(call[1], str) else call[1]:
                    if to not in book or to == name:
                        state["refused"] += 1
                        continue
                    if to not in peers:
                        peers[to] = await _reach(to, *book[to])
                    state["sent"] += 1
                    peers[to].write(line_of({"letter": [name, call[2], call[3]]}))
            elif call[0] == "assign":
                state["assigned"][call[1]] = call[2]
            elif call[0] == "stop":
                state["stopped"].append(call[1])
            else:
                state["checks"] += call[1]

    async def work() -> None:
        await act(Post.read(welcome["post"]))
        while True:
            state["busy"] = False
            mail = [await letters.get()]
            state["busy"] = True
            while not letters.empty():
                mail.append(letters.get_nowait())
            await act(Post(None, mail, 0))
            state["read"] += len(mail)

    working = asyncio.create_task(work())
    try:
        while (message := await read_line(reader)) is not None:
            if "over" in message:
                return str(message["over"])
            if working.done():
                working.result()
            counted = {**state, "assigned": list(state["assigned"].items())}
            writer.write(line_of({"counted": counted}))
        raise SubjectLost(f"The hub at {host}:{port} is gone.")
    finally:
        working.cancel()
        server.close()
        for peer in [*peers.values(), writer]:
            peer.close()


async def _reach(role: str, host: str, port: int) -> asyncio.StreamWriter:
    try:
        _, writer = await asyncio.open_connection(host, port, limit=LONGEST)
    except OSError as error:
        raise SubjectLost(f"Agent {role} is not at {host}:{port} any more: {error.strerror or error}.") from None
    return writer
