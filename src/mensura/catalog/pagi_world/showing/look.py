"""Look: how things of each kind are drawn, on pages and in films alike."""

from typing import Any

from mensura.catalog.pagi_world.world.kinds import HOOKS, KINDS
from mensura.catalog.pagi_world.world.terms import BODY_RADIUS, SHOULDERS, WRIST

Mark = tuple[Any, ...]
DARK, PALE, RED = "#2b2420", "#fffaf0", "#d6282f"


def _poly(colour: str, *points: float) -> Mark:
    return ("poly", colour, points)


def _line(colour: str, width: float, *points: float) -> Mark:
    return ("line", colour, width, points)


def _disc(colour: str, x: float, y: float, radius: float) -> Mark:
    return ("disc", colour, x, y, radius)


_CROSS = (
    _poly(RED, -0.16, -0.6, 0.16, -0.6, 0.16, 0.6, -0.16, 0.6),
    _poly(RED, -0.46, -0.2, 0.46, -0.2, 0.46, 0.2, -0.46, 0.2),
)
_BRICKS = tuple(
    _line("#00000030", 0.05, *points)
    for points in ((-1, 0.33, 1, 0.33), (-1, -0.33, 1, -0.33), (0, 1, 0, 0.33), (-0.5, 0.33, -0.5, -0.33),
                   (0.5, 0.33, 0.5, -0.33), (0, -0.33, 0, -1))
)  # fmt: skip
_SOLDIER = (
    _poly("#00000028", -0.8, -1, 0.8, -1, 0.8, -0.86, -0.8, -0.86),
    _disc("#e8c39e", 0, 0.7, 0.55),
    _poly("#3f4a2c", -0.5, 0.74, 0.5, 0.74, 0.36, 0.98, -0.36, 0.98),
    _line(DARK, 0.08, 0, -0.2, 0, -1),
)
_ARROW_DOWN = (_poly("#ffffffc0", -0.3, 0.5, 0.3, 0.5, 0.3, -0.1, 0.6, -0.1, 0, -0.8, -0.6, -0.1, -0.3, -0.1),)
_WAVES = (_poly("#ffe06680", -1, 1, -0.66, 0.7, -0.33, 1, 0, 0.7, 0.33, 1, 0.66, 0.7, 1, 1),)
_FUSE = (_line(DARK, 0.08, 0, 1, 0.2, 1.25), _disc("#ffb000", 0.2, 1.27, 0.35), _line(PALE, 0.12, -1, 0, 1, 0))
MARKS: dict[str, tuple[Mark, ...]] = {
    "apple": (
        _line("#5a3a1a", 0.09, 0, 0.7, 0.12, 1.2), _poly("#4f9a34", 0.1, 1, 0.75, 1.3, 0.55, 0.9),
        _disc("#ffffff70", -0.35, 0.35, 0.2),
    ),
    "bacon": (_line("#ffe3d3", 0.07, -1, 0.4, -0.5, 0.1, 0, 0.4, 0.5, 0.1, 1, 0.4),
              _line("#ffe3d3", 0.07, -1, -0.3, -0.5, -0.6, 0, -0.3, 0.5, -0.6, 1, -0.3)),
    "poison": (_disc(PALE, 0, 0.15, 0.62), _disc(DARK, -0.28, 0.2, 0.16), _disc(DARK, 0.28, 0.2, 0.16),
               _line(PALE, 0.09, -0.7, -0.85, 0.7, -0.4), _line(PALE, 0.09, -0.7, -0.4, 0.7, -0.85)),
    "steak": (_disc(PALE, 0.35, 0.1, 0.35), _disc("#99402f", 0.35, 0.1, 0.2)),
    "bluePill": (_line(PALE, 0.06, 0, 0.9, 0, -0.9),),
    "redPill": (_line(PALE, 0.06, 0, 0.9, 0, -0.9),),
    **dict.fromkeys(("wallBlock", "floatingWallBlock", "horizontalWall", "floatingHorizontalWall", "verticalWall",
                     "floatingVerticalWall", "blueWall", "greenWall", "redWall"), _BRICKS),
    **dict.fromkeys(("blueDynamite", "greenDynamite", "redDynamite"), _FUSE),
    "lavaBlock": _WAVES,
    "lavaField": _WAVES,
    "iceBlock": (_line("#ffffffc0", 0.08, -0.6, 0.1, 0, 0.7), _line("#ffffffc0", 0.08, -0.2, -0.3, 0.6, 0.5)),
    "hotPlate": (_line("#ff5a2a", 0.08, -0.9, 0.5, 0.9, 0.5),),
    "flame": (_poly("#ffe680", -0.4, -0.6, 0.4, -0.6, 0.25, 0, 0, 0.6, -0.25, 0),),
    "bowlingBall": (_disc("#ffffffb0", -0.15, 0.45, 0.11), _disc("#ffffffb0", 0.2, 0.45, 0.11),
                    _disc("#ffffffb0", 0.05, 0.15, 0.11)),
    "baseball": (_line(RED, 0.05, -0.6, 0.75, -0.35, 0, -0.6, -0.75), _line(RED, 0.05, 0.6, 0.75, 0.35, 0, 0.6, -0.75)),
    "medkit": _CROSS,
    "largeMedkit": _CROSS,
    "soldier": (*_SOLDIER, _line(RED, 0.1, -0.45, 0.15, 0.45, 0.4)),
    "healthySoldier": _SOLDIER,
    "button": (_poly("#ffffff60", -0.7, 0.1, 0.7, 0.1, 0.7, 0.8, -0.7, 0.8),),
    "lever": (_disc(RED, 0, 0.95, 1.4),),
    "switch": (_line(DARK, 0.12, -0.3, -0.5, 0.4, 0.6), _disc(DARK, 0.4, 0.6, 0.25)),
    "key": (_disc(PALE, -0.6, 0, 0.6), _line(DARK, 0.06, 0.3, 0, 0.3, -0.8), _line(DARK, 0.06, 0.65, 0, 0.65, -0.8)),
    "lockBox": (_disc("#e8c230", 0, 0.15, 0.25), _poly("#e8c230", -0.12, 0.1, 0.12, 0.1, 0.2, -0.5, -0.2, -0.5)),
    "breakableBox": (_line("#00000050", 0.08, -0.9, 0.9, 0.9, -0.9), _line("#00000050", 0.08, -0.9, -0.9, 0.9, 0.9)),
    "rung": (_line("#00000050", 0.06, -1, 0, 1, 0),),
    "movingPlatform": (_poly("#ffffffb0", -0.9, 0, -0.75, 0.6, -0.75, -0.6),
                       _poly("#ffffffb0", 0.9, 0, 0.75, 0.6, 0.75, -0.6)),
    "dispenser": _ARROW_DOWN,
    "weight": (_line("#ffffffa0", 0.1, -0.4, 1, -0.4, 1.4, 0.4, 1.4, 0.4, 1),),
    "beam": tuple(_line(DARK, 0.12, at / 21, -1, at / 21, -3.2) for at in HOOKS),
    "magnet": (_poly(PALE, -1, -1, 1, -1, 1, -0.6, -1, -0.6), _line("#7a0000", 0.08, 0, -0.6, 0, 0.5)),
    "nail": (_line(DARK, 0.05, -0.6, 0.4, 0.6, 0.4),),
    "waterSource": _ARROW_DOWN,
    "drain": (_line(PALE, 0.08, -0.8, 0, 0.8, 0), _line(PALE, 0.08, -0.8, 0.5, 0.8, 0.5)),
}  # fmt: skip
"""Kind → what is drawn on its outline, in shares of half its width and height; widths of lines in units."""
HEALTHY = {"visual": (0.3, 0.5, 0.25, 0.7), "kind": "healthySoldier"}
"""How a soldier looks who is healed."""


def room_look() -> dict[str, Any]:
    """Return what a page needs to draw rooms: outlines, colours and marks of all kinds, and the body's measures."""
    kinds = {
        name: {
            "outline": list(kind.outline),
            "visual": list(kind.visual),
            "does": kind.does,
            "touchable": kind.touchable,
            "marks": MARKS.get(name, ()),
        }
        for name, kind in KINDS.items()
    }
    return {"kinds": kinds, "body": {"radius": BODY_RADIUS, "shoulders": SHOULDERS, "wrist": WRIST, "hand": 0.6}}
