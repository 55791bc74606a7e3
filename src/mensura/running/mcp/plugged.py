"""Plugged: one session of a test with a subject that is there already, as a run of its own that can be resumed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mensura.catalog.find import find_test
from mensura.dialogue import Address, Limits, Seed
from mensura.errors import BadParameter
from mensura.running.cost.reaching import reach_models
from mensura.running.plan import Member, Plan, Selection
from mensura.running.reference import limits_of
from mensura.running.results.summary import RunResult
from mensura.running.run import RunOptions, begin_run, carry_out, refuse_people
from mensura.subjects import SubjectSpec
from mensura.subjects.outside.bridge import Bridge

if TYPE_CHECKING:
    from mensura.store import Store


def plug_in(
    test: str,
    bridge: Bridge,
    *,
    store: "Store",
    role: str | None = None,
    others: Sequence[str] = (),
    seed: int | None = None,
    parameters: Mapping[str, Any] | None = None,
    setting: str | None = None,
    limits: Limits = Limits(),
    begun: Callable[[str], None] = lambda run: None,
) -> RunResult:
    """Let the agent at the other end of a bridge take a test once; every answer is stored before the next ask.

    Parameters
    ----------
    role
        The role it plays; the first that the test does not play itself where none is named.
    others
        Who plays further roles, as ROLE=SUBJECT.
    begun
        Told the name of the run as soon as it has one.
    """
    bridge.seconds = limits.answer_seconds
    definition = find_test(test)
    roles = definition.cast_roles(definition.fill(parameters, setting=setting))
    mine = role or next(each for each in roles if each not in definition.played)
    named = dict(each.split("=", 1) for each in others if "=" in each)
    cast: dict[str, Member] = {**named, mine: SubjectSpec(bridge.name, given=bridge)}
    plan = Plan.of(test, cast, parameters=parameters, setting=setting)
    whole = Selection(together=True)
    options = RunOptions(limits=limits, trace="full", details={"sessions": 1, "plugged": mine}, selection=whole)
    reach_models(plan, options=options)
    head = begin_run(plan, store=store, seed=Seed.choose(seed), options=options)
    begun(head.id)
    return carry_out(head, [Address()], plan=plan, store=store, options=options)


def go_on(run: str, bridge: Bridge, *, store: "Store", begun: Callable[[str], None] = lambda run: None) -> RunResult:
    """Resume a session that was left, from its last answer."""
    head = store.runs.find(run)
    mine = head.details.get("plugged")
    if not isinstance(mine, str):
        raise BadParameter(f"{head.id} was not taken over a bridge; resume it with: mensura resume {head.id}")
    refuse_people(head)
    bridge.name, bridge.seconds = head.cast[mine], limits_of(head).answer_seconds
    stored = Plan.of_run(head)
    plan = replace(stored, cast={**stored.cast, mine: SubjectSpec(bridge.name, given=bridge)})
    begun(head.id)
    options = RunOptions(limits=limits_of(head), trace="full")
    return carry_out(head, [Address()], plan=plan, store=store, options=options)
