"""Batched: a model whose requests are collected and handed in together; answers may take hours, and cost less."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Protocol

from mensura.dialogue.canonical import canonical
from mensura.errors import BadParameter, SubjectFailed, SubjectLost
from mensura.subjects.model.batch.providers import Batches, Body
from mensura.subjects.model.endpoint import Endpoint
from mensura.subjects.model.fault import PassingFault
from mensura.subjects.model.pace import Pace
from mensura.subjects.model.request import Completion, ModelRequest
from mensura.subjects.model.service import Service

LINGER = 1.0
"""Seconds without a further request after which those that came are handed in."""


class BatchClient(Protocol):
    """A provider's client that has batches."""

    model: str
    service: Service
    batches: Batches

    def body(self, request: ModelRequest, *, form: str) -> dict[str, Any]:
        """Write a request as it is sent."""

    def completion(self, said: Any) -> Completion:
        """Read what was sent back."""

    async def close(self) -> None:
        """Close the connections."""


@dataclass(frozen=True)
class Handing:
    """Requests that were about to be handed in together, under which name and when."""

    name: str
    since: float
    keys: frozenset[str]


@dataclass
class BatchLedger:
    """Which requests of a run were handed in, and in which batch: none is handed in twice, also after a kill.

    Parameters
    ----------
    note
        Stores the batch of some requests: its id, "" before it has one, the name under which they are handed in, and
        session → keys.
    known
        Key of a request → the batch it is in.
    begun
        Key of a request → what it was about to be handed in with when the process was killed.
    poll
        Seconds between two looks whether a batch is over.
    """

    note: Callable[[str, str, Mapping[str, list[str]]], None]
    known: dict[str, str] = field(default_factory=dict)
    begun: dict[str, Handing] = field(default_factory=dict)
    poll: float = 60.0
    endpoints: dict[tuple[object, ...], Endpoint] = field(default_factory=dict)

    def begin(self, sessions: Mapping[str, str]) -> str:
        """Write down what is about to be handed in, key → session; returns the name by which it is found again."""
        name = sha256(canonical(sorted(sessions)).encode()).hexdigest()[:32]
        self.note("", name, _by_session(sessions))
        return name

    def add(self, batch: str, name: str, sessions: Mapping[str, str]) -> None:
        """Write down what was handed in: key → session."""
        self.known.update(dict.fromkeys(sessions, batch))
        self.note(batch, name, _by_session(sessions))


class Batched:
    """Sends requests in batches: it waits until no more come, hands all in at once, and looks for replies."""

    def __init__(self, client: BatchClient, ledger: BatchLedger) -> None:
        self.model = client.model
        self._client = client
        self._batches = client.batches
        self._ledger = ledger
        self._pool: dict[str, tuple[str, Body]] = {}
        self._sought: dict[str, tuple[str, Body]] = {}
        self._waiting: dict[str, asyncio.Future[tuple[int, Any]]] = {}
        self._failed: Counter[str] = Counter()
        self._looking: dict[str, asyncio.Task[None]] = {}
        self._seeking: dict[str, asyncio.Task[None]] = {}
        self._collecting: asyncio.Task[None] | None = None
        self._came = 0

    async def send(self, request: ModelRequest, *, form: str) -> Completion:
        """Put a request into the next batch, and wait for its reply."""
        body = self._client.body(request, form=form)
        mine = [request.session, body, *([request.again] if request.again else [])]
        own = sha256(canonical(mine).encode()).hexdigest()
        # A request that failed in passing goes out again as another one.
        key = sha256(f"{own} {self._failed[own]}".encode()).hexdigest()
        status, said = await self._reply(key, request.session, body)
        try:
            # Read as one that came alone: what a server says is masked, whatever it says.
            text = json.dumps(said, ensure_ascii=False).encode(errors="replace")
            return self._client.completion(self._client.service.read(status, text, headers={}))
        except PassingFault:
            self._failed[own] += 1
            raise

    async def close(self) -> None:
        """Look no further; what was handed in is found again by the ledger."""
        collecting = [self._collecting] if self._collecting else []
        for task in (*self._looking.values(), *self._seeking.values(), *collecting):
            task.cancel()
        await self._client.close()

    async def _reply(self, key: str, session: str, body: Body) -> tuple[int, Any]:
        place = self._waiting.setdefault(key, asyncio.get_running_loop().create_future())
        if batch := self._ledger.known.get(key):
            self._look_for(batch)
        elif handing := self._ledger.begun.get(key):
            self._sought[key] = session, body
            if handing.name not in self._seeking:
                self._seeking[handing.name] = asyncio.create_task(self._seek(handing))
        else:
            self._hand_in(key, session, body)
        return await asyncio.shield(place)

    def _hand_in(self, key: str, session: str, body: Body) -> None:
        if key not in self._pool:
            self._pool[key] = session, body
            self._came += 1
            if self._collecting is None:
                self._collecting = asyncio.create_task(self._collect())

    async def _seek(self, handing: Handing) -> None:
        """Find what was handed in just before a kill; what is not there is handed in now."""
        # Those who ask for the others come at the same time.
        await asyncio.sleep(LINGER)
        try:
            batch = await self._batches.find(handing.name, handing.keys, since=handing.since)
        except Exception as error:
            self._tell(dict.fromkeys(handing.keys, error))
            return
        asked = {key: self._sought.pop(key) for key in handing.keys & self._sought.keys()}
        for key in handing.keys:
            self._ledger.begun.pop(key, None)
        if batch is not None:
            self._ledger.add(batch, handing.name, {key: session for key, (session, _) in asked.items()})
            self._look_for(batch)
            return
        for key, (session, body) in asked.items():
            self._hand_in(key, session, body)

    async def _collect(self) -> None:
        """Hand in what came once no more comes."""
        before = -1
        while before != self._came and len(self._pool) < self._batches.most:
            before = self._came
            await asyncio.sleep(LINGER)
        pool, self._pool, self._collecting = self._pool, {}, None
        sessions = {key: session for key, (session, _) in pool.items()}
        try:
            # Written before it is sent: a batch that is not written down yet can be found again.
            name = self._ledger.begin(sessions)
            batch = await self._batches.submit({key: body for key, (_, body) in pool.items()}, name=name)
            self._ledger.add(batch, name, sessions)
        except Exception as error:
            self._tell(dict.fromkeys(pool, error))
            return
        self._look_for(batch)

    def _look_for(self, batch: str) -> None:
        if batch not in self._looking or self._looking[batch].done():
            self._looking[batch] = asyncio.create_task(self._look(batch))

    async def _look(self, batch: str) -> None:
        try:
            while (replies := await self._batches.replies(batch)) is None:
                await asyncio.sleep(self._ledger.poll)
        except Exception as error:
            mine = [key for key in self._waiting if self._ledger.known.get(key) == batch]
            self._tell(dict.fromkeys(mine, error))
            return
        left = {key for key in self._waiting if self._ledger.known.get(key) == batch} - replies.keys()
        self._tell({**replies, **{key: (500, {"error": f"The batch {batch} gave no reply to it."}) for key in left}})

    def _tell(self, told: Mapping[str, Any]) -> None:
        for key, found in told.items():
            place = self._waiting.pop(key, None)
            if place is None or place.done():
                continue
            if isinstance(found, Exception):
                known = isinstance(found, SubjectFailed | PassingFault)
                place.set_exception(found if known else self._lost(found))
            else:
                place.set_result(found)

    def _lost(self, error: Exception) -> SubjectLost:
        words = self._client.service.masked(str(error).encode(errors="replace")).decode()
        return SubjectLost(f"A batch could not be handed in or fetched: {type(error).__name__}: {words}")


def _by_session(sessions: Mapping[str, str]) -> dict[str, list[str]]:
    told: dict[str, list[str]] = {}
    for key, session in sessions.items():
        told.setdefault(session, []).append(key)
    return told


_open: dict[str, BatchLedger] = {}


@contextmanager
def batching(run: str, ledger: BatchLedger) -> Iterator[None]:
    """Let the sessions of a run that are taken in this process share their batches."""
    _open[run] = ledger
    try:
        yield
    finally:
        del _open[run]


def batched_endpoint(run: str, endpoint: Endpoint, *, asked: tuple[object, ...]) -> Endpoint:
    """Return what collects the requests of a run to a model."""
    if run not in _open:
        raise BadParameter("Batches are collected by the process that leads the run: leave out --on, or --batch.")
    ledger = _open[run]
    if asked not in ledger.endpoints:
        made = Endpoint(Batched(endpoint.api, ledger))  # type: ignore[arg-type]
        made.pace = Pace(1_000_000)
        ledger.endpoints[asked] = made
    return ledger.endpoints[asked]
