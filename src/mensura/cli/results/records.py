"""Stored sessions for the commands that tests bring: they score records, and need not know where these are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from mensura.dialogue import Record

if TYPE_CHECKING:
    from mensura.dialogue import Event, Instance, Scores
    from mensura.store import RunHead, Store

PEOPLE = "people"
"""Instead of a run: every session of the test that a person finished."""

Made = TypeVar("Made")


def read_records(name: str, read: Callable[[Record], Made], *, test: str, store: str | None) -> list[Made]:
    """Read every finished session of a run, or of all people who took the test; excluded sessions stay out."""
    from mensura.errors import BadParameter
    from mensura.store import open_store
    from mensura.subjects.spec import HUMAN

    found = []
    with open_store(store, create=False) as opened:
        if name == PEOPLE:
            heads = [head for head in opened.runs.all(test) if HUMAN in head.cast.values()]
        else:
            heads = [opened.runs.find(name)]
            if heads[0].test != test:
                raise BadParameter(f"The run {heads[0].id} is of {heads[0].test}; give one of {test}.")
        for head in heads:
            excluded = opened.exclusions.excluded(head.id)
            found += [
                read(record)
                for record in opened.records.of(head.id)
                if record.status == "finished" and record.session not in excluded
            ]
    return found


def sessions_with_truths(
    name: str, *, test: str | tuple[str, ...], store: str | None
) -> list[tuple[Record, dict[str, Any]]]:
    """Read the sessions of a run that is over, each with its truths; excluded sessions stay out.

    `test` is the name of the test, without its version; several where a run of any of them will do.
    """
    from mensura.store import open_store

    with open_store(store, create=False) as opened:
        head = _run_of(opened, name, test)
        excluded = opened.exclusions.excluded(head.id)
        return [one for one in opened.records.with_truths(head.id) if one[0].session not in excluded]


def sessions_with_scores(name: str, *, test: str, store: str | None) -> list[tuple[RunHead, Scores]]:
    """Read the scores of the sessions of a run, each with the head of the run; excluded sessions stay out."""
    from mensura.store import open_store

    with open_store(store, create=False) as opened:
        head = _run_of(opened, name, test)
        return [(head, scores) for scores in opened.results.of(head.id).values()]


def session_again(name: str, *, test: str, store: str | None) -> tuple[Instance, list[Event], dict[str, Any]]:
    """Read a session, RUN/ADDRESS or the last one of RUN: what was administered, its events, and how `replay` reads it.

    It may be under way.
    """
    from mensura.dialogue import Instance
    from mensura.errors import BadParameter
    from mensura.running.reference import administration, definition_of, limits_of
    from mensura.store import open_store

    run, _, place = name.partition("/")
    with open_store(store, create=False) as opened:
        head = _run_of(opened, run, test)
        known = [opened.sessions.find(f"{head.id}/{place}")] if place else opened.sessions.of(head.id)
        if not known:
            raise BadParameter(f"The run {head.id} has no session yet.")
        events = opened.events.of(known[-1].id)
    if not events:
        raise BadParameter(f"Nothing is stored of what happened in {known[-1].id}, so it cannot be shown again.")
    instance = Instance(
        definition_of(head), head.parameters, head.own_seed(), known[-1].address, **administration(head)
    )
    return instance, events, {"trace": head.trace, "limits": limits_of(head)}


def _run_of(opened: Store, name: str, test: str | tuple[str, ...]) -> RunHead:
    from mensura.errors import BadParameter

    head = opened.runs.find(name)
    wanted = (test,) if isinstance(test, str) else test
    if head.test.rpartition("-v")[0] not in wanted:
        raise BadParameter(f"The run {head.id} is of {head.test}; give one of {' or '.join(wanted)}.")
    return head
