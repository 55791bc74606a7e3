"""Supply: what an event needs delivered at a place, by which orders, and what that costs."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from mensura.catalog.crisis.planning.problem import Offer, PlanningProblem
from mensura.catalog.crisis.schedule import Place
from mensura.catalog.crisis.world.data import grouped
from mensura.catalog.crisis.world.programme.event import ConferenceEvent
from mensura.catalog.crisis.world.supply.money import order_cost
from mensura.catalog.crisis.world.supply.vendor import Order, Vendor
from mensura.catalog.crisis.world.time import SLOTS, day_of


@dataclass(frozen=True, slots=True)
class Errand:
    """One thing to do with a vendor."""

    do: Literal["order", "change", "cancel"]
    event: str
    vendor: str
    item: str
    quantity: int
    order: str = ""
    """The order that is changed or cancelled."""
    money: float = 0.0


@dataclass(frozen=True, slots=True)
class Supply:
    """The errands of an event at a place, what they cost, and which of its rules about supplies are then met."""

    errands: tuple[Errand, ...]
    money: float
    met: frozenset[str]


def supply(problem: PlanningProblem, event: ConferenceEvent, place: Place) -> Supply:
    """Choose the cheapest errands that are worth their money.

    An order that already goes to this room and slot costs nothing; one that goes elsewhere is changed if that is
    cheaper than a new one; what would go to an empty room is cancelled where that gives money back.
    """
    rules = problem.rules_of.get(event.id, ())
    lacking = frozenset(rule.item for rule in rules if rule.kind == "equipment") - problem.venue[place[0]].equipment
    there = any((order.room, order.slot) == place for order in problem.orders_of.get(event.id, ()))
    # Places that lack the same and can be reached by the same vendors cost the same.
    key = (event.id, lacking, bisect_right(problem.deadlines, place[1]), place if there else None)
    if key not in problem.supplies:
        problem.supplies[key] = _supply(problem, event, place)
    found: Supply = problem.supplies[key]
    return found


def _supply(problem: PlanningProblem, event: ConferenceEvent, place: Place) -> Supply:
    venue = problem.venue[place[0]]
    errands: list[Errand] = []
    met: set[str] = set()
    money = 0.0
    left = list(problem.orders_of.get(event.id, ()))
    wanted = [rule for rule in problem.rules_of.get(event.id, ()) if rule.kind in ("equipment", "catering")]
    for gives, rules in grouped(
        ("catering" if rule.kind == "catering" else rule.item, rule) for rule in wanted
    ).items():
        if gives != "catering" and gives in venue.equipment:
            met.update(rule.id for rule in rules)
            continue
        quantity = event.catering if gives == "catering" else 1
        errand = _cheapest(problem, event, place, gives=gives, quantity=quantity, standing=left)
        if errand is None:
            continue
        chosen, used = errand
        worth = sum(rule.weight for rule in rules)
        if chosen is not None and chosen.money * problem.prices.money >= worth:
            continue
        if used is not None:
            left.remove(used)
        if chosen is not None:
            errands.append(chosen)
            money += chosen.money
        met.update(rule.id for rule in rules)
    for order in left:
        offer = problem.offer.get((order.vendor, order.item))
        if offer is None or not offer.item.gives:
            continue
        back = offer.vendor.cancel_fee - offer.money(event, order.quantity)
        if back < 0 and order.slot >= offer.from_slot:
            errands.append(Errand("cancel", event.id, order.vendor, order.item, order.quantity, order.id, back))
            money += back
    return Supply(tuple(errands), money, frozenset(met))


def offers_of(vendors: Iterable[Vendor], *, ahead: int) -> tuple[Offer, ...]:
    """List what can be ordered, so many days ahead of the conference."""
    return tuple(
        Offer(
            vendor,
            item,
            next((slot for slot in range(SLOTS) if ahead + day_of(slot) >= vendor.lead_days), SLOTS),
        )
        for vendor in vendors
        for item in vendor.items
    )


def _cheapest(
    problem: PlanningProblem, event: ConferenceEvent, place: Place, *, gives: str, quantity: int, standing: list[Order]
) -> tuple[Errand | None, Order | None] | None:
    """Return the errand (None: nothing is to do) and the order it uses; None where there is no way."""
    options: list[tuple[float, int, Errand | None, Order | None]] = []
    for order in standing:
        offer = problem.offer.get((order.vendor, order.item))
        if offer is None or offer.item.gives != gives:
            continue
        if (order.room, order.slot) == place and order.quantity >= quantity:
            return None, order
        if place[1] >= offer.from_slot:
            more = offer.money(event, quantity) - offer.money(event, order.quantity)
            money = offer.vendor.change_fee + more
            change = Errand("change", event.id, order.vendor, order.item, quantity, order.id, money)
            # A changed order saves the one that would otherwise be left to be cancelled.
            spared = offer.vendor.cancel_fee - offer.money(event, order.quantity)
            options.append((money - min(0.0, spared), 0, change, order))
    # A person who ordered dinners does not want coffee because it is cheaper.
    usual = {(order.vendor, order.item) for order in problem.orders_of.get(event.id, ())}
    giving = [offer for offer in problem.offers if offer.item.gives == gives]
    same = [offer for offer in giving if (offer.vendor.id, offer.item.id) in usual]
    for offer in same if gives == "catering" and same else giving:
        if place[1] >= offer.from_slot:
            money = order_cost(offer.vendor, offer.item, quantity=quantity, blocks=event.length)
            order_anew = Errand("order", event.id, offer.vendor.id, offer.item.id, quantity, "", money)
            options.append((money, 1, order_anew, None))
    if not options:
        return None
    best = min(options, key=lambda option: option[:2])
    return best[2], best[3]
