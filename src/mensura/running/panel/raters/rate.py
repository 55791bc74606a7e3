"""Rate: let the programs and language models of a panel rate; people rate on pages."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mensura.running.executors import Here
from mensura.running.panel.raters.collecting import collect
from mensura.running.panel.raters.rater import Rater
from mensura.running.panel.raters.seat import TEST, seat
from mensura.running.plan import Plan
from mensura.running.results.summary import RunResult
from mensura.running.run import UNFINISHED, RunOptions, carry_out
from mensura.subjects import SubjectSpec
from mensura.subjects.spec import HUMAN

if TYPE_CHECKING:
    from mensura.store import Store
    from mensura.store.people.panels import Assignment

FAILED = ("crashed", "timed_out", "invalid")
MOST_IN_VAIN = 3


def rate(
    name: str,
    *,
    store: "Store",
    subjects: Mapping[str, Callable[..., Any]] | None = None,
    only: str | None = None,
    options: RunOptions | None = None,
) -> list[RunResult]:
    """Let every rater who is not a person on a page rate what is still open, and keep the ratings.

    A language model that fails at an artefact continues with the next.

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
        Where and how sessions are carried out; those of several raters, and the lanes of one model, at once where the
        executor takes sessions at once.
    """

    options = options or RunOptions()
    # Each lane is led by itself, so that it can go on after a failure.
    each = replace(options, on=Here())
    waiting = [
        one
        for one in store.panels.assignments(name)
        if only in (None, one.rater)
        and store.sessions.find(one.session).status in UNFINISHED
        and (one.subject != HUMAN or one.rater in (subjects or {}))
    ]

    def rated(one: "Assignment") -> list[RunResult]:
        return _rated(one, store=store, given=(subjects or {}).get(one.rater), options=each)

    done = [result for results in options.on.map(rated, waiting) for result in results]
    collect(name, store=store)
    return done


def _rated(
    assigned: "Assignment", *, store: "Store", given: Callable[..., Any] | None, options: RunOptions
) -> list[RunResult]:
    """Carry out what a rater was given; a language model goes on after an artefact at which it failed."""
    done: list[RunResult] = []
    in_vain = 0
    while True:
        session = store.sessions.find(assigned.session)
        head = store.runs.find(session.run)
        plan = Plan.of_run(head)
        if given is not None:
            plan = Plan(TEST, {"subject": SubjectSpec(assigned.subject, given=given)}, head.parameters)
        done.append(carry_out(head, [session.address], plan=plan, store=store, options=options))
        in_vain = 0 if done[-1].outcomes.get("answered") else in_vain + 1
        rest = _left_after_failing(assigned, store=store)
        # One that answers nothing time after time would be asked everything in vain.
        if in_vain >= MOST_IN_VAIN or not rest:
            return done
        rater = Rater(assigned.rater, plan.cast["subject"], "model")
        assigned = seat(store.panels.get(assigned.panel), rater, rest, kind="additional", store=store)


def _left_after_failing(assigned: "Assignment", *, store: "Store") -> list[tuple[str, tuple[str, ...]]]:
    """Return what a model that failed at one artefact has left: one reply that nobody can read costs one artefact."""
    if assigned.kind != "additional" or store.sessions.find(assigned.session).status not in FAILED:
        return []
    record = store.records.find(assigned.session)
    codes = [code for code, _ in assigned.work]
    failed = next((one.key.partition("/")[0] for one in record.answers if one.status in (*FAILED, "missing")), None)
    return [] if failed is None else list(assigned.work[codes.index(failed) + 1 :])
