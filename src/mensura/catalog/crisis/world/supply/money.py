"""Money: what orders, changes and rooms cost. Planner, linter and score count by the same functions."""

from collections.abc import Mapping

from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.supply.vendor import Product, Vendor


def goods_cost(item: Product, *, quantity: int, blocks: int) -> float:
    """Return what goods cost: price × quantity × blocks.

    >>> goods_cost(Product(id="mic", name="Microphone", price=35.0), quantity=2, blocks=2)
    140.0
    """
    return item.price * quantity * blocks


def order_cost(vendor: Vendor, item: Product, *, quantity: int, blocks: int) -> float:
    """Return what an order costs: goods and delivery."""
    return goods_cost(item, quantity=quantity, blocks=blocks) + vendor.delivery


def hire(world: Conference, place: Mapping[str, tuple[str, int] | None]) -> float:
    """Return what the rooms of a schedule cost: price per block × blocks, for every event that has a room."""
    rooms, events = world.room, world.event
    return sum(rooms[where[0]].price * events[event].length for event, where in place.items() if where is not None)
