"""Receipts: what vendors send for an order. They are forms, one for each vendor, so nobody's style shows."""

from datetime import date
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from mensura.catalog.crisis.mail.once import Once
from mensura.catalog.crisis.world.backdrop import Backdrop
from mensura.catalog.crisis.world.data import Data, read
from mensura.catalog.crisis.world.mail import Letter
from mensura.catalog.crisis.world.supply.vendor import Order, Vendor
from mensura.catalog.crisis.world.time import slot_words
from mensura.yaml_file import parse_yaml

FORMS = Path(__file__).with_name("forms.yaml")


class Form(Data):
    """How a vendor confirms."""

    subjects: tuple[str, ...]
    openings: tuple[str, ...]
    details: str
    closings: tuple[str, ...]


@cache
def forms() -> dict[str, Form]:
    """Read every vendor's form."""
    said: dict[str, dict[str, Any]] = parse_yaml(FORMS.read_text(encoding="utf-8"), FORMS.name)
    return {vendor: read(Form, form, place=f"{FORMS.name}, {vendor}") for vendor, form in said.items()}


def receipt(order: Order, *, vendor: Vendor, where: str, event: str, first: date, once: Once) -> tuple[str, str]:
    """Write subject and body of a receipt."""
    item = vendor.product[order.item]
    form = forms()[vendor.id]
    known = {
        "order": order.id, "item": item.name, "quantity": order.quantity, "event": event, "where": where,
        "when": slot_words(order.slot, first=first), "price": f"{item.price:.2f}",
        "delivery": f"{vendor.delivery:.2f}", "change": f"{vendor.change_fee:.2f}",
        "cancel": f"{vendor.cancel_fee:.2f}", "vendor": vendor.name,
    }  # fmt: skip
    parts = (once.deal(form.openings), form.details.strip(), once.deal(form.closings))
    body = "\n\n".join(part.format_map(known) for part in parts)
    return once.deal(form.subjects).format_map(known), f"{body}\n{vendor.name}"


def receipts(scene: Backdrop, *, ticks: list[int], rng: Random) -> list[Letter]:
    """Write a receipt for each order that stands."""
    letters, once = [], Once(rng)
    for order, tick in zip(scene.orders, ticks, strict=True):
        draft, room = scene.drafts[order.event], scene.rooms[order.room]
        where = f"{room.name}, {scene.buildings[room.building].name}"
        subject, body = receipt(
            order, vendor=scene.vendors[order.vendor], where=where, event=draft.short, first=scene.first, once=once
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
