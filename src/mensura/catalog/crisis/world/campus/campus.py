"""The campus: four buildings and their rooms. A campus has a number of its own, and many packages share one."""

from dataclasses import dataclass
from random import Random

from mensura.catalog.crisis.world.campus.place import Building, Equipment, Layout, Room
from mensura.catalog.crisis.world.people.ensemble import names, slug

CAPACITY: dict[str, dict[Layout, int]] = {
    "hall": {"theatre": 320, "classroom": 180, "banquet": 220, "open": 400},
    "auditorium": {"theatre": 300},
    "large": {"theatre": 150, "classroom": 90, "banquet": 100, "open": 180},
    "medium": {"theatre": 80, "classroom": 50, "boardroom": 30, "banquet": 60, "open": 100},
    "small": {"theatre": 50, "classroom": 30, "boardroom": 20},
}
"""What the schedule sheet takes for granted of each class of room."""
EQUIPMENT: dict[str, tuple[Equipment, ...]] = {
    "hall": ("projector", "screen", "microphone", "stage"),
    "auditorium": ("projector", "screen", "microphone"),
    "large": ("projector", "screen", "microphone"),
    "medium": ("projector", "screen", "whiteboard"),
    "small": ("screen", "whiteboard"),
}
_CHANCES: dict[str, dict[Equipment, float]] = {
    "hall": {"projector": 0.6, "screen": 0.9, "microphone": 1.0, "stage": 1.0, "internet": 0.8, "piano": 0.6},
    "auditorium": {"projector": 1.0, "screen": 1.0, "microphone": 0.9, "stage": 0.6, "internet": 0.8},
    "large": {"projector": 0.6, "screen": 0.8, "microphone": 0.5, "internet": 0.7, "whiteboard": 0.3},
    "medium": {"projector": 0.5, "screen": 0.75, "whiteboard": 0.7, "internet": 0.6},
    "small": {"projector": 0.2, "screen": 0.5, "whiteboard": 0.9, "internet": 0.6},
}
_PLAN = {
    "union": ("hall", "auditorium", "large", "medium", "medium", "small"),
    "north": ("auditorium", "large", "medium", "small"),
    "south": ("large", "medium"),
    "hotel": ("hall", "medium"),
}
_ABOUT = {
    "hall": ("High windows on the garden side; parquet floor, no food on the stage.", "A sprung floor and a gallery."),
    "auditorium": (
        "Fixed seats in rising rows; only theatre style is possible.",
        "Steep rows, fixed seats, good sound.",
    ),
    "large": ("Flat floor, daylight, blinds on request.", "Can be opened to the foyer on one side."),
    "medium": (
        "Movable tables, one door.",
        "Quiet, looks on the courtyard.",
        "Carpeted; sound carries from next door.",
    ),
    "small": ("Cosy, under the roof.", "No daylight.", "Up a flight of stairs, no lift."),
    "noise": ("Not available for events.", "Staff only.", "Kept locked; ask the porter, who will say no."),
}


@dataclass(frozen=True)
class Campus:
    """Buildings and rooms as they are before a package changes anything in them."""

    number: int
    buildings: tuple[Building, ...]
    rooms: tuple[Room, ...]


def make_campus(number: int) -> Campus:
    """Build the campus with this number: always the same one.

    >>> campus = make_campus(1)
    >>> len(campus.buildings), sum(room.usable for room in campus.rooms)
    (4, 14)
    >>> campus == make_campus(1)
    True
    """
    rng = Random(f"campus {number}")
    known = names()
    academic = rng.sample(known["building_names"]["academic"], 2)
    titles = {
        "union": rng.choice(known["building_names"]["union"]),
        "north": academic[0],
        "south": academic[1],
        "hotel": rng.choice(known["building_names"]["hotel"]),
    }
    about = {
        "union": "The students' house in the middle of the campus, with the large rooms and the cafeteria.",
        "north": "Lecture rooms of the science faculty, five minutes uphill.",
        "south": "A quiet seminar building beside the library.",
        "hotel": "A hotel across the road, with function rooms that the university rents by the block.",
    }
    where = {"union": (0, 0), "north": (-180, -320), "south": (260, 140), "hotel": (480, -90)}
    buildings = tuple(
        Building(
            id=key,
            name=titles[key],
            about=about[key],
            x=float(where[key][0] + rng.randrange(-40, 41)),
            y=float(where[key][1] + rng.randrange(-40, 41)),
        )
        for key in _PLAN
    )
    pools = {kind: rng.sample(words, len(words)) for kind, words in known["room_names"].items()}
    rooms = [
        _room(kind, building=key, title=titles[key], pools=pools, rng=rng)
        for key, kinds in _PLAN.items()
        for kind in kinds
    ]
    rooms += [_noise_room(rng.choice(list(_PLAN)), name=pools["noise"].pop(), rng=rng) for _ in range(8)]
    return Campus(number=number, buildings=buildings, rooms=tuple(rooms))


def _room(kind: str, *, building: str, title: str, pools: dict[str, list[str]], rng: Random) -> Room:
    floor = rng.randrange(3) if kind in ("medium", "small") else 0
    if building in ("north", "south") and kind in ("medium", "small"):
        name = f"{title.split()[0]} {floor + 1}{rng.randrange(4, 30):02d}"
    else:
        name = pools[kind].pop()
    # Halls and auditoria are seldom smaller than the sheet believes, so that plenaries always have somewhere to go.
    scale = rng.uniform(0.95, 1.25) if kind in ("hall", "auditorium") else rng.uniform(0.72, 1.3)
    capacity: dict[Layout, int] = {
        layout: max(10, round(number * scale * rng.uniform(0.92, 1.08))) for layout, number in CAPACITY[kind].items()
    }
    equipment = tuple(item for item, chance in _CHANCES[kind].items() if rng.random() < chance)
    return Room(
        id=slug(name),
        name=name,
        building=building,
        floor=floor,
        capacity=capacity,
        equipment=equipment,
        price={"union": 0.0, "north": 0.0, "south": 20.0, "hotel": 90.0 if kind == "hall" else 45.0}[building],
        assumed=dict(CAPACITY[kind]),
        assumed_equipment=EQUIPMENT[kind],
        about=rng.choice(_ABOUT[kind]),
        kind=kind,
    )


def _noise_room(building: str, *, name: str, rng: Random) -> Room:
    return Room(
        id=slug(name),
        name=name,
        building=building,
        floor=rng.randrange(-1, 4),
        capacity={"open": rng.randrange(3, 20)},
        usable=False,
        about=rng.choice(_ABOUT["noise"]),
        kind="noise",
    )
