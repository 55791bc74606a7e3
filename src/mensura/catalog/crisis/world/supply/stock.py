"""Stock: the vendors of a world and what they sell."""

from random import Random

from mensura.catalog.crisis.world.supply.vendor import Product, Vendor, VendorKind

_Goods = tuple[tuple[str, str, float, str], ...]
_AUDIO: _Goods = (
    ("projector", "Projector with cables", 75, "projector"),
    ("screen", "Portable screen", 30, "screen"),
    ("microphone", "Microphone set with loudspeakers", 55, "microphone"),
    ("hotspot", "Wireless hotspot", 40, "internet"),
    ("laptop", "Laptop for slides", 45, ""),
)
_FOOD: _Goods = (
    ("coffee", "Coffee break, per head", 4.5, "catering"),
    ("lunch", "Boxed lunch, per head", 11, "catering"),
    ("dinner", "Three-course dinner, per head", 27, "catering"),
    ("canapes", "Drinks and canapés, per head", 14, "catering"),
)
_GUARDS: _Goods = (
    ("guard", "Guard, per block", 60, ""),
    ("door", "Badge check at the door", 35, ""),
    ("night-watch", "Night watch of stands", 140, ""),
)
_FLOWERS: _Goods = (
    ("lectern", "Arrangement for the lectern", 48, ""),
    ("table", "Table bouquet", 16, ""),
    ("foyer", "Large foyer arrangement", 95, ""),
)
_RENTALS: _Goods = (
    ("stage", "Stage platform, 4 by 3 metres", 160, "stage"),
    ("whiteboard", "Whiteboard on wheels", 22, "whiteboard"),
    ("piano", "Upright piano, tuned", 210, "piano"),
    ("poster-board", "Poster board", 9, ""),
    ("chairs", "Ten extra chairs", 18, ""),
    ("easel", "Easel with paper", 8, ""),
)
_FIRMS: tuple[tuple[str, str, VendorKind, _Goods, float, int, float], ...] = (
    # id, name, kind, goods, price level, days ahead, what an order costs besides
    ("lumen", "Lumen Audio-Visual", "audio-visual", _AUDIO, 1.25, 1, 25),
    ("campus-media", "Campus Media Service", "audio-visual", _AUDIO, 0.8, 7, 10),
    ("brightwell", "Brightwell Event Technology", "audio-visual", _AUDIO, 1.0, 3, 20),
    ("larder", "The Larder", "catering", _FOOD, 1.0, 3, 40),
    ("silverspoon", "Silver Spoon Banquets", "catering", _FOOD, 1.3, 2, 60),
    ("canteen", "University Canteen", "catering", _FOOD, 0.75, 8, 0),
    ("sentry", "Sentry & Daughters", "security", _GUARDS, 1.0, 2, 0),
    ("gatehouse", "Gatehouse Security", "security", _GUARDS, 0.85, 6, 30),
    ("bloom", "Bloom and Branch", "flowers", _FLOWERS, 1.0, 1, 12),
    ("meadow", "Meadow Florists", "flowers", _FLOWERS, 0.85, 4, 8),
    ("hireall", "Hire-All Rentals", "rentals", _RENTALS, 1.0, 2, 35),
    ("stagecraft", "Stagecraft Rentals", "rentals", _RENTALS, 1.2, 1, 20),
)


def make_vendors(*, rng: Random) -> tuple[Vendor, ...]:
    """Draw the vendors: the same firms everywhere, other prices in every world.

    >>> {vendor.kind for vendor in make_vendors(rng=Random(1))} == {
    ...     "audio-visual", "catering", "security", "flowers", "rentals"}
    True
    """
    made = []
    for id, name, kind, goods, level, days, delivery in _FIRMS:
        scale = level * rng.uniform(0.9, 1.12)
        items = tuple(
            Product(id=item, name=words, price=round(price * scale * rng.uniform(0.95, 1.05) * 2) / 2, gives=gives)
            for item, words, price, gives in goods
        )
        made.append(
            Vendor(
                id=id,
                name=name,
                kind=kind,
                items=items,
                lead_days=days,
                delivery=float(delivery),
                change_fee=float(rng.choice((5, 10, 15, 20))),
                cancel_fee=float(rng.choice((10, 15, 25, 40))),
            )
        )
    return tuple(made)
