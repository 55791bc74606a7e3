"""Receipts: what vendors send for an order. They are forms, so nobody's style shows."""

from datetime import date
from random import Random

from mensura.catalog.crisis.world.mail import Letter
from mensura.catalog.crisis.world.scene import Scene
from mensura.catalog.crisis.world.supply import Order, Vendor
from mensura.catalog.crisis.world.time import slot_words

_OPENINGS = (
    "Thank you for your order. This message was written by a machine; please do not reply to it.",
    "We confirm the following order. Changes are only possible through the order page.",
    "Your order has been received and will be delivered as stated below.",
    "Order confirmation. Please keep this message for your records.",
)
_SUBJECTS = ("Your order {order}", "Order {order} confirmed", "{vendor}: confirmation of {order}", "Receipt {order}")


def receipt(order: Order, *, vendor: Vendor, where: str, event: str, first: date, rng: Random) -> tuple[str, str]:
    """Write subject and body of a receipt."""
    item = next(one for one in vendor.items if one.id == order.item)
    body = (
        f"{rng.choice(_OPENINGS)}\n\n"
        f"Order: {order.id}\n"
        f"Item: {item.name}\n"
        f"Quantity: {order.quantity}\n"
        f"For: {event}\n"
        f"Place: {where}\n"
        f"Time: {slot_words(order.slot, first=first)}\n"
        f"Price: {item.price:.2f} each per block, delivery {vendor.delivery:.2f}\n\n"
        f"A change costs {vendor.change_fee:.2f}, cancelling costs {vendor.cancel_fee:.2f}.\n"
        f"{vendor.name}"
    )
    return rng.choice(_SUBJECTS).format(order=order.id, vendor=vendor.name), body


def receipts(scene: Scene, *, ticks: list[int], rng: Random) -> list[Letter]:
    """Write a receipt for each order that stands."""
    letters = []
    for order, tick in zip(scene.orders, ticks, strict=True):
        draft, room = scene.drafts[order.event], scene.rooms[order.room]
        where = f"{room.name}, {scene.buildings[room.building].name}"
        subject, body = receipt(
            order, vendor=scene.vendors[order.vendor], where=where, event=draft.short, first=scene.first, rng=rng
        )
        letters.append(
            Letter(
                id=f"r-{order.id[3:]}",
                tick=tick,
                sender=order.vendor,
                subject=subject,
                body=body,
                order=order.id,
                about=(order.id, order.event, order.room),
            )
        )
    return letters
