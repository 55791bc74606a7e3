"""Wanted: what people write for that no rule of the schedule speaks of: flowers, guards, an order taken back."""

from collections.abc import Mapping
from typing import Any

from mensura.catalog.crisis.scoring.snapshot import Snapshot

LEAF = "requests"
"""The leaf of the score tree in which such requests count, each as much as a wish about the schedule."""


def wanted(standing: Snapshot) -> dict[str, str]:
    """Return each order that mail asks for, by its task, with why it is not met; "" where it is."""
    return {task: _why_not(target, standing) for task, target in standing.asked.items()}


def _why_not(target: Mapping[str, Any], standing: Snapshot) -> str:
    vendor, item = standing.sold(target["vendor"], target["item"])
    what = f"{item.name} from {vendor.name} for {standing.world.event[target['event']].short}"
    if target.get("cancel"):
        stands = any(order.id == target["order"] for order in standing.orders)
        return f"{target['order']}, {what}, was to be cancelled and still stands." if stands else ""
    first = {order.id for order in standing.world.orders}
    here = standing.place.get(target["event"])
    coming = sum(
        order.quantity
        for order in standing.orders
        if (order.id == target["order"] if "order" in target else order.id not in first)
        and (order.vendor, order.item, order.event) == (target["vendor"], target["item"], target["event"])
        and (order.room, order.slot) == here
    )
    if "order" in target:
        met = coming == target["quantity"]
        return "" if met else f"{target['order']} was to bring {target['quantity']} × {what}; {coming} will come there."
    return "" if coming >= target["quantity"] else f"{target['quantity']} × {what} were asked for; {coming} will come."
