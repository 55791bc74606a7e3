"""Carry: a person's next session of a test begins with what the earlier ones left, where the test wants it so."""

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mensura.catalog.find import find_test
from mensura.dialogue import Address, Event, Seed, generator
from mensura.errors import BadParameter, Conflict
from mensura.running.cost.reaching import reach_models
from mensura.running.plan import Plan, Selection, session_id
from mensura.running.results.summary import RunResult
from mensura.running.run import RunOptions, begin_run, carry_out
from mensura.store.head import SessionHead
from mensura.subjects.sandbox.confinement import Confinement

if TYPE_CHECKING:
    from mensura.dialogue import Test
    from mensura.store import Store


def carry_over(session: str, *, earlier: Sequence[str], test: "Test", store: "Store") -> bool:
    """Let a session that has not begun start from what the latest of earlier sessions left.

    The log of the session then begins with a save: its test is called with `saved`, resuming and replay need nothing
    else, and parameters and instance stay what they are, so that its scores compare with any other session's.

    Parameters
    ----------
    session
        The session that is to begin.
    earlier
        Sessions of the same person and test, the latest last; those that never began are passed over.
    test
        The test of all of them.

    Returns
    -------
    bool
        Whether anything was carried over.
    """
    if test.carry is None or store.events.last_number(session):
        return False
    begun = [name for name in earlier if store.events.last_number(name)]
    state = (
        None
        if not begun
        else test.carry(_saved(begun[-1], store), store.records.find(begun[-1]), store.truths.of(begun[-1]))
    )
    if state is None:
        return False
    try:
        store.events.append(session, [_save(session, state, store)])
    except Conflict:
        # Another window of the same person was first.
        return False
    return True


def earlier_sessions(run_id: str, *, test: "Test", store: "Store") -> list[str]:
    """List the sessions of a stored run that a further session of the same person can follow."""
    run = store.runs.find(run_id)
    if test.carry is None:
        raise BadParameter(f"{test.name} carries nothing from one session to the next. Leave out --after.")
    if run.test != test.id:
        raise BadParameter(f"{run.id} was a run of {run.test}; only sessions of {test.id} can be followed.")
    sessions = store.sessions.of(run.id)
    if len(sessions) > 1:
        raise BadParameter(f"{run.id} has {len(sessions)} sessions, perhaps of different people; follow a run of one.")
    return [head.id for head in sessions]


def run_after(
    after: str,
    test: str,
    cast: str | Mapping[str, str],
    *,
    store: "Store",
    seed: int | None = None,
    parameters: Mapping[str, Any] | None = None,
    setting: str | None = None,
    confinement: Confinement = Confinement(),
) -> RunResult:
    """Let the subject of an earlier run take the test once more, beginning with what that run left."""
    definition = find_test(test)
    earlier = earlier_sessions(after, test=definition, store=store)
    plan = Plan.of(test, cast, parameters=parameters, setting=setting)
    details = {"sessions": 1, "after": store.runs.find(after).id}
    options = RunOptions(trace="full", details=details, selection=Selection(together=True), confinement=confinement)
    reach_models(plan, options=options)
    head = begin_run(plan, store=store, seed=Seed.choose(seed), options=options)
    address = Address()
    name = session_id(head.id, address)
    store.sessions.add_many([SessionHead(name, head.id, address, head.cast, created=time.time())])
    carry_over(name, earlier=earlier, test=definition, store=store)
    result = carry_out(head, [address], plan=plan, store=store, options=options)
    store.runs.open(head.id)
    return result


def _saved(session: str, store: "Store") -> Any:
    """Return what a session itself began with."""
    first = next(iter(store.events.of(session)), None)
    return first.value["state"] if first is not None and first.kind == "save" else None


def _save(session: str, state: Any, store: "Store") -> Event:
    head = store.sessions.find(session)
    run = store.runs.find(head.run)
    chance = generator(run.own_seed(), head.address).bit_generator.state
    value = {"state": state, "rng": chance, "tick": 0, "number": 1, "turns": 0, "digest": "", "gone": []}
    return Event(1, "save", "", "", 0, value)
