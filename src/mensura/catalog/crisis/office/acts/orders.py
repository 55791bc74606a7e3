"""Orders: vendors' forms. Every order, change and cancellation is confirmed by mail with the number of the order."""

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from mensura.catalog.crisis.office.history import Charge, Said
from mensura.catalog.crisis.office.naming import Declined, named, near
from mensura.catalog.crisis.schedule import Place
from mensura.catalog.crisis.settings import DELAYS
from mensura.catalog.crisis.world.supply.money import goods_cost, order_cost
from mensura.catalog.crisis.world.supply.vendor import Order, Product, Vendor
from mensura.catalog.crisis.world.time import day_of

if TYPE_CHECKING:
    from mensura.catalog.crisis.office.office import OfficeState

MOST = 5000
"""More of anything no vendor can bring."""


def quote(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Ask what an order would cost; the vendor's system writes back, and nothing is ordered."""
    vendor, item, event, (room, slot) = _form(office, arguments)
    cost = order_cost(vendor, item, quantity=arguments["quantity"], blocks=office.world.length[event])
    what = f"{arguments['quantity']} × {item.name} for {_for(office, event, room, slot)}"
    body = f"{what} would cost {cost:.2f}, delivery of {vendor.delivery:.2f} included. Please order by our form."
    office.write_later(vendor.id, f"Your quote: {item.name}", body, delay=DELAYS["quote"])
    return Said(True, f"{vendor.name} will send a quote by mail.", {"vendor": vendor.id})


def order(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Order something for an event, delivered where and when it is scheduled at this moment."""
    vendor, item, event, (room, slot) = _form(office, arguments)
    quantity = arguments["quantity"]
    made = Order(
        id=office.number_order(), vendor=vendor.id, item=item.id, quantity=quantity, event=event, room=room, slot=slot
    )
    alike = _alike(office, made)
    office.orders[made.id] = made
    cost = order_cost(vendor, item, quantity=quantity, blocks=office.world.length[event])
    office.payments.append(Charge(office.now, made.id, "order", cost))
    what = f"{quantity} × {item.name} for {_for(office, event, room, slot)}, {cost:.2f} with delivery"
    _receipt(office, made, f"Your order {made.id}", f"Thank you for your order {made.id}: {what}.")
    hint = f" Note: order {alike} asks for the same at the same place and time." if alike else ""
    return Said(True, f"{vendor.name} has taken your order {made.id}: {what}.{hint}", {"order": made.id, "cost": cost})


def change_order(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Change how many or for which event; the goods go to where and when the event is scheduled now."""
    before = _standing(office, arguments["order"])
    vendor = office.world.vendor[before.vendor]
    given = {
        "vendor": before.vendor,
        "item": before.item,
        "quantity": arguments.get("quantity", before.quantity),
        "event": arguments.get("event", before.event),
    }
    _, item, event, (room, slot) = _form(office, given)
    after = Order(
        id=before.id,
        vendor=before.vendor,
        item=before.item,
        quantity=given["quantity"],
        event=event,
        room=room,
        slot=slot,
    )
    if after == before:
        return Said(False, f"Order {before.id} says just that already; nothing was changed and nothing charged.")
    length = office.world.length
    more = goods_cost(item, quantity=after.quantity, blocks=length[event]) - goods_cost(
        item, quantity=before.quantity, blocks=length[before.event]
    )
    office.orders[after.id] = after
    office.payments.append(Charge(office.now, after.id, "change", more + vendor.change_fee))
    what = f"{after.quantity} × {item.name} for {_for(office, event, room, slot)}"
    charged = f"The change costs {vendor.change_fee:.2f}" + (f", the goods {more:+.2f}" if more else "")
    _receipt(office, after, f"Your changed order {after.id}", f"Order {after.id} is now {what}. {charged}.")
    words = f"{vendor.name} has changed order {after.id}: {what}. {charged}."
    return Said(True, words, {"order": after.id, "cost": more + vendor.change_fee})


def cancel_order(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Cancel an order: its goods are paid back, its delivery is not, and the vendor takes a fee."""
    before = _standing(office, arguments["order"])
    vendor = office.world.vendor[before.vendor]
    item = vendor.product[before.item]
    if late := _late(office, vendor, before.slot):
        return Said(False, f"Not cancelled. {late}")
    back = goods_cost(item, quantity=before.quantity, blocks=office.world.length[before.event])
    del office.orders[before.id]
    office.cancelled[before.id] = before
    office.payments.append(Charge(office.now, before.id, "cancel", vendor.cancel_fee - back))
    words = f"Order {before.id} is cancelled. {back:.2f} is paid back; the fee is {vendor.cancel_fee:.2f}."
    _receipt(office, before, f"Cancelled: order {before.id}", words)
    return Said(True, words, {"order": before.id, "cost": vendor.cancel_fee - back})


def _form(office: "OfficeState", given: dict[str, Any]) -> tuple[Vendor, Product, str, Place]:
    """Check a vendor's form as the vendor would."""
    vendor = office.world.vendor[named(office, "vendor", given["vendor"])]
    found = office.index.items[vendor.id].get(given["item"].lower().strip())
    if found is None:
        raise Declined(_no_item(office, vendor, given["item"]))
    quantity = given["quantity"]
    if quantity < 1:
        raise Declined(f"{vendor.name}: the quantity must be at least 1; got {quantity}.")
    if quantity > MOST:
        raise Declined(f"{vendor.name}: we cannot bring {quantity} of these; {MOST} is the most.")
    event = named(office, "event", given["event"])
    where = office.schedule.place.get(event)
    if where is None:
        short = office.world.event[event].short
        raise Declined(f"{vendor.name}: {short} has no room and time, so we do not know where to deliver.")
    if late := _late(office, vendor, where[1]):
        raise Declined(late)
    return vendor, found[1], event, where


def _late(office: "OfficeState", vendor: Vendor, slot: int) -> str:
    world = office.world
    day = world.first + timedelta(days=day_of(slot))
    last = day - timedelta(days=vendor.lead_days)
    if world.today <= last:
        return ""
    days = "day" if vendor.lead_days == 1 else "days"
    return (
        f"{vendor.name} needs {vendor.lead_days} {days} of notice; for {day:%A} {day.day} {day:%B} it was open until "
        f"{last:%A} {last.day} {last:%B}."
    )


def _no_item(office: "OfficeState", vendor: Vendor, text: str) -> str:
    name = text.lower().strip()
    others = [office.world.vendor[id].name for id, items in office.index.items.items() if name in items]
    if others:
        return f"{vendor.name} does not sell {text[:60]!r}; {others[0]} does."
    sold = near(name, office.index.items[vendor.id]) or f"It sells {', '.join(item.id for item in vendor.items)}."
    return f"{vendor.name} does not sell {text[:60]!r}. {sold}"


def _standing(office: "OfficeState", id: str) -> Order:
    """Return an order that stands, or decline."""
    if id in office.orders:
        return office.orders[id]
    if id in office.cancelled:
        raise Declined(f"Order {id} was cancelled and cannot be changed any more; order anew.")
    raise Declined(f"There is no order {id[:60]!r}. {near(id, office.orders) or 'The page of orders has them all.'}")


def _alike(office: "OfficeState", made: Order) -> str:
    """Find an order that asks for the very same."""
    same = made.model_dump(exclude={"id"})
    for other in office.orders.values():
        if other.event == made.event and other.model_dump(exclude={"id"}) == same:
            return other.id
    return ""


def _for(office: "OfficeState", event: str, room: str, slot: int) -> str:
    return f"{office.world.event[event].short}, {office.world.room[room].name}, {office.index.when[slot]}"


def _receipt(office: "OfficeState", order: Order, subject: str, body: str) -> None:
    office.write_later(
        order.vendor,
        subject,
        f"{body}\n\nTo change or cancel it, use our form with the number {order.id}.",
        delay=DELAYS["receipt"],
        order=order.id,
    )


ORDERS = {"quote": quote, "order": order, "change_order": change_order, "cancel_order": cancel_order}
