"""Reaching: whether the language models of a run are there, asked before it begins."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mensura.store.log.deeds import UNANSWERED
from mensura.subjects.model.reaching.probe import Contact, reach

if TYPE_CHECKING:
    from mensura.running.plan import Plan
    from mensura.running.run import RunOptions
    from mensura.store import Store


def reach_models(*plans: "Plan", options: "RunOptions") -> None:
    """Ask every language model of some runs once whether it is there, unless it has just answered.

    Raises
    ------
    Unreachable
        If one is not; to be called before anything is stored.
    """
    reach(contact for plan in plans for _, contact in _contacts(plan, options))


def note_probes(session: str, plan: "Plan", options: "RunOptions", *, store: "Store") -> None:
    """Write down with a session of the run what asking whether its models are there took."""
    for role, contact in _contacts(plan, options):
        for said in contact.endpoint().take_probes():
            about = {"role": role, "probe": True, "tokens_in": said.tokens_in, "tokens_out": said.tokens_out}
            store.deeds.note_all({session: {**about, "cost": contact.manner.cost(said)}}, UNANSWERED)


def _contacts(plan: "Plan", options: "RunOptions") -> Iterator[tuple[str, Contact]]:
    """Yield the models that are asked from here, by role."""
    spending, test = options.spending, plan.definition
    # Answers may all be in the cache, workers on other machines may reach what this one cannot, and another program
    # asks its models itself.
    if not spending.probe or spending.cache or not getattr(options.on, "local", True) or test.administer is not None:
        return
    for role, spec in plan.cast.items():
        for contact in spec.contacts(test, limits=options.limits, spending=spending):
            yield role, contact
