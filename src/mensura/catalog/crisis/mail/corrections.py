"""Corrections: entries of the web site that must change, and what they must become."""

from collections.abc import Sequence
from random import Random

from mensura.catalog.crisis.mail.reference import References
from mensura.catalog.crisis.mail.stimulus import Stimulus
from mensura.catalog.crisis.world.backdrop import Backdrop
from mensura.catalog.crisis.world.people.ensemble import names
from mensura.catalog.crisis.world.people.person import Person
from mensura.catalog.crisis.world.programme.titles import PANELS, TALKS, Titles
from mensura.catalog.crisis.world.site import SiteEntry

_OWN = ("phone", "mail", "affiliation", "name", "site", "fax")


def corrections(
    scene: Backdrop, *, site: list[SiteEntry], hosts: Sequence[str], number: int, references: References, rng: Random
) -> list[Stimulus]:
    """Draw changes of the site; where an entry was wrong from the beginning, `site` is made wrong in place.

    Parameters
    ----------
    hosts : sequence of str
        People who write anyway: as many of them as have an entry ask for a change of their own in the same breath.
    """
    used: set[str] = set()
    told: list[Stimulus] = []
    for person in hosts:
        if f"person-{person}" not in used and len(told) < number:
            used.add(f"person-{person}")
            made = _own(scene, scene.people[person], site=site, rng=rng)
            while _says_so(site, made):
                made = _own(scene, scene.people[person], site=site, rng=rng)
            told.append(made)
    makers = (_someone, _someone, _someone, _title, _title, _sponsor, _travel)
    while len(told) < number:
        made = rng.choice(makers)(scene, site, references, rng)
        if made.target["entry"] not in used and not _says_so(site, made):
            used.add(made.target["entry"])
            told.append(made)
    return told


def _says_so(site: list[SiteEntry], made: Stimulus) -> bool:
    """Return whether the site has a change already that chance has drawn: then there would be nothing to do."""
    wanted = made.target
    return any(one.id == wanted["entry"] and one.fields.get(wanted["field"]) == wanted["value"] for one in site)


def _own(scene: Backdrop, person: Person, *, site: list[SiteEntry], rng: Random) -> Stimulus:
    field = rng.choice([one for one in _OWN if one not in ("fax", "site") or getattr(person, one)])
    return _person(scene, person, field=field, site=site, rng=rng)


def _someone(scene: Backdrop, site: list[SiteEntry], references: References, rng: Random) -> Stimulus:
    return _own(scene, scene.people[rng.choice(scene.speakers)], site=site, rng=rng)


def _person(scene: Backdrop, person: Person, *, field: str, site: list[SiteEntry], rng: Random) -> Stimulus:
    entry = f"person-{person.id}"
    values: dict[str, object] = {"name": person.name}
    if field == "name":
        _spoil(site, entry, person.name, rng)
        value = person.name
    elif field in ("phone", "fax"):
        value = f"+1 {rng.randrange(201, 990)} 555 {rng.randrange(100, 200):04d}"
    elif field == "affiliation":
        pattern: str = rng.choice(names()["affiliations"])
        value = pattern.format(town=rng.choice(names()["towns"]))
    else:
        given, _, family = person.name.lower().partition(" ")
        home = rng.choice(("postbox", "letters", "webmail", "homepage"))
        value = f"{given}.{family}@{home}.example" if field == "mail" else f"https://{home}.example/{family}"
    return Stimulus(
        kind="web", case=f"web.{field}", sender=person.id, values=values | {"value": value},
        target={"entry": entry, "field": field, "value": value}, about=(entry, person.id),
    )  # fmt: skip


def _spoil(site: list[SiteEntry], id: str, name: str, rng: Random) -> None:
    """Misspell a name on the site."""
    at = rng.randrange(len(name) - 3, len(name) - 1)
    wrong = name[:at] + name[at + 1] + name[at] + name[at + 2 :]
    if wrong == name:
        wrong = name[:at] + name[at] + name[at:]
    _set(site, id, "name", wrong)


def _set(site: list[SiteEntry], id: str, field: str, value: str) -> None:
    for n, entry in enumerate(site):
        if entry.id == id:
            site[n] = entry.model_copy(update={"fields": entry.fields | {field: value}})


def _title(scene: Backdrop, site: list[SiteEntry], references: References, rng: Random) -> Stimulus:
    pool = sorted(id for id, draft in scene.drafts.items() if draft.kind in ("panel", "tutorial", "workshop"))
    event = rng.choice(pool)
    draft = scene.drafts[event]
    titles = Titles(scene.field, rng=rng)
    value = titles.draw(PANELS if draft.kind == "panel" else TALKS, track=draft.track)
    writer = rng.choice(sorted(draft.people))
    return Stimulus(
        kind="web", case="web.title", sender=writer,
        values={"event": references.event(event, writer=writer, rng=rng), "value": value},
        target={"entry": f"programme-{event}", "field": "title", "value": value}, about=(f"programme-{event}", event),
    )  # fmt: skip


def _sponsor(scene: Backdrop, site: list[SiteEntry], references: References, rng: Random) -> Stimulus:
    n = rng.randrange(len(scene.staff.sponsors))
    firm, contact = scene.staff.sponsors[n]
    entry = next(one for one in site if one.id == f"sponsor-{n + 1}")
    if rng.random() < 0.5:
        field = "level"
        value = rng.choice([level for level in ("gold", "silver", "bronze") if level != entry.fields["level"]])
    else:
        field, value = "booth", str(rng.randrange(40, 60))
    return Stimulus(
        kind="web", case=f"web.{field}", sender=contact.id, values={"firm": firm, "value": value},
        target={"entry": entry.id, "field": field, "value": value}, about=(entry.id, contact.id),
    )  # fmt: skip


def _travel(scene: Backdrop, site: list[SiteEntry], references: References, rng: Random) -> Stimulus:
    n = rng.choice((1, 2))
    name = scene.values["hotel_one" if n == 1 else "hotel_two"]
    value = f"€{rng.randrange(60, 150)}"
    return Stimulus(
        kind="web", case="web.rate", sender=scene.staff.registrar.id, values={"hotel": name, "value": value},
        target={"entry": f"travel-hotel-{n}", "field": "rate", "value": value}, about=(f"travel-hotel-{n}",),
    )  # fmt: skip
