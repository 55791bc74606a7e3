"""Holding: who has reserved rooms of the campus, for what, and whether they would give them up.

Whether an owner yields is hidden, but it follows what the portal shows of them: what the room is for, the owner's post,
and the time of day. The same pattern holds in every world, for other people, so it can be learned honestly; one answer
in ten goes against it.
"""

from collections.abc import Iterable
from random import Random

from mensura.catalog.crisis.world.campus.place import Reservation, Room
from mensura.catalog.crisis.world.people.ensemble import Ensemble
from mensura.catalog.crisis.world.people.person import Person
from mensura.catalog.crisis.world.programme.board import Board
from mensura.catalog.crisis.world.time import EVENING, SLOTS, block_of

NOISE = 0.1
PURPOSES: dict[str, tuple[float, tuple[str, ...]]] = {
    "club": (
        2.0,
        ("Chess club", "Film society", "Juggling club", "Debating society", "Photography club", "Board game club"),
    ),
    "reading": (
        1.5,
        ("Reading group on tragedy", "Reading group on new physics", "Book circle", "Biology journal club"),
    ),
    "training": (
        1.0,
        ("Staff training in spreadsheets", "First-aid training", "Safety training", "Training for tutors"),
    ),
    "rehearsal": (0.5, ("Choir rehearsal", "Theatre rehearsal", "String quartet rehearsal", "Dance rehearsal")),
    "interviews": (-0.5, ("Interviews for a post", "Admission interviews", "Interviews of candidates")),
    "lecture": (-1.0, ("Guest lecture in history", "Public lecture", "Guest lecture on optics", "Inaugural lecture")),
    "council": (-2.0, ("Faculty council", "Council of deans", "Board meeting", "Hiring board")),
    "exam": (
        -3.0,
        ("Written examination", "Oral examination", "Second sitting of an examination", "Language examination"),
    ),
    "celebration": (-3.0, ("Wedding", "Golden wedding", "Retirement celebration", "Jubilee celebration")),
}
POSTS = {"student": 1.0, "secretary": 0.5, "lecturer": 0.0, "officer": 0.0, "professor": -1.0, "director": -1.5}
LATE = -1.0
"""What an evening adds: people cling to their evenings."""
_SOUGHT = {"hall": 1.9, "auditorium": 1.7, "large": 1.5, "medium": 1.0, "small": 0.8}
"""Large rooms are sought after."""
_BY_POST = {
    "student": ("club", "reading", "rehearsal"),
    "secretary": ("training", "interviews", "council", "club"),
    "lecturer": ("reading", "lecture", "exam", "rehearsal"),
    "officer": ("training", "interviews", "celebration"),
    "professor": ("lecture", "exam", "council", "reading"),
    "director": ("council", "celebration", "training"),
}


def leaning(*, purpose: str, post: str, slot: int) -> float:
    """Return how ready an owner is to give a slot up; above 0 they yield, but for the noise.

    >>> leaning(purpose="Chess club", post="student", slot=2) > 0 > leaning(purpose="Wedding", post="officer", slot=2)
    True
    """
    worth = next(value for value, words in PURPOSES.values() if purpose in words)
    return worth + POSTS[post] + (LATE if block_of(slot) == EVENING else 0.0)


def make_owners(cast: Ensemble, *, rng: Random, number: int = 42) -> list[Person]:
    """Make the people who hold rooms."""
    posts = list(POSTS)
    return [cast.add(post=posts[n % len(posts)] if n < len(posts) else rng.choice(posts)) for n in range(number)]


def reserve(rooms: Iterable[Room], *, board: Board, owners: list[Person], share: float, rng: Random) -> list[Room]:
    """Let owners hold a share of what the conference has not; return the rooms with reservations and closed slots."""
    made = []
    for room in rooms:
        if not room.usable:
            made.append(room)
            continue
        held, closed = [], []
        last: tuple[Person, str] | None = None
        for slot in range(SLOTS):
            if (room.id, slot) in board.at or rng.random() >= share * _SOUGHT[room.kind]:
                last = None
                continue
            if room.kind in ("medium", "small") and rng.random() < 0.08:
                closed.append(slot)
                continue
            # What goes on for more than one block belongs to the same owner.
            if last is None or block_of(slot) == 0 or rng.random() < 0.6:
                owner = rng.choice(owners)
                last = (owner, rng.choice(PURPOSES[rng.choice(_BY_POST[owner.post])][1]))
            owner, purpose = last
            yields = (leaning(purpose=purpose, post=owner.post, slot=slot) > 0) != (rng.random() < NOISE)
            held.append(Reservation(slot=slot, owner=owner.id, purpose=purpose, yields=yields))
        made.append(room.model_copy(update={"reservations": tuple(held), "closed": tuple(closed)}))
    return made


def make_way(
    rooms: Iterable[Room], *, slots: Iterable[tuple[str, int]], owners: list[Person], rng: Random
) -> list[Room]:
    """Replace owners who would not give up one of these slots: by nobody, or by one who yields by the pattern."""
    wanted = set(slots)
    made = []
    for room in rooms:
        held: list[Reservation] = []
        for reservation in room.reservations:
            if (room.id, reservation.slot) not in wanted or reservation.yields:
                held.append(reservation)
            elif rng.random() < 0.6:
                held.append(_willing(reservation.slot, owners=owners, rng=rng))
        made.append(room.model_copy(update={"reservations": tuple(held)}) if room.usable else room)
    return made


def _willing(slot: int, *, owners: list[Person], rng: Random) -> Reservation:
    while True:
        owner = rng.choice(owners)
        purpose = rng.choice(PURPOSES[rng.choice(_BY_POST[owner.post])][1])
        if leaning(purpose=purpose, post=owner.post, slot=slot) > 0:
            return Reservation(slot=slot, owner=owner.id, purpose=purpose, yields=True)
