"""Paying: the budget of a run while it is carried out, and what was on its way when an earlier part was stopped."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mensura.errors import BadParameter
from mensura.running.executors import Executor, Here
from mensura.running.together import AtOnce
from mensura.store.head import RunHead
from mensura.store.log.deeds import ASKED_AGAIN, BATCHED
from mensura.subjects import SubjectSpec
from mensura.subjects.model.cost.budget import Budget, spending_within
from mensura.subjects.model.cost.spending import Spending

if TYPE_CHECKING:
    from mensura.running.job import Job
    from mensura.store import Store

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
    """Say that the budget stopped a run, and how far it came."""
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
        store.deeds.note_all({session: {} for session in under_way if session not in batched}, ASKED_AGAIN)


def asked_again(run_id: str, *, store: "Store") -> int:
    """Return how many requests of a run may have been paid twice, at most."""
    return len(store.deeds.of_runs([run_id], kind=ASKED_AGAIN))
