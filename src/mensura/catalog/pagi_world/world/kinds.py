"""ThingKind: what there is in rooms, as a table of kinds with few behaviours."""

from dataclasses import dataclass
from math import cos, pi, sin
from typing import Any, Literal

from mensura.errors import unknown

Quality = tuple[float, float, float, float]
Outline = tuple[Any, ...]
Does = Literal[
    "", "eaten", "heals", "needs-healing", "dynamite", "bursts", "button", "lever", "switch", "key", "lock", "breaks",
    "halves", "dispenses", "moves", "hangs", "hooks", "trigger", "pours", "drains", "opens", "attracts",
]  # fmt: skip
"""What a thing does beyond being moved about."""
SMOOTH, ROUGH, SOFT, BRICK = (0.1, 1.0, 0.0, 0.0), (0.9, 1.0, 0.0, 0.0), (0.3, 0.2, 0.1, 0.0), (0.7, 1.0, 0.0, 0.5)
"""Textures: roughness, hardness, moisture, grain."""


@dataclass(frozen=True, slots=True)
class ThingKind:
    """One row of the table.

    Parameters
    ----------
    name
        The name by which it is made; in lines of the protocol capitals do not count.
    outline
        ("circle", radius), ("box", width, height), ("poly", points) or ("parts", points, points, ...).
    mass
        In kilograms; None where nothing moves it.
    visual
        What vision sees of it: red, green, blue, pattern; with names off nothing else tells things apart.
    does
        Its behaviour.
    of
        What the behaviour is of: a colour for dynamite, keys and locks, a schedule for dispensers, a force.
    id
        Its number in files of the program of 2018.
    """

    name: str
    outline: Outline
    mass: float | None = 1.0
    friction: float = 0.5
    bounce: float = 0.0
    temperature: float = 0.0
    texture: Quality = SMOOTH
    visual: Quality = (0.5, 0.5, 0.5, 0.0)
    endorphin: float = 0.0
    does: Does = ""
    of: Any = ""
    id: int | None = None
    touchable: bool = True
    graspable: bool = True
    turns: bool = True
    """Whether contacts turn it."""
    about: str = ""


def _fixed(name: str, outline: Outline, **more: Any) -> ThingKind:
    return ThingKind(name, outline, None, **{"graspable": False, "texture": BRICK, **more})


def _ramp(side: int) -> Outline:
    corner = (side * 2.55, -1.275)
    return ("poly", ((-side * 2.55, -1.275), corner, (corner[0], 1.275)))


def _ngon(radius: float, count: int) -> Outline:
    return ("poly", tuple((radius * cos(2 * pi * n / count), radius * sin(2 * pi * n / count)) for n in range(count)))


WALL, WIDE, HIGH = ("box", 2.55, 2.55), ("box", 10.0488, 3.38352), ("box", 3.38352, 10.0488)
CRATE = (
    "parts",
    ((-1.5, -1.0), (1.5, -1.0), (1.5, -0.8), (-1.5, -0.8)),
    ((-1.5, -0.8), (-1.3, -0.8), (-1.3, 1.0), (-1.5, 1.0)),
    ((1.3, -0.8), (1.5, -0.8), (1.5, 1.0), (1.3, 1.0)),
)
"""A box that is open above."""
COLOURS: dict[str, Quality] = {
    "blue": (0.1, 0.2, 0.9, 0.5),
    "green": (0.1, 0.7, 0.2, 0.5),
    "red": (0.9, 0.1, 0.1, 0.5),
}
HOOKS = (-20.0, -15.0, -10.0, -5.0, 5.0, 10.0, 15.0, 20.0)
"""Where weights hang on a beam."""
SCHEDULES = ("good", "bad", "good_rand", "extinction_hard", "extinction_soft", "extinction_rand")

_ROWS = (
    # What is eaten.
    ThingKind("apple", ("circle", 0.45), visual=(0.85, 0.1, 0.15, 0), endorphin=10, does="eaten", id=1, texture=SOFT),
    ThingKind("bacon", ("box", 1.2, 0.5), visual=(0.8, 0.35, 0.3, 0.3), endorphin=100, does="eaten", id=2),
    ThingKind("poison", ("box", 0.6, 0.9), visual=(0.2, 0.5, 0.1, 0.8), endorphin=-10, does="eaten", id=3),
    ThingKind("steak", ("box", 1.1, 0.7), visual=(0.6, 0.25, 0.2, 0.3), endorphin=5, does="eaten", id=20),
    ThingKind("bluePill", ("circle", 0.3), visual=(0.2, 0.3, 0.95, 0), endorphin=5, does="eaten", id=21),
    ThingKind("redPill", ("circle", 0.3), visual=(0.95, 0.2, 0.2, 0), endorphin=-5, does="eaten", id=22),
    # Walls and ramps; what floats is not moved by anything.
    ThingKind("wallBlock", WALL, 50, visual=(0.6, 0.35, 0.2, 0.5), texture=BRICK, id=6),
    ThingKind("horizontalWall", WIDE, 50, visual=(0.6, 0.35, 0.2, 0.5), texture=BRICK, id=7),
    ThingKind("verticalWall", HIGH, 50, visual=(0.6, 0.35, 0.2, 0.5), texture=BRICK, id=8),
    ThingKind("rightRamp", _ramp(1), 50, visual=(0.65, 0.4, 0.2, 0.4), texture=BRICK, id=4),
    ThingKind("leftRamp", _ramp(-1), 50, visual=(0.65, 0.4, 0.2, 0.4), texture=BRICK, id=5),
    _fixed("floatingRightRamp", _ramp(1), visual=(0.5, 0.4, 0.3, 0.4), id=9),
    _fixed("floatingLeftRamp", _ramp(-1), visual=(0.5, 0.4, 0.3, 0.4), id=10),
    _fixed("floatingHorizontalWall", WIDE, visual=(0.5, 0.3, 0.2, 0.5), id=11),
    _fixed("floatingVerticalWall", HIGH, visual=(0.5, 0.3, 0.2, 0.5), id=12),
    _fixed("floatingWallBlock", WALL, visual=(0.5, 0.3, 0.2, 0.5), id=13),
    *(
        ThingKind(f"{colour}Dynamite", ("box", 0.5, 1.3), 1, visual=seen, does="dynamite", of=colour, id=14 + number)
        for number, (colour, seen) in enumerate(COLOURS.items())
    ),
    *(
        _fixed(f"{colour}Wall", ("box", 6.0, 6.0), visual=(*seen[:3], 0.9), does="bursts", of=colour, id=17 + number)
        for number, (colour, seen) in enumerate(COLOURS.items())
    ),
    ThingKind(
        "lavaBlock", WALL, 5, 10.0, temperature=1000, visual=(1.0, 0.3, 0.0, 0.9), texture=ROUGH, id=27
    ),
    ThingKind("iceBlock", WALL, 5, 0.01, temperature=-1000, visual=(0.7, 0.9, 1.0, 0.1), texture=SMOOTH, id=28),
    _fixed("lavaField", ("box", 20.0, 2.0), friction=10.0, temperature=1000, visual=(1.0, 0.25, 0.0, 1.0)),
    _fixed("hotPlate", ("box", 2.4, 0.4), temperature=300, visual=(0.35, 0.1, 0.1, 0.2), texture=SMOOTH),
    _fixed("flame", _ngon(0.7, 6), temperature=800, visual=(1.0, 0.7, 0.1, 0.7), touchable=False),
    ThingKind("bowlingBall", ("circle", 1.0), 100, 0.3, visual=(0.1, 0.1, 0.15, 0), id=29),
    ThingKind("baseball", ("circle", 0.35), 0.5, 0.6, 0.4, visual=(0.95, 0.95, 0.9, 0.6), texture=ROUGH),
    # Those who need help, and what helps.
    ThingKind("medkit", ("box", 1.2, 0.9), 1, visual=(0.95, 0.95, 0.95, 0.2), does="heals", id=23),
    ThingKind(
        "largeMedkit", ("box", 1.2, 0.9), 1, visual=(0.95, 0.85, 0.85, 0.2), does="halves", of=17.5, id=24,
        about="two kits joined; the joint breaks at the force `of`, and each half heals",
    ),
    ThingKind(
        "soldier", ("box", 1.2, 3.0), 40, 0.6, visual=(0.45, 0.15, 0.1, 0.7), does="needs-healing", turns=False, id=25
    ),
    ThingKind("healthySoldier", ("box", 1.2, 3.0), 40, 0.6, visual=(0.3, 0.5, 0.25, 0.7), turns=False),
    # What opens, breaks, bends and moves.
    _fixed("button", ("box", 1.0, 0.4), visual=(0.8, 0.1, 0.6, 0.1), does="button"),
    ThingKind(
        "lever", ("box", 0.3, 2.4), 2, visual=(0.4, 0.4, 0.45, 0.3), does="lever",
        about="pivoted at its foot; toggles its target when it leans below -30 degrees, re-arms above +30",
    ),
    _fixed("switch", ("box", 0.8, 0.8), visual=(0.9, 0.8, 0.1, 0.3), does="switch", graspable=True),
    ThingKind("key", ("box", 1.0, 0.4), 0.5, visual=(0.9, 0.75, 0.2, 0.1), does="key", of="yellow"),
    ThingKind("lockBox", WALL, 50, visual=(0.3, 0.3, 0.4, 0.6), does="lock", of="yellow", texture=SMOOTH),
    ThingKind("breakableBox", WALL, 10, visual=(0.75, 0.6, 0.4, 0.5), does="breaks", of=4000.0),
    ThingKind("openableBox", CRATE, 10, visual=(0.7, 0.55, 0.35, 0.5), about="a crate; a lid is a plank upon it"),
    ThingKind("plank", ("box", 3.0, 0.25), 4, visual=(0.7, 0.55, 0.35, 0.3), does="opens"),
    _fixed("rung", ("box", 1.4, 0.3), visual=(0.55, 0.45, 0.3, 0.2), graspable=True),
    ThingKind("link", ("box", 0.6, 0.14), 0.3, visual=(0.7, 0.65, 0.5, 0.6), about="one piece of rope or wire"),
    _fixed("movingPlatform", ("box", 5.0, 0.6), visual=(0.35, 0.45, 0.55, 0.2), does="moves", of=(10.0, 9.0)),
    _fixed("dispenser", ("box", 1.2, 1.6), visual=(0.6, 0.2, 0.8, 0.2), does="dispenses", of="good", graspable=True),
    ThingKind("weight", ("box", 0.8, 0.8), 1, visual=(0.25, 0.25, 0.3, 0.2), does="hangs"),
    ThingKind("beam", ("box", 42.0, 0.4), 40, visual=(0.7, 0.5, 0.25, 0.4), does="hooks", graspable=False),
    ThingKind("block", ("box", 1.0, 1.0), 2, visual=(0.9, 0.5, 0.1, 0.3)),
    ThingKind("nail", ("box", 0.4, 0.4), 1, visual=(0.55, 0.55, 0.6, 0.1), of="metal"),
    ThingKind(
        "magnet", ("box", 0.8, 1.2), 3, visual=(0.7, 0.05, 0.05, 0.6), does="attracts", of=60.0,
        about="pulls what is `of` metal, `of` newtons at one unit, with the square of the distance",
    ),
    _fixed("triggerBox", ("box", 4.0, 4.0), touchable=False, visual=(0, 0, 0, 0), does="trigger", id=26),
    _fixed("waterSource", ("box", 1.0, 0.6), touchable=False, visual=(0.3, 0.5, 0.7, 0.1), does="pours", of=30.0),
    _fixed("drain", ("box", 2.0, 0.6), touchable=False, visual=(0.2, 0.2, 0.25, 0.1), does="drains"),
)  # fmt: skip
KINDS: dict[str, ThingKind] = {row.name: row for row in _ROWS}
_LOW = {name.lower(): name for name in KINDS}
BY_ID: dict[int, ThingKind] = {row.id: row for row in _ROWS if row.id is not None}
WATER: Quality = (0.2, 0.45, 0.85, 0.0)
"""What vision sees where there is water."""


def find_kind(name: str) -> ThingKind:
    """Return the row of a kind; capitals do not count.

    >>> find_kind("Apple").endorphin
    10
    """
    found = _LOW.get(name.lower())
    if found is None:
        raise unknown("kind of thing", name, known=KINDS, see="`mensura pagi-world kinds` lists them.")
    return KINDS[found]
