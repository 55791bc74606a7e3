"""Purchases: what the predecessor had already ordered for the original schedule."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from mensura.catalog.crisis.world.campus.place import Room
from mensura.catalog.crisis.world.programme.sketch import Sketch
from mensura.catalog.crisis.world.supply.vendor import Order, Vendor

_MEALS = {"reception": "canapes", "farewell": "canapes", "dinner": "dinner", "posters": "coffee", "workshop": "lunch"}
_SHORT = 4
_KINDS = {
    "projector": "audio-visual",
    "screen": "audio-visual",
    "microphone": "audio-visual",
    "internet": "audio-visual",
}


@dataclass(frozen=True)
class Wish:
    """A thing to be ordered for an event."""

    vendor: Vendor
    item: str
    quantity: int
    event: str


def make_orders(
    drafts: Iterable[Sketch],
    *,
    place: Mapping[str, tuple[str, int]],
    rooms: Mapping[str, Room],
    vendors: Sequence[Vendor],
    rng: Random,
) -> tuple[Order, ...]:
    """Order what the original rooms lack, food, and a few comforts. Long ahead, so that lead times did not matter."""
    wishes: list[Wish] = []
    for draft in drafts:
        room = rooms[place[draft.id][0]]
        wishes += [
            lacking(item, event=draft.id, vendors=vendors, rng=rng)
            for item in draft.needs
            if item not in room.equipment
        ]
        if draft.catering:
            wishes.append(Wish(_firm("catering", vendors, rng), meal(draft), draft.catering, draft.id))
        wishes += _comforts(draft, vendors, rng)
    return tuple(
        Order(
            id=f"PO-{1041 + 7 * n + rng.randrange(6)}",
            vendor=wish.vendor.id,
            item=wish.item,
            quantity=wish.quantity,
            event=wish.event,
            room=place[wish.event][0],
            slot=place[wish.event][1],
        )
        for n, wish in enumerate(wishes)
    )


def meal(draft: Sketch) -> str:
    """Return what is eaten at an event."""
    return _MEALS.get(draft.id) or _MEALS.get(draft.kind) or "coffee"


def lacking(item: str, *, event: str, vendors: Sequence[Vendor], rng: Random) -> Wish:
    """Choose a vendor for equipment that a room has not."""
    firm = _firm(_KINDS.get(item, "rentals"), vendors, rng)
    good = next(one.id for one in firm.items if one.gives == item)
    return Wish(firm, good, 1, event)


def _comforts(draft: Sketch, vendors: Sequence[Vendor], rng: Random) -> list[Wish]:
    if draft.kind == "exhibit":
        return [Wish(_firm("security", vendors, rng), "guard", 2, draft.id)]
    if draft.kind in ("keynote", "plenary"):
        return [Wish(_firm("flowers", vendors, rng), "lectern", 1, draft.id)]
    if draft.id == "dinner":
        return [Wish(_firm("flowers", vendors, rng), "table", max(1, draft.attendance // 10), draft.id)]
    if draft.kind == "posters":
        return [Wish(_firm("rentals", vendors, rng), "poster-board", len(draft.talks), draft.id)]
    return []


def _firm(kind: str, vendors: Sequence[Vendor], rng: Random) -> Vendor:
    # Food is changed at short notice in every world, so it comes from those who can.
    longest = _SHORT if kind == "catering" else 99
    return rng.choice([vendor for vendor in vendors if vendor.kind == kind and vendor.lead_days <= longest])
