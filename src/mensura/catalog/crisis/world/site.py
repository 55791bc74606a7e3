"""The conference's web site: pages of entries, each a few named fields, as the predecessor left them."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from random import Random

from mensura.catalog.crisis.world.campus.place import Building, Room
from mensura.catalog.crisis.world.data import Data
from mensura.catalog.crisis.world.people.person import Person
from mensura.catalog.crisis.world.programme.event import ConferenceEvent
from mensura.catalog.crisis.world.time import slot_words

_LEVELS = ("gold", "silver", "bronze")
_OF_PERSON = ("name", "affiliation", "mail", "phone", "fax", "site")


class SiteEntry(Data):
    """One row of the site's database: an event, a person, a hotel, a page of words."""

    id: str
    page: str
    """The page on which it stands: programme, people, venue, sponsors, travel, news ..."""
    fields: dict[str, str]
    event: str = ""
    """The event it announces; its fields "room" and "time" are what publishing the schedule writes."""


def make_site(
    events: Sequence[ConferenceEvent],
    *,
    rooms: Mapping[str, Room],
    buildings: Iterable[Building],
    people: Mapping[str, Person],
    speakers: Iterable[str],
    sponsors: Sequence[tuple[str, Person]],
    values: Mapping[str, str],
    first: date,
    rng: Random,
) -> list[SiteEntry]:
    """Write every page of the site: programme, people, venue, sponsors, travel, news, and odds and ends."""
    site = [
        SiteEntry(
            id=f"programme-{event.id}",
            page="programme",
            event=event.id,
            fields={
                "title": event.title,
                "room": rooms[event.room].name,
                "time": slot_words(event.slot, first=first),
                "chair": people[event.chair].name if event.chair else "",
            },
        )
        for event in events
    ]
    for id in speakers:
        fields = {name: getattr(people[id], name) for name in _OF_PERSON}
        site.append(SiteEntry(id=f"person-{id}", page="people", fields=fields))
    site += [
        SiteEntry(id=f"venue-{building.id}", page="venue", fields={"name": building.name, "about": building.about})
        for building in buildings
    ]
    for n, (firm, contact) in enumerate(sponsors):
        site.append(
            SiteEntry(
                id=f"sponsor-{n + 1}",
                page="sponsors",
                fields={
                    "name": firm,
                    "level": _LEVELS[min(2, n // 3)],
                    "contact": contact.mail,
                    "booth": str(10 + 2 * n + rng.randrange(2)),
                },
            )
        )
    site += _travel(values) + _news(values)
    return site


def _travel(values: Mapping[str, str]) -> list[SiteEntry]:
    rows = {
        "hotel-1": {"name": values["hotel_one"], "rate": values["hotel_one_rate"], "phone": values["hotel_one_phone"]},
        "hotel-2": {"name": values["hotel_two"], "rate": values["hotel_two_rate"], "phone": values["hotel_two_phone"]},
        "shuttle": {
            "name": "Shuttle bus",
            "text": f"Every {values['shuttle_minutes']} minutes from {values['shuttle_stop']}.",
        },
        "taxi": {"name": "Taxi", "phone": values["taxi_phone"]},
        "parking": {"name": "Parking", "text": f"{values['parking_place']}, {values['parking_fee']} a day."},
        "train": {
            "name": "By train",
            "text": f"From {values['station']} station it is {values['station_walk']} minutes on foot.",
        },
    }
    return [SiteEntry(id=f"travel-{id}", page="travel", fields=fields) for id, fields in rows.items()]


def _news(values: Mapping[str, str]) -> list[SiteEntry]:
    rows = (
        ("Registration is open", f"The fee is {values['fee']}, for students {values['fee_student']}."),
        ("Poster format", f"Posters are {values['poster_size']}."),
        ("Childcare", f"Childcare is offered {values['childcare']}."),
        ("Volunteers wanted", f"Write to the student committee before {values['volunteer_deadline']}."),
        ("Wireless", f"The network of the conference is called {values['wifi_name']}."),
        ("Photographs", "Pictures will be taken; tell the photographer if you mind."),
        ("Weather", "Evenings are cool; bring something warm."),
    )
    return [
        SiteEntry(id=f"news-{n + 1}", page="news", fields={"title": title, "text": text})
        for n, (title, text) in enumerate(rows)
    ]
