"""Sensed: what a body senses now, as a page draws it."""

from math import degrees
from typing import Any

from mensura.catalog.pagi_world.arrays import TOUCHED
from mensura.catalog.pagi_world.play import RoomPlay
from mensura.catalog.pagi_world.senses.sensors import PALM
from mensura.catalog.pagi_world.senses.sight import CORNERS, FIELDS, PERIPHERAL, Seen
from mensura.catalog.pagi_world.world.behaviour import EIGHTH


def sensed(play: RoomPlay, role: str) -> dict[str, Any]:
    """Return both fields of vision, the tactile points, and where the body and its hands are.

    What vision sees is a list of the different things seen, and for each point the number of one; 0 is nothing.
    """
    place = play.places[role]
    senses = place.senses
    fields = {}
    for field, (wide, high) in FIELDS.items():
        seen = senses.sight.look(place.avatar, field, play.bubbles)
        known: dict[Seen, int] = {("", "", (0.0, 0.0, 0.0, 0.0)): 0}
        points = [known.setdefault(one, len(known)) for one in seen]
        step = place.avatar.terms.detailed if field == "V" else PERIPHERAL
        names = [list(one[:2]) if senses.names else ["", ""] for one in known]
        fields[field] = {
            "size": [wide, high],
            "corner": CORNERS[field],
            "step": step,
            "seen": [[*name, list(one[2])] for name, one in zip(names, known, strict=True)],
            "points": points,
        }
    felt = {code: senses.touch(code) for code in TOUCHED}
    return {
        "fields": fields,
        "touch": {code: [*one.values, one.name or one.kind] for code, one in felt.items() if one.values[0]},
        "spots": {"body": EIGHTH, "hand": PALM},
        "velocity": [round(one, 2) for one in place.avatar.reading("S")],
        "angle": round(degrees(place.avatar.body.angle), 2),
    }
