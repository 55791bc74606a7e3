"""The staff: those who run the conference and its houses, and those around the predecessor."""

from dataclasses import dataclass
from random import Random

from mensura.catalog.crisis.world.people.ensemble import Ensemble
from mensura.catalog.crisis.world.people.person import Person, Style

_STYLES: tuple[Style, ...] = ("plain", "plain", "terse", "chatty", "careless", "anxious", "formal")
"""Those who keep house are never pompous."""


@dataclass(frozen=True)
class Staff:
    """People with a part of their own."""

    boss: Person
    predecessor: Person
    managers: dict[str, Person]
    """House managers by building."""
    webmaster: Person
    registrar: Person
    treasurer: Person
    volunteer: Person
    secretary: Person
    sponsors: tuple[tuple[str, Person], ...]
    """Firms with whom to talk there."""
    circle: tuple[Person, ...]
    """Family, friends and neighbours of the predecessor."""
    strangers: tuple[Person, ...]
    """Those who write to everyone: newsletters, offices, lists."""

    def part(self, name: str, *, rng: Random) -> Person:
        """Find who plays a part that a template names; one of them where there are several."""
        if name == "circle":
            return rng.choice(self.circle)
        office = [person for person in self.strangers if person.post == name]
        if office:
            return office[0]
        if name == "manager":
            return rng.choice(list(self.managers.values()))
        if name == "sponsor":
            return rng.choice(self.sponsors)[1]
        person: Person = getattr(self, name)
        return person


def make_staff(cast: Ensemble, *, university: str, rng: Random) -> Staff:
    """Make everyone who works for the conference or around it."""

    def add(post: str, *, style: Style | None = None) -> Person:
        drawn = rng.choice(_STYLES)
        return cast.add(post=post, affiliation=university, style=style or drawn)

    boss = cast.add(post="conference chair", affiliation=university, style="formal")
    return Staff(
        boss=boss,
        predecessor=cast.add(post="conference planner", affiliation=university, style="plain"),
        managers={key: add(f"house manager, {key}") for key in ("union", "north", "south", "hotel")},
        webmaster=add("webmaster"),
        registrar=add("registration desk"),
        treasurer=add("treasurer"),
        volunteer=add("student volunteer"),
        secretary=add("secretary to the chair"),
        sponsors=tuple(_sponsor(cast) for _ in range(9)),
        circle=tuple(cast.add(post="private", affiliation="private") for _ in range(7)),
        strangers=tuple(
            add(post, style="plain")
            for post in (
                "human resources",
                "computing service",
                "parking office",
                "library",
                "staff union",
                "sports office",
                "alumni office",
                "facilities newsletter",
            )
        ),
    )


def _sponsor(cast: Ensemble) -> tuple[str, Person]:
    firm = cast.firm()
    return firm, cast.add(post="sponsor", affiliation=firm)
