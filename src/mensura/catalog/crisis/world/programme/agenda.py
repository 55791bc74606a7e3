"""The agenda: which events a conference has, what each needs, and at which times it may be."""

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from mensura.catalog.crisis.world.campus.place import Equipment
from mensura.catalog.crisis.world.programme.sketch import Sketch
from mensura.catalog.crisis.world.programme.titles import COURSES, PANELS, PLENARIES, WORKSHOPS, Titles
from mensura.catalog.crisis.world.time import AFTERNOONS, DAYS, DAYTIMES, EVENING, EVENINGS, slot_of

PLENARY_TIMES = (slot_of(1, 0), slot_of(2, 0), slot_of(3, 0), slot_of(3, 3))
"""Each day opens with everyone in one room, and the last plenary closes the conference."""
EARLY = tuple(slot for slot in DAYTIMES if slot < slot_of(2, 0))
LATE = tuple(slot for slot in DAYTIMES if slot >= slot_of(1, 0))
"""Where the planner first laid what must come before, or after, something else; no rule says so."""
_EVENING_OF = {"reception": 0, "concert": 1, "dinner": 2, "farewell": 3}
_SOCIAL_NEEDS: dict[str, tuple[Equipment, ...]] = {"reception": ("microphone",), "concert": ("stage", "piano")}
if TYPE_CHECKING:
    from mensura.catalog.crisis.world.parameters import PackageParameters

ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")


@dataclass(frozen=True)
class AgendaItem:
    """An event on the agenda, with the times it may have: these become rules of the manual."""

    draft: Sketch
    times: tuple[int, ...]
    ruled: bool = False
    """Whether the manual speaks of its times."""
    also: tuple[int, ...] = ()
    """Times that the manual allows as well, though the planner would not choose them."""

    @property
    def allowed(self) -> tuple[int, ...]:
        """The times that the manual allows."""
        return tuple(sorted({*self.also, *self.times})) if self.ruled else DAYTIMES


def make_agenda(sizes: "PackageParameters", *, titles: Titles, rng: Random) -> list[AgendaItem]:
    """Draw the events of a conference; largest and longest first, as they are laid down."""
    letters = "ABCDEFGH"[: sizes.tracks]
    tracks = titles.field.tracks[: sizes.tracks]
    agenda = [_keynote(titles, rng), *(_plenary(n, titles, rng) for n in range(sizes.plenaries))]
    agenda += [_exhibit(day, rng) for day in range(sizes.exhibits)]
    agenda += [_social(n, rng) for n in range(sizes.socials)]
    agenda += [_tutorial(n, titles, rng) for n in range(sizes.tutorials)]
    agenda += [_workshop(n, titles, rng) for n in range(sizes.workshops)]
    agenda += [_posters(n, rng) for n in range(sizes.posters)]
    for make, number in ((_papers, sizes.papers), (_panel, sizes.panels)):
        for n in range(number):
            of, at = divmod(n, len(letters))
            agenda.append(make(letters[at], of + 1, track=tracks[at], titles=titles, rng=rng))
    agenda += [_meeting(n, rng) for n in range(sizes.meetings)]
    return agenda


def _keynote(titles: Titles, rng: Random) -> AgendaItem:
    draft = Sketch(
        id="keynote", kind="keynote", title=titles.draw(PLENARIES), short="Keynote",
        attendance=rng.randrange(240, 281), layout="theatre", needs=("projector", "screen", "microphone"),
    )  # fmt: skip
    return AgendaItem(draft, times=(slot_of(0, 0),), ruled=True)


def _plenary(n: int, titles: Titles, rng: Random) -> AgendaItem:
    draft = Sketch(
        id=f"plenary-{n + 1}", kind="plenary", title=titles.draw(PLENARIES), short=f"Plenary {n + 1}",
        attendance=rng.randrange(190, 251), layout="theatre", needs=("projector", "screen", "microphone"),
    )  # fmt: skip
    return AgendaItem(draft, times=(PLENARY_TIMES[n],))


def _exhibit(day: int, rng: Random) -> AgendaItem:
    length = 2 if day == DAYS - 1 else 3
    draft = Sketch(
        id=f"exhibit-{day + 1}", kind="exhibit", title=f"Exhibit hall, day {day + 1}", short=f"Exhibit {day + 1}",
        length=length, attendance=rng.randrange(95, 126), layout="open", needs=("internet",),
    )  # fmt: skip
    return AgendaItem(
        draft, times=tuple(slot_of(day, block) for block in range(1, EVENING)), ruled=True, also=(slot_of(day, 0),)
    )


def _social(n: int, rng: Random) -> AgendaItem:
    id, title, layout, low, high = (
        ("reception", "Welcome reception", "open", 150, 180),
        ("dinner", "Conference dinner", "banquet", 150, 190),
        ("concert", "Evening concert", "theatre", 110, 140),
        ("farewell", "Farewell drinks", "open", 90, 125),
    )[n]
    attendance = rng.randrange(low, high + 1)
    needs = _SOCIAL_NEEDS.get(id, ())
    draft = Sketch(
        id=id, kind="social", title=title, short=title, attendance=attendance, layout=layout,  # type: ignore[arg-type]
        needs=needs, catering=0 if id == "concert" else attendance,
    )  # fmt: skip
    return AgendaItem(draft, times=(EVENINGS[_EVENING_OF[id]],), ruled=True, also=EVENINGS)


def _workshop(n: int, titles: Titles, rng: Random) -> AgendaItem:
    attendance = rng.randrange(22, 46)
    draft = Sketch(
        id=f"workshop-{n + 1}", kind="workshop", title=titles.draw(WORKSHOPS), short=f"Workshop {n + 1}", length=3,
        attendance=attendance, layout="classroom", needs=_some(rng, whiteboard=0.9, screen=0.8, projector=0.6),
        catering=attendance,
    )  # fmt: skip
    return AgendaItem(draft, times=LATE)


def _tutorial(n: int, titles: Titles, rng: Random) -> AgendaItem:
    attendance = rng.randrange(18, 42)
    draft = Sketch(
        id=f"tutorial-{n + 1}", kind="tutorial", title=titles.draw(COURSES), short=f"Tutorial {n + 1}", length=2,
        attendance=attendance, layout="classroom", catering=attendance if rng.random() < 0.5 else 0,
        needs=_some(rng, projector=1, screen=1, whiteboard=0.6, internet=0.3),
    )  # fmt: skip
    return AgendaItem(draft, times=EARLY)


def _posters(n: int, rng: Random) -> AgendaItem:
    attendance = rng.randrange(70, 100)
    draft = Sketch(
        id=f"posters-{n + 1}", kind="posters", title=f"Poster session {ROMAN[n]}", short=f"Posters {n + 1}",
        attendance=attendance, layout="open", catering=attendance,
    )  # fmt: skip
    return AgendaItem(draft, times=AFTERNOONS, ruled=True)


def _panel(letter: str, n: int, *, track: str, titles: Titles, rng: Random) -> AgendaItem:
    draft = Sketch(
        id=f"panel-{letter.lower()}{n}", kind="panel", title=titles.draw(PANELS, track=track),
        short=f"Panel {letter}{n}", track=track, attendance=rng.randrange(40, 96), layout="theatre",
        needs=_some(rng, microphone=1, screen=0.5),
    )  # fmt: skip
    return AgendaItem(draft, times=LATE if n == 1 else DAYTIMES)


def _papers(letter: str, n: int, *, track: str, titles: Titles, rng: Random) -> AgendaItem:
    thing, other = rng.sample(titles.field.things, 2)
    draft = Sketch(
        id=f"papers-{letter.lower()}{n}", kind="papers", title=f"{track} {ROMAN[n - 1]}: {thing} and {other}",
        short=f"Papers {letter}{n}", track=track, attendance=rng.randrange(20, 56), layout="theatre",
        needs=_some(rng, projector=1, screen=1, microphone=0.12),
    )  # fmt: skip
    return AgendaItem(draft, times=EARLY if n == 1 else DAYTIMES)


def _meeting(n: int, rng: Random) -> AgendaItem:
    title = ("Programme committee", "Editors' meeting", "Student committee", "Sponsors' round table")[n]
    attendance = rng.randrange(10, 19)
    draft = Sketch(
        id=f"meeting-{n + 1}", kind="meeting", title=title, short=title, attendance=attendance, layout="boardroom",
        needs=_some(rng, whiteboard=0.4, screen=0.2), catering=attendance if n % 2 else 0,
    )  # fmt: skip
    return AgendaItem(draft, times=DAYTIMES if n % 2 else EVENINGS, ruled=n % 2 == 0)


def _some(rng: Random, **chances: float) -> tuple[Equipment, ...]:
    return tuple(item for item, chance in chances.items() if rng.random() < chance)  # type: ignore[misc]
