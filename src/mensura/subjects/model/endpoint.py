"""Endpoint: one model at one address, shared by all sessions of this process; tries again where that helps."""

import asyncio
import atexit
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from secrets import SystemRandom
from typing import Protocol

from mensura.errors import SubjectLost
from mensura.subjects.loop import event_loop
from mensura.subjects.model.fault import ContentDeclined, FormUnknown, NotAnApi, PassingFault, server_words
from mensura.subjects.model.pace import LONGEST_PAUSE, Pace
from mensura.subjects.model.reaching.waits import Awaited, waiting
from mensura.subjects.model.request import ACTS, FORMS, Completion, ModelRequest

MOST_AT_ONCE = 1000
"""Requests at once where nobody said fewer: how many sessions run at once decides."""
MOST_KEPT = 64
GIVEN_UP = 3
"""After this number of refusals in a row that every request would meet, an endpoint is left alone for a while."""
LEFT_ALONE = 30.0
"""Seconds."""


class HasModel(Protocol):
    """Anything with the name of a model."""

    @property
    def model(self) -> str:
        """Its name at its provider."""


class Api(HasModel, Protocol):
    """The interface of a provider's client."""

    async def send(self, request: ModelRequest, *, form: str) -> Completion:
        """Send one request, its answer forced by a form; raises the faults of `mensura.subjects.model.fault`."""

    async def models(self, *, seconds: float) -> list[str]:
        """Return the names of the models that the server lists; none where it lists none within `seconds`."""

    async def close(self) -> None:
        """Close the connections."""


@dataclass(frozen=True)
class Retrying:
    """How often a try that failed in passing is made again, and how long to wait before the first.

    Each further wait is twice as long, unless the server says how long.
    """

    retries: int = 8
    first_wait: float = 1.0

    def wait(self, tried: int, after: float | None) -> float:
        """Return how long to wait before the next try."""
        if after is not None:
            return min(after, LONGEST_PAUSE)
        wait: float = self.first_wait * 2.0 ** (tried - 1)
        # Many who were refused together should not come back together.
        return min(wait, LONGEST_PAUSE) * SystemRandom().uniform(0.75, 1.25)


Send = Callable[[ModelRequest, str], Awaitable[Completion]]
"""Sends one try, in a form."""


class Completing(Protocol):
    """The target of a model's requests: an endpoint, or a layer before one."""

    @property
    def api(self) -> HasModel:
        """Return the model that is asked."""

    async def complete(self, request: ModelRequest, *, retrying: Retrying = ...) -> Completion:
        """Ask for the next message."""


class Endpoint:
    """One model at one address: what forms it knows and how much it can take is learned once for all sessions."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.pace = Pace(MOST_AT_ONCE)
        self.unknown: set[tuple[str, bool]] = set()
        """Forms that the server does not know, and whether tools were offered: some take one or the other, not both."""
        self.heard: float | None = None
        """When it answered last, or was asked whether it is there; None where it has failed since."""
        self.probes: list[Completion] = []
        """The reply to the probe, until a run counts it."""
        self._refused = 0
        self._final: tuple[float, SubjectLost] | None = None

    async def complete(
        self,
        request: ModelRequest,
        *,
        retrying: Retrying = Retrying(),
        paying: Callable[[Send, ModelRequest, str], Awaitable[Completion]] | None = None,
    ) -> Completion:
        """Ask for the next message, in the strictest form that the server knows; `paying` is led through each try."""
        with waiting(self.api.model, self.address) as wait:
            return await self._complete(request, retrying, paying, wait)

    @property
    def address(self) -> str:
        """Where it is; "" where requests go out in batches."""
        return str(getattr(getattr(self.api, "service", None), "address", ""))

    async def _complete(
        self,
        request: ModelRequest,
        retrying: Retrying,
        paying: Callable[[Send, ModelRequest, str], Awaitable[Completion]] | None,
        wait: Awaited,
    ) -> Completion:
        start = time.monotonic()
        tried = 0
        refused: set[tuple[str, bool]] = set()
        while True:
            form = self.form_for(request, but=refused)
            wait.ask()
            try:
                said = await (self._send(request, form) if paying is None else paying(self._send, request, form))
                # Learned for all only now: what is refused in every form has another fault than its form.
                self.unknown |= refused
                return replace(said, seconds=time.monotonic() - start, retries=tried, form=form)
            except FormUnknown as unknown:
                if form == FORMS[-1]:
                    raise SubjectLost(f"{self.api.model} rejects every request.", last_words=str(unknown)) from None
                refused.add((form, bool(request.tools)))
            except ContentDeclined as declined:
                seconds = time.monotonic() - start
                return Completion(
                    refusal=str(declined), finish="content_filter", model=self.api.model, seconds=seconds, form=form
                )
            except PassingFault as passing:
                if tried >= retrying.retries:
                    raise passing.failure from None
                tried += 1
                seconds = retrying.wait(tried, passing.after)
                message = server_words(passing.failure.last_words)
                said_by_it = f" It says: {message}." if message else ""
                wait.pause(f"{passing.failure}{said_by_it} Try {tried + 1} of {retrying.retries + 1}.", seconds)
                await asyncio.sleep(seconds)

    def give_up(self, lost: SubjectLost) -> None:
        """Leave it alone for a while: every request would fail as this one did."""
        self._final = time.monotonic() + LEFT_ALONE, lost

    @property
    def given_up(self) -> bool:
        """Return whether it is left alone for a while."""
        return self._final is not None and time.monotonic() < self._final[0]

    def take_probes(self) -> list[Completion]:
        """Return what it said when it was asked whether it is there, once."""
        taken, self.probes = self.probes, []
        return taken

    def form_for(self, request: ModelRequest, *, but: Collection[tuple[str, bool]] = ()) -> str:
        """Return the strictest form in which a request can be put to this server, but those it was refused in."""
        if request.schema is None:
            return FORMS[-1]
        forms = (ACTS, *FORMS) if request.acts else FORMS
        refused = {form for form, tools in (*self.unknown, *but) if tools == bool(request.tools)}
        return next(form for form in forms if form not in refused or form == FORMS[-1])

    async def _send(self, request: ModelRequest, form: str) -> Completion:
        if self._final is not None and self.given_up:
            raise self._final[1]
        sent = await self.pace.enter()
        try:
            said = await self.api.send(request, form=form)
        except PassingFault as passing:
            self.heard = None
            if passing.crowded:
                self.pace.crowded(sent=sent, after=passing.after)
            raise
        except SubjectLost as lost:
            self.heard = None
            self._refused += 1
            if self._refused >= GIVEN_UP or isinstance(lost, NotAnApi):
                self.give_up(lost)
            raise
        finally:
            self.pace.leave()
        self._refused = 0
        self.heard = time.monotonic()
        self.pace.well()
        return said


_kept: OrderedDict[tuple[object, ...], Endpoint] = OrderedDict()


def shared_endpoint(key: tuple[object, ...], make: Callable[[], Api]) -> Endpoint:
    """Return the endpoint that all sessions of this process share, by all that its client is made from."""
    key = (id(event_loop()), *key)
    found = _kept.get(key)
    if found is None:
        if not _kept:
            atexit.register(_close_all)
        found = _kept[key] = Endpoint(make())
        while len(_kept) > MOST_KEPT:
            # Not waited for: we may be in the loop ourselves.
            asyncio.run_coroutine_threadsafe(_kept.popitem(last=False)[1].api.close(), event_loop())
    _kept.move_to_end(key)
    return found


def _close_all() -> None:
    """Close what is still open when the process ends, within a moment."""

    async def close() -> None:
        await asyncio.gather(*(endpoint.api.close() for endpoint in _kept.values()), return_exceptions=True)

    with suppress(Exception):
        asyncio.run_coroutine_threadsafe(close(), event_loop()).result(timeout=2)
