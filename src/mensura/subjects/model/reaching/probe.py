"""Probe: asks every model of a run once before it begins, whether it is there."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from shlex import quote
from time import monotonic

from mensura.errors import SubjectCrashed, SubjectFailed, SubjectLost, SubjectTimedOut, Unreachable, nearest
from mensura.subjects.loop import wait_for
from mensura.subjects.model.cost.size import LIMITS
from mensura.subjects.model.endpoint import Endpoint
from mensura.subjects.model.fault import (
    ContentDeclined,
    FormUnknown,
    NoCompletion,
    NoSuchModel,
    PassingFault,
    is_about_the_model,
)
from mensura.subjects.model.manner import Manner
from mensura.subjects.model.reaching.waits import waiting
from mensura.subjects.model.request import Completion, ModelRequest
from mensura.subjects.model.service import Service

PATIENCE = 4.8
"""Seconds within which a model answers, or is said not to."""
LOOKING = 3.0
"""Of these, seconds for connecting and for the list of models."""
FRESH = 60.0
"""For this number of seconds after an answer a model is not probed again."""
LONGEST_ANSWER = 16
"""Tokens: the least that every provider accepts as a limit."""
QUESTION = ({"role": "user", "content": "Reply with OK."},)
log = logging.getLogger("mensura.subjects")


@dataclass(frozen=True)
class Contact:
    """A model that a run asks: what it is called, where it is, and how it is asked.

    Parameters
    ----------
    home
        The address of its provider, where nobody is served without a key.
    limit
        The setting that limits how much is written.
    listed_only
        Whether it is only looked up in the list of models, which costs nothing: in batches, and within a budget.
    """

    name: str
    service: Service
    home: str
    manner: Manner
    endpoint: Callable[[], Endpoint]
    limit: str = "max_tokens"
    listed_only: bool = False

    def refuse_missing_key(self) -> None:
        """Raise where its provider wants a key and none is set: that can be known without asking."""
        service = self.service
        if service.key is not None or service.address != self.home.rstrip("/"):
            return
        key = service.keys[-1]
        own = quote(f"{self.name}@http://localhost:8000/v1")
        raise Unreachable(
            f"{self.name} needs {key}, which is not set: export {key}=..., or name a server of your own: --as {own}"
        )


def reach(contacts: Iterable[Contact]) -> None:
    """Ask every model once, all at the same time; one that does not answer in time is waited for in the run.

    Raises
    ------
    Unreachable
        If one of them is not there.
    """
    several = list({contact.service.identity: contact for contact in contacts}.values())
    for contact in several:
        contact.refuse_missing_key()

    async def all_of_them() -> None:
        await asyncio.gather(*map(reach_one, several))

    if several:
        wait_for(all_of_them())


async def reach_one(contact: Contact) -> None:
    """Ask one model whether it is there, unless it has just answered.

    The list of models is looked up first, which costs nothing. A model that it does not name is asked for a word: many
    servers list nothing, or not all of the names that they know.
    """
    endpoint = contact.endpoint()
    if endpoint.heard is not None and monotonic() - endpoint.heard < FRESH:
        return
    begun = monotonic()
    model, address = contact.service.model, contact.service.address
    with waiting(model, address):
        models, broken = await _listed(contact, endpoint)
        if model not in models and not contact.listed_only:
            try:
                async with asyncio.timeout(max(1.0, PATIENCE - (monotonic() - begun))):
                    endpoint.probes += await _asked(contact, endpoint, models, broken=broken)
            except TimeoutError:
                # A server may load the model only now.
                log.warning("%s at %s has not answered within %.0f s; the run waits for it.", model, address, PATIENCE)
    endpoint.heard = monotonic()


async def _listed(contact: Contact, endpoint: Endpoint) -> tuple[list[str], bool]:
    """Return the models that a server lists, and whether the connection broke; raises where there is none."""
    try:
        async with asyncio.timeout(LOOKING + 1):
            return await endpoint.api.models(seconds=LOOKING), False
    except PassingFault as fault:
        if fault.absent:
            raise _unreachable(contact, str(fault.failure)) from None
        return [], not isinstance(fault.failure, SubjectTimedOut)
    except (SubjectFailed, TimeoutError):
        return [], False


async def _asked(contact: Contact, endpoint: Endpoint, models: list[str], *, broken: bool) -> list[Completion]:
    """Ask a model for a word; returns what it said, nothing where it only had an objection."""
    limit = next((name for name in LIMITS if name in contact.manner.settings), contact.limit)
    request = ModelRequest(QUESTION, settings={**contact.manner.settings, limit: LONGEST_ANSWER})
    try:
        return [await endpoint.api.send(request, form="words")]
    except (ContentDeclined, FormUnknown):
        return []
    except PassingFault as fault:
        if isinstance(fault.failure, SubjectTimedOut):
            raise TimeoutError from None
        if fault.absent or isinstance(fault.failure, SubjectCrashed) or (broken and fault.unseen):
            raise _unreachable(contact, str(fault.failure)) from None
        # Busy, or just being started: the run tries again.
        return []
    except NoCompletion as fault:
        raise _unreachable(contact, str(fault)) from None
    except NoSuchModel as fault:
        # Where models are listed, the address is right.
        raise _no_model(contact, models) if models else _unreachable(contact, str(fault)) from None
    except SubjectCrashed as fault:
        if is_about_the_model(fault.last_words):
            raise _no_model(contact, models) from None
        return []
    except SubjectLost as fault:
        raise _unreachable(contact, str(fault)) from None


def _no_model(contact: Contact, models: list[str]) -> Unreachable:
    """Return that a server has no such model, and which one was meant, or which there are."""
    words = f"{contact.service.address} has no model {contact.service.model!r}."
    if near := nearest(contact.service.model, models):
        words += f" Did you mean {near}?"
    elif models:
        words += f" It has {', '.join(models[:5])}{' and more' if len(models) > 5 else ''}."
    return _unreachable(contact, words)


def _unreachable(contact: Contact, words: str) -> Unreachable:
    return Unreachable(f"{contact.name} cannot be asked: {words}")
