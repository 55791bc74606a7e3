"""Allowance: money that it is right to spend beyond what the best schedule needs."""

from collections.abc import Mapping
from typing import Any

from mensura.catalog.crisis.scoring.snapshot import Snapshot
from mensura.catalog.crisis.world.supply.money import goods_cost, order_cost
from mensura.catalog.crisis.world.supply.vendor import Order


def allowance(standing: Snapshot) -> float:
    """Return what was spent because mail asked for it, and to let flowers and the like follow events that moved.

    The best plan spends what a schedule needs that meets every rule. No rule speaks of flowers, guards or easels:
    those who order what people write for, or send what stands after an event, have not wasted the money.
    What was not done allows nothing.
    """
    asked = standing.asked.values()
    quantities = {target["order"]: target["quantity"] for target in asked if {"order", "quantity"} <= set(target)}
    stood = {order.id: order for order in standing.world.orders}
    changes = sum(
        _changed(stood[order.id], order, quantities, standing) for order in standing.orders if order.id in stood
    )
    return changes + sum(_ordered(target, standing, stood) for target in asked if "order" not in target)


def _changed(first: Order, now: Order, quantities: Mapping[str, int], standing: Snapshot) -> float:
    vendor, item = standing.sold(now.vendor, now.item)
    asked = now.quantity != first.quantity and now.quantity == quantities.get(now.id)
    there = (now.room, now.slot) == standing.place.get(now.event)
    follows = there and not item.gives and (now.room, now.slot) != (first.room, first.slot)
    blocks = standing.world.event[now.event].length
    more = goods_cost(item, quantity=now.quantity - first.quantity, blocks=blocks) if asked else 0.0
    return max(0.0, more + vendor.change_fee) if asked or follows else 0.0


def _ordered(target: Mapping[str, Any], standing: Snapshot, stood: Mapping[str, Order]) -> float:
    wanted = (target["vendor"], target["item"], target["event"])
    new = [order for order in standing.orders if order.id not in stood]
    if sum(order.quantity for order in new if (order.vendor, order.item, order.event) == wanted) < target["quantity"]:
        return 0.0
    vendor, item = standing.sold(target["vendor"], target["item"])
    blocks = standing.world.event[target["event"]].length
    return order_cost(vendor, item, quantity=target["quantity"], blocks=blocks)
