"""Demands: questions that want an answer, and things to be ordered, changed or cancelled."""

from collections.abc import Sequence
from random import Random

from mensura.catalog.crisis.mail.reference import References
from mensura.catalog.crisis.mail.stimulus import Stimulus
from mensura.catalog.crisis.world.backdrop import Backdrop

QUESTIONS: dict[str, tuple[str, ...]] = {
    # What is asked, and the values of which one must be in the answer; all of them stand on a page or the site.
    "wifi": ("wifi_password",),
    "parking": ("parking_place", "parking_fee"),
    "shuttle": ("shuttle_minutes", "shuttle_stop"),
    "last_shuttle": ("shuttle_last",),
    "taxi": ("taxi_phone",),
    "station": ("station", "station_walk"),
    "poster": ("poster_size",),
    "fee": ("fee",),
    "fee_late": ("fee_late",),
    "childcare": ("childcare",),
    "desk": ("desk_hours", "desk"),
    "luggage": ("luggage",),
    "quiet": ("quiet_room",),
    "dress": ("dress",),
    "lunch": ("lunch_place", "lunch_price"),
    "vat": ("vat_number",),
    "talk_length": ("talk_minutes",),
    "proceedings": ("proceedings",),
    "visa": ("visa_office",),
    "hotel": ("hotel_two_rate", "hotel_one_rate"),
}


def queries(scene: Backdrop, *, hosts: Sequence[str], number: int, rng: Random) -> list[Stimulus]:
    """Draw questions; the first come from people who write anyway, the others from anyone."""
    asked = rng.sample(sorted(QUESTIONS), number)
    writers = list(hosts[:number])
    pool = [id for id in (*scene.speakers, *scene.participants * 8) if id not in writers]
    while len(writers) < number:
        writer = rng.choice(pool)
        if writer not in writers:
            writers.append(writer)
    return [
        Stimulus(
            kind="query",
            case=f"query.{question}",
            sender=writer,
            values={},
            target={"answer": [scene.values[name] for name in QUESTIONS[question]]},
        )
        for question, writer in zip(asked, writers, strict=True)
    ]


def orders(scene: Backdrop, *, references: References, rng: Random) -> list[Stimulus]:
    """Ask for things to be ordered, for more of them, or for an order to be cancelled."""
    told: list[Stimulus] = []
    touched: set[str] = set()
    for n in range(scene.parameters.orders):
        way = ("new", "new", "change", "new", "cancel", "change", "new", "cancel")[n]
        made = _new(scene, references, rng) if way == "new" else _standing(scene, way, touched, references, rng)
        while way == "new" and any(made.target == other.target for other in told):
            made = _new(scene, references, rng)
        told.append(made)
    return told


def _new(scene: Backdrop, references: References, rng: Random) -> Stimulus:
    wishes: list[tuple[str, str, int, list[str]]] = [
        ("bloom", "lectern", 1, [id for id, draft in scene.drafts.items() if draft.kind == "panel"]),
        ("bloom", "foyer", 2, ["reception"]),
        ("bloom", "table", 6, [id for id in ("reception", "farewell", "concert") if id in scene.drafts]),
        ("sentry", "door", 1, [id for id in ("keynote", "dinner", "concert", "reception") if id in scene.drafts]),
        (
            "hireall",
            "chairs",
            rng.randrange(1, 4),
            [id for id, draft in scene.drafts.items() if draft.kind == "papers"],
        ),
        (
            "hireall",
            "easel",
            rng.randrange(2, 5),
            [id for id, draft in scene.drafts.items() if draft.kind in ("tutorial", "workshop")],
        ),
        ("lumen", "laptop", 1, [id for id, draft in scene.drafts.items() if draft.kind in ("papers", "panel")]),
    ]
    vendor, item, quantity, events = rng.choice([wish for wish in wishes if wish[3]])
    event: str = rng.choice(events)
    firm = scene.vendors[vendor]
    writer = scene.drafts[event].chair or scene.staff.secretary.id
    goods = firm.product[item].name
    return Stimulus(
        kind="order", case="order.new", sender=writer,
        values={
            "quantity": quantity, "item": _called(goods), "vendor": firm.name,
            "event": references.event(event, writer=writer, rng=rng),
        },
        target={"vendor": vendor, "item": item, "quantity": quantity, "event": event}, about=(event, vendor),
    )  # fmt: skip


def _standing(scene: Backdrop, way: str, touched: set[str], references: References, rng: Random) -> Stimulus:
    kinds = {"change": ("guard", "poster-board"), "cancel": ("lectern", "table")}[way]
    pool = [order for order in scene.orders if order.item in kinds and order.id not in touched]
    order = rng.choice(pool)
    touched.add(order.id)
    writer = scene.staff.treasurer.id if way == "cancel" else scene.staff.secretary.id
    firm = scene.vendors[order.vendor]
    goods = firm.product[order.item].name
    quantity = order.quantity + rng.randrange(1, 4)
    values: dict[str, object] = {
        "item": _called(goods), "vendor": firm.name, "event": references.event(order.event, writer=writer, rng=rng),
        "order": order.id,
    }  # fmt: skip
    target: dict[str, object] = {"order": order.id, "vendor": order.vendor, "item": order.item, "event": order.event}
    if way == "change":
        values["quantity"] = quantity
        target["quantity"] = quantity
    else:
        target["cancel"] = True
    return Stimulus(
        kind="order", case=f"order.{way}", sender=writer, values=values, target=target, about=(order.event, order.id)
    )


def _called(goods: str) -> str:
    """Return what goods are called in a sentence.

    >>> _called("Guard, per block")
    'guard'
    """
    return goods.split(",")[0].lower()
