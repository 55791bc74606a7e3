"""Rate: let the programs and language models of a panel rate; people rate on pages."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from mensura.running.panel.raters.collecting import collect
from mensura.running.panel.raters.seat import TEST
from mensura.running.results.summary import RunResult
from mensura.running.run import Plan, RunOptions, carry_out
from mensura.subjects import SubjectSpec
from mensura.subjects.spec import HUMAN

if TYPE_CHECKING:
    from mensura.store import Store


def rate(
    name: str,
    *,
    store: "Store",
    subjects: Mapping[str, Callable[..., Any]] | None = None,
    only: str | None = None,
    options: RunOptions | None = None,
) -> list[RunResult]:
    """Let every rater who is not a person on a page rate what is still open, and keep the ratings.

    Parameters
    ----------
    name : str
        Name of the panel.
    store : Store
        Where the panel is kept.
    subjects : mapping, optional
        Rater → function of Python's that answers for them; a function cannot be read back from the store.
    only : str, optional
        The one rater who is to rate now.
    options : RunOptions, optional
        Where and how sessions are carried out.
    """

    done = []
    for assigned in store.panels.assignments(name):
        if only is not None and assigned.rater != only:
            continue
        session = store.sessions.find(assigned.session)
        given = (subjects or {}).get(assigned.rater)
        if session.status != "open" or (assigned.subject == HUMAN and given is None):
            continue
        head = store.runs.find(session.run)
        plan = Plan.of_run(head)
        if given is not None:
            plan = Plan(TEST, {"subject": SubjectSpec(assigned.subject, given=given)}, head.parameters)
        done.append(carry_out(head, [session.address], plan=plan, store=store, options=options or RunOptions()))
    collect(name, store=store)
    return done
