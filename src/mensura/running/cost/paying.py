"""Paying: the budget of a run while it is carried out, and what was on its way when an earlier part was stopped."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mensura.errors import BadParameter
from mensura.running.cost.steward import REPLIES
from mensura.running.executors import Executor, Here
from mensura.running.together import AtOnce
from mensura.store.head import RunHead
from mensura.store.log.deeds import ASKED_AGAIN, BATCHED, SPENT, UNANSWERED
from mensura.subjects import SubjectSpec
from mensura.subjects.model.cost.budget import Budget, spending_within
from mensura.subjects.model.cost.spending import Spending
from mensura.subjects.tools.steps import total

if TYPE_CHECKING:
    from mensura.running.job import Job
    from mensura.store import Store

COUNTS = ("tokens_in", "tokens_out", "tokens_reasoning", "cost", "cost_doubtful")
NOTED = ("tokens_in", "tokens_out", "cost")
DETAIL = "spending"
"""Under which the details of a run say how it pays."""


def spending_details(spending: Spending, cast: Mapping[str, SubjectSpec]) -> dict[str, Any]:
    """Write how a run pays, for its details; refuse a budget for those whose costs nobody counts."""
    if spending.most is not None and not any("llm:" in spec.name for spec in cast.values()):
        raise BadParameter("--max-cost counts what language models (llm:…) cost; there are none here.")
    said = {"max_cost": spending.most, "folder": spending.cache or None, "batch": spending.batch}
    known = {name: value for name, value in said.items() if value is not None}
    return {DETAIL: known} if known else {}


def spending_of(head: RunHead, given: Spending) -> Spending:
    """Return how a run that is resumed pays: as it began, unless something else is said now."""
    began = head.details.get(DETAIL, {})
    most = began.get("max_cost") if given.most is None else given.most
    # What was handed in with a batch must not be asked one by one.
    batch = began.get("batch") if given.batch is None else given.batch
    return replace(given, most=most, cache=given.cache or began.get("folder", ""), batch=batch)


@contextmanager
def paying(head: RunHead, spending: Spending, *, store: "Store", on: Executor) -> Iterator[Budget | None]:
    """Open the budget of a run, less what its earlier parts cost; None where it has no limit."""
    if spending.most is None:
        yield None
        return
    if not isinstance(on, Here | AtOnce):
        raise BadParameter("A budget is kept by one process: take sessions at once by --concurrency, not by --on.")
    spent, unknown = store.events.paid(head.id)
    budget = Budget(spending.most, spent=spent, doubtful=unknown + asked_again(head.id, store=store))
    with spending_within(head.id, budget):
        yield budget


def while_affordable(jobs: Iterable["Job"], budget: Budget | None) -> Iterator["Job"]:
    """Begin no further session once a request did not fit into the budget."""
    for job in jobs:
        if budget is not None and budget.over:
            return
        yield job


def stopped_words(budget: Budget, *, run: str, over: int, planned: int) -> str:
    """Return a message that the budget stopped a run, and how far it came."""
    return (
        f"Stopped before the budget of {budget.most:g} would be passed: {budget.spent:.4g} was spent, and {over} of "
        f"{planned} sessions are over. To resume: mensura resume {run} --max-cost {2 * budget.most:g}"
    )


def note_asked_again(head: RunHead, cast: Mapping[str, SubjectSpec], *, store: "Store") -> None:
    """Write down which sessions had a request on its way when the run was stopped: it may be paid twice."""
    if not any(spec.is_costly for spec in cast.values()):
        return
    under_way = store.sessions.under_way(head.id)
    if under_way:
        # What was handed in with a batch is waited for, not asked again.
        batched = {deed.session for deed in store.deeds.of_runs([head.id], kind=BATCHED)}
        requests = sum(spec.most_requests for spec in cast.values() if spec.is_costly)
        store.deeds.note_all(
            {session: {"requests": requests} for session in under_way if session not in batched}, ASKED_AGAIN
        )
        for session in under_way:
            _note_killed(session, store=store)


def note_in_vain(taken: Mapping[str, Mapping[str, Any]], *, store: "Store") -> None:
    """Write down what models took for answers that never came, by session: it is paid all the same."""
    for session, notes in taken.items():
        counts = {name: notes[name] for name in COUNTS if name in notes}
        replies = _replies(session, notes["role"], store=store)
        store.deeds.note(session, UNANSWERED, role=notes["role"], replies=replies, **counts)
    if taken:
        store.database.flush()


def _note_killed(session: str, *, store: "Store") -> None:
    """Write down what calls of tools took in a session that was killed before their answer came, each once."""
    spent, noted = (store.deeds.of_session(session, kind=kind) for kind in (SPENT, UNANSWERED))
    for role in sorted({deed.body["role"] for deed in spent}):
        about = {"role": role, "replies": _replies(session, role, store=store)}
        mine, before = ([d.body for d in deeds if about.items() <= d.body.items()] for deeds in (spent, noted))
        if mine:
            # What is noted last holds all lives of the session.
            left: dict[str, Any] = {name: _less(mine[-1][name], before, name) for name in NOTED if name in mine[-1]}
            store.deeds.note(session, UNANSWERED, **about, **left)


def _less(whole: float | None, noted: Iterable[Mapping[str, Any]], name: str) -> float | None:
    """Return what is not noted yet; None where that is not known."""
    before: float | None = total(one.get(name, 0.0) for one in noted)
    return None if whole is None or before is None else whole - before


def _replies(session: str, role: str, *, store: "Store") -> int:
    return sum(one.kind in REPLIES and one.role == role for one in store.events.of(session))


def asked_again(run_id: str, *, store: "Store") -> int:
    """Return how many requests of a run may have been paid twice, at most."""
    return sum(deed.body.get("requests", 1) for deed in store.deeds.of_runs([run_id], kind=ASKED_AGAIN))
