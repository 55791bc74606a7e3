"""Secrecy: when truths may leave. Not before a session is over, and not while another with the same items is open."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mensura.dialogue import Address
from mensura.errors import MensuraError
from mensura.running.plan import planned_addresses
from mensura.running.reference import definition_of
from mensura.store.head import RunHead, SessionHead, same_seed

if TYPE_CHECKING:
    from mensura.store import Store

WHOLE = ""
"""The item of a session that takes all of a bank in one conversation."""


def open_items(store: "Store", run: RunHead) -> set[Address]:
    """Return the addresses at which someone is or will be asked the same things as in this run.

    Runs of one test with one seed meet the same items at the same address, as all casts of a study do; runs of a bank
    meet the same items whatever their seed. Parameters are not compared: it is better to hide too much.
    """
    of_test = is_of_bank(run)
    found = store.sessions.open_addresses(run, of_test=of_test)
    alike = [one for one in store.runs.unopened(run.test) if of_test or one.id == run.id or same_seed(one, run)]
    return found.union(*(_planned(store, one) for one in alike))


def asked_questions(store: "Store", runs: Sequence[RunHead]) -> set[str] | None:
    """Return the questions of some runs that someone is or will be asked; None for all of them.

    Sessions that ask several questions, and items that do not come from a bank, are not distinguished: then all are
    kept back.
    """
    asked: set[str] = set()
    for run in {run.test if is_of_bank(run) else run.id: run for run in runs}.values():
        found = open_items(store, run)
        if found and (not is_of_bank(run) or WHOLE in {address.item for address in found}):
            return None
        asked |= {address.item for address in found} | asked_elsewhere(store, run)
    return asked


def asked_elsewhere(store: "Store", run: RunHead) -> set[str]:
    """Return the questions of a run of a bank that someone is or will be asked by another bank that has them too."""
    if not is_of_bank(run):
        return set()
    asked: set[str] = set()
    for one in store.runs.unopened():
        if one.test != run.test and ("items" in one.details or "bank" in one.details):
            found = store.sessions.open_addresses(one, of_test=False) | _planned(store, one)
            items = {address.item for address in found}
            asked |= _questions(one) if WHOLE in items else items
    return asked & _questions(run) if asked else asked


def _questions(run: RunHead) -> set[str]:
    """Return what a run of a bank asks, by the hashes of its questions."""
    if "items" in run.details:
        return set(run.details["items"])
    try:
        bank = definition_of(run).bank
    except MensuraError:
        bank = None
    return {item.hash for item in bank or ()}


def _planned(store: "Store", run: RunHead) -> set[Address]:
    """Return the addresses of a run's sessions that have not begun."""
    each = run.details.get("sessions")
    planned = set(planned_addresses(run, each)) if isinstance(each, int) else set()
    if len(planned) <= sum(store.sessions.count(run.id).values()):
        return set()
    return planned - {session.address for session in store.sessions.of(run.id)}


def over(store: "Store", run: RunHead, found: list[SessionHead]) -> list[SessionHead]:
    """Keep the sessions of a run whose truths may be told."""
    being_asked = open_items(store, run)
    ended = [session for session in found if session.status != "open"]
    if not is_of_bank(run):
        return [session for session in ended if session.address not in being_asked]
    asked = {address.item for address in being_asked} | asked_elsewhere(store, run)
    if WHOLE in asked:
        return []
    return [one for one in ended if not asked or one.address.item not in {*asked, WHOLE}]


def is_over(store: "Store", run: RunHead, session: SessionHead) -> bool:
    """Return whether the truths of a session may be told."""
    return bool(over(store, run, [session]))


def is_of_bank(run: RunHead) -> bool:
    """Return whether a run's items come from a bank, so that other runs of its test have them too."""
    if "items" in run.details:
        return True
    try:
        return definition_of(run).bank is not None
    except MensuraError:
        # A run may come from another installation, with a test that is not here.
        return False
