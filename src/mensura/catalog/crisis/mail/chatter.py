"""Chatter: the predecessor's old mail, and the noise of every office."""

from collections.abc import Mapping, Sequence
from random import Random

from mensura.catalog.crisis.mail.once import Once
from mensura.catalog.crisis.mail.style import dress, dress_subject
from mensura.catalog.crisis.mail.template import Template, fill, templates
from mensura.catalog.crisis.world.backdrop import Backdrop
from mensura.catalog.crisis.world.mail import Letter
from mensura.catalog.crisis.world.people.person import Person

DAY = 86400


def chatter(
    name: str,
    *,
    scene: Backdrop,
    ticks: Sequence[int],
    prefix: str,
    values: Mapping[str, object],
    taken: set[str],
    once: Once,
    rng: Random,
) -> list[Letter]:
    """Write as many messages as there are ticks, from a file of templates; none twice unless the file runs out.

    Parameters
    ----------
    taken : set of str
        Ids of templates that were used before; those used now are added.
    once : Once
        Deals what people say by the way, and subjects.
    """
    pool = [template for template in templates(name) if template.id not in taken]
    chosen = rng.sample(pool, min(len(ticks), len(pool)))
    while len(chosen) < len(ticks):
        chosen.append(rng.choice(templates(name)))
    taken |= {template.id for template in chosen}
    return [
        _letter(template, scene=scene, id=f"{prefix}-{n + 1}", tick=tick, values=values, once=once, rng=rng)
        for n, (template, tick) in enumerate(zip(chosen, ticks, strict=True))
    ]


def _letter(
    template: Template, *, scene: Backdrop, id: str, tick: int, values: Mapping[str, object], once: Once, rng: Random
) -> Letter:
    writer = _writer(template, scene=scene, rng=rng)
    known = dict(values) | {
        "writer": writer.name.split()[0],
        "given": scene.staff.predecessor.name.split()[0],
        # Nobody speaks of themselves, or of whom they write to, as of someone else.
        "friend": rng.choice(_others(scene, writer)).name.split()[0],
        "speaker": scene.people[rng.choice([id for id in scene.speakers if id != writer.id])].name,
        "firm": rng.choice([firm for firm, contact in scene.staff.sponsors if contact.id != writer.id]),
        "number": rng.randrange(3, 40),
    }
    # Those who wrote before the crisis, and friends at any time, write to the predecessor, not to an office.
    known_to = tick < 0 or template.sender == "circle"
    if tick < 0 and template.days is not None:
        tick = -rng.randrange(template.days[0] * DAY, template.days[1] * DAY)
    place = f"template {template.id}"
    subject = once.subject([fill(one, known, place=f"{place}, subject") for one in template.subjects])
    body = fill(template.body.strip(), known, place=place)
    return Letter(
        id=id,
        tick=tick,
        sender=writer.id,
        subject=dress_subject(subject, style=writer.style, rng=rng),
        body=dress(
            body, writer=writer, rng=rng, once=once, to=scene.staff.predecessor.name.split()[0] if known_to else ""
        ),
    )


def _others(scene: Backdrop, writer: Person) -> list[Person]:
    """Return the friends whose first name is neither the writer's nor the predecessor's."""
    same = {writer.name.split()[0], scene.staff.predecessor.name.split()[0]}
    return [person for person in scene.staff.circle if person.name.split()[0] not in same]


def _writer(template: Template, *, scene: Backdrop, rng: Random) -> Person:
    if template.sender == "speaker":
        pool = [scene.people[id] for id in scene.speakers]
    elif template.sender == "circle":
        pool = list(scene.staff.circle)
    elif template.sender == "sponsor":
        pool = [contact for _, contact in scene.staff.sponsors]
    else:
        return scene.staff.part(template.sender, rng=rng)
    fitting = [person for person in pool if not template.styles or person.style in template.styles]
    return rng.choice(fitting or pool)
