"""Piloting: a few sessions of a run taken first, to say what all of them will cost."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mensura.dialogue import Address, Seed, generator
from mensura.errors import BadParameter
from mensura.running.cost.forecast import Cost
from mensura.running.cost.reaching import reach_models
from mensura.running.cost.rehearsing import Rehearsed, rehearse
from mensura.running.plan import Plan, planned_addresses, session_id
from mensura.running.run import RunOptions, begin_run, carry_out
from mensura.stats import Estimate, total_estimate
from mensura.stats.wording import several
from mensura.store.head import RunHead

if TYPE_CHECKING:
    from mensura.store import Store


@dataclass(frozen=True)
class Measured:
    """The cost of one session; NaN where it is not known."""

    tokens_in: float
    tokens_out: float
    cost: float
    seconds: float


def pilot_cost(
    plan: Plan,
    *,
    pilot: int,
    store: "Store",
    sessions: int,
    seed: int | None = None,
    options: RunOptions,
    at_once: int = 1,
) -> Cost:
    """Begin a run, take some of its sessions, drawn at random, and say from them what all will take.

    Nothing that is paid is lost: `mensura resume` takes the rest of the same run.
    """
    planned = replace(options, details={**options.details, "sessions": sessions})
    reach_models(plan, options=options)
    head = begin_run(plan, store=store, seed=Seed.choose(seed), options=planned)
    addresses = planned_addresses(head, sessions)
    if pilot > len(addresses):
        raise BadParameter(f"A pilot takes some of the {len(addresses)} sessions; {pilot} are asked for.")
    chance = generator(head.own_seed(), stream="pilot")
    drawn = [addresses[place] for place in sorted(chance.choice(len(addresses), pilot, replace=False))]
    carry_out(head, drawn, plan=plan, store=store, options=options)
    sized = _sizes(head, plan, addresses)
    return _forecast(head, addresses, drawn, sized, store=store, at_once=at_once)


def _sizes(head: RunHead, plan: Plan, addresses: Sequence[Address]) -> dict[Address, Rehearsed]:
    """Rehearse each item once, or one session for all where there are no items; epochs are alike."""
    kinds = list(dict.fromkeys(Address(item=address.item) for address in addresses))
    found = rehearse(plan.definition, plan.cast, kinds, parameters=plan.parameters, seed=head.own_seed())
    rehearsed = dict(zip(kinds, found, strict=True))
    return {address: rehearsed[Address(item=address.item)] for address in addresses}


def _forecast(
    head: RunHead,
    addresses: Sequence[Address],
    drawn: Sequence[Address],
    sized: dict[Address, Rehearsed],
    *,
    store: "Store",
    at_once: int,
) -> Cost:
    measured = [_measured(session_id(head.id, address), store=store) for address in drawn]
    sizes = [float(sized[address].characters) for address in drawn]
    all_sizes = [float(sized[address].characters) for address in addresses]

    def total(values: list[float]) -> Estimate | None:
        known = sum(not math.isnan(value) for value in values)
        return total_estimate(values, sizes=sizes, all_sizes=all_sizes) if known else None

    known = sum(not math.isnan(one.tokens_in) for one in measured)
    seconds = [one.seconds for one in measured if not math.isnan(one.seconds)]
    each = sum(seconds) / len(seconds) if seconds else 0.0
    basis = f"a pilot of {several(len(drawn), 'session')} drawn at random, of which {known} said what they took"
    return Cost(
        len(addresses),
        sum(one.asks for one in sized.values()),
        each * len(addresses) / 60 / at_once,
        total([one.tokens_in for one in measured]),
        total([one.tokens_out for one in measured]),
        total([one.cost for one in measured]),
        f"{basis}, and the length of what would be sent in all; intervals at 95 %",
        head.id,
    )


def _measured(session: str, *, store: "Store") -> Measured:
    notes = [event.notes for event in store.events.of(session) if event.notes and "tokens_in" in event.notes]
    # An answer from the cache cost nothing; what it would cost is not known from it.
    paid = [one for one in notes if not one.get("cached")]
    sums = [_sum([one.get(name) for one in notes]) for name in ("tokens_in", "tokens_out")]
    return Measured(*sums, *(_sum([one.get(name) for one in paid]) for name in ("cost", "seconds")))


def _sum(values: Sequence[float | None]) -> float:
    """Add up; NaN where there is nothing, or something is not known."""
    return sum(math.nan if value is None else value for value in values) if values else math.nan
