"""Batching: the batches of a run, written down with its sessions, so that a resume waits for them."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mensura.errors import BadParameter
from mensura.running.executors import Executor, Here
from mensura.running.together import AtOnce
from mensura.store.head import RunHead
from mensura.store.log.deeds import BATCHED, SessionDeed
from mensura.subjects import SubjectSpec
from mensura.subjects.model.batch.batched import BatchLedger, Handing
from mensura.subjects.model.batch.batched import batching as sharing_batches
from mensura.subjects.model.cost.spending import Spending

if TYPE_CHECKING:
    from mensura.store import Store

MOST_AT_ONCE = 50_000
"""Sessions that wait for a batch together."""


@contextmanager
def batching(head: RunHead, spending: Spending, *, store: "Store") -> Iterator[None]:
    """Let the sessions of a run hand their requests in together; those that were handed in before are waited for."""
    if spending.batch is None:
        yield
        return
    deeds = store.deeds.of_runs([head.id], kind=BATCHED)
    known = {key: deed.body["batch"] for deed in deeds for key in deed.body["keys"] if deed.body["batch"]}

    def note(batch: str, name: str, told: Mapping[str, list[str]]) -> None:
        bodies = {session: {"batch": batch, "name": name, "keys": keys} for session, keys in told.items()}
        store.deeds.note_all(bodies, BATCHED)
        store.database.flush()

    ledger = BatchLedger(note, known, _begun(deeds, known), poll=spending.batch)
    with sharing_batches(head.id, ledger):
        yield


def _begun(deeds: Sequence[SessionDeed], known: Mapping[str, str]) -> dict[str, Handing]:
    """Return what was about to be handed in when the process was killed, by the key of each request."""
    handed: dict[str, tuple[float, set[str]]] = {}
    for deed in deeds:
        if not deed.body["batch"]:
            handed.setdefault(deed.body["name"], (deed.time, set()))[1].update(deed.body["keys"])
    begun = [Handing(name, since, frozenset(keys)) for name, (since, keys) in handed.items()]
    return {key: handing for handing in begun for key in handing.keys if key not in known}


def place_for(on: Executor, spending: Spending, *, cast: Mapping[str, SubjectSpec], sessions: int) -> Executor:
    """Return where sessions are taken: those that wait for a batch all at once."""
    if spending.batch is None:
        return on
    if not all(spec.answers_beside for spec in cast.values()):
        raise BadParameter("--batch is for language models (llm:…) that take a test alone. Leave it out.")
    return AtOnce(max(1, min(sessions, MOST_AT_ONCE))) if isinstance(on, Here) else on
