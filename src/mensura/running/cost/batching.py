"""Batching: the batches of a run, written down with its sessions, so that a resume waits for them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mensura.errors import BadParameter
from mensura.running.executors import Executor, Here
from mensura.running.together import AtOnce
from mensura.store.head import RunHead
from mensura.store.log.deeds import BATCHED
from mensura.subjects import SubjectSpec
from mensura.subjects.model.batch.batched import BatchLedger
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
    known = {
        key: deed.body["batch"] for deed in store.deeds.of_runs([head.id], kind=BATCHED) for key in deed.body["keys"]
    }

    def note(batch: str, told: Mapping[str, list[str]]) -> None:
        bodies = {session: {"batch": batch, "keys": keys} for session, keys in told.items()}
        store.deeds.note_all(bodies, BATCHED)
        store.database.flush()

    with sharing_batches(head.id, BatchLedger(note, known, spending.batch)):
        yield


def place_for(on: Executor, spending: Spending, *, cast: Mapping[str, SubjectSpec], sessions: int) -> Executor:
    """Return where sessions are taken: those that wait for a batch all at once."""
    if spending.batch is None:
        return on
    if not all(spec.answers_beside for spec in cast.values()):
        raise BadParameter("--batch is for language models (llm:…) that take a test by themselves.")
    return AtOnce(max(1, min(sessions, MOST_AT_ONCE))) if isinstance(on, Here) else on
