"""Wishes: who cannot come when, and what people would like. All of them can be met at once, as the repair shows."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from random import Random

from mensura.catalog.crisis.mail.reference import References
from mensura.catalog.crisis.mail.stimulus import Stimulus
from mensura.catalog.crisis.world.backdrop import Backdrop
from mensura.catalog.crisis.world.programme.change import Absence, around
from mensura.catalog.crisis.world.requirement import Requirement
from mensura.catalog.crisis.world.time import DAYS, EVENING, block_of, day_of, slot_of

_IDLE = 0.85
"""How often a wish that the first schedule met already is not written down."""


def absences(scene: Backdrop, *, rng: Random) -> list[Stimulus]:
    """Return who is away: first those whose events must move for it, then others who are away at other times."""
    told = list(scene.absences)
    taken = {absence.person for absence in told}
    pool = [id for id in scene.speakers if id not in taken]
    # Those whose events move anyway come first: their absence narrows where the events can go.
    pool.sort(key=lambda id: (not any(event in scene.solution.moved for event in scene.events_of(id)), rng.random()))
    for person in pool:
        if len(told) == scene.parameters.availability:
            break
        busy = set().union(*(scene.at(event) for event in scene.events_of(person)))
        options = [
            one
            for day in range(DAYS)
            for block in (0, 3)
            if busy.isdisjoint((one := around(person, slot_of(day, block), length=1, rng=rng)).slots)
        ]
        if options:
            told.append(rng.choice(options))
    return [_absence(scene, absence) for absence in told]


def old_absences(scene: Backdrop, *, known: Sequence[Stimulus], number: int, rng: Random) -> list[Stimulus]:
    """Return who told the predecessor that they would be away; the first schedule heeds it, as a new one must."""
    spoken = {stimulus.sender for stimulus in known}
    pool = [
        id for id in scene.speakers
        if id not in spoken and any(event in scene.solution.moved for event in scene.events_of(id))
    ]  # fmt: skip
    told: list[Stimulus] = []
    for person in rng.sample(pool, len(pool)):
        if len(told) == number:
            break
        busy = set().union(*(scene.at(event) for event in scene.events_of(person)))
        busy |= {scene.origin[event][1] for event in scene.events_of(person)}
        free = [day for day in range(DAYS) if not any(day_of(slot) == day for slot in busy)]
        if free:
            day = rng.choice(free)
            slots = tuple(slot_of(day, block) for block in range(EVENING + 1))
            told.append(_absence(scene, Absence(person, slots=slots, case="day")))
    return told


def _absence(scene: Backdrop, absence: Absence) -> Stimulus:
    day = day_of(absence.slots[0])
    name = scene.people[absence.person].name
    when = {"day": "", "morning": " morning", "afternoon": " afternoon"}[absence.case]
    date = scene.first + timedelta(days=day)
    rule = Requirement(
        id=f"away-{absence.person}", kind="away", leaf="availability", person=absence.person, slots=absence.slots,
        words=f"{name} is away on {date:%A}{when}.",
    )  # fmt: skip
    return Stimulus(
        kind="availability",
        case=f"availability.{absence.case}",
        sender=absence.person,
        values={"day": date},
        target={"person": absence.person, "slots": list(absence.slots)},
        rules=(rule,),
        about=(absence.person, *scene.events_of(absence.person)),
    )


def preferences(scene: Backdrop, *, references: References, rng: Random) -> list[Stimulus]:
    """Draw wishes that the repair meets and that the first schedule often does not."""
    makers = (_building, _building, _part, _part, _day, _apart, _before, _room)
    told: list[Stimulus] = []
    spoken: set[str] = set()
    moved = sorted(
        id for id in scene.solution.moved if scene.drafts[id].kind in ("papers", "panel", "tutorial", "workshop")
    )
    pool = rng.sample(moved, len(moved))
    others = sorted(id for id, draft in scene.drafts.items() if draft.kind in ("papers", "panel") and id not in moved)
    pool += rng.sample(others, len(others))
    n = 0
    while len(told) < scene.parameters.preferences:
        event = pool[n % len(pool)]
        made = rng.choice(makers)(scene, event, references, rng) if event not in spoken else None
        if made is not None and not {rule.id for rule in made.rules} & {rule.id for one in told for rule in one.rules}:
            told.append(made)
            spoken.add(event)
        n += 1
        if n > 40 * len(pool):
            break
    return told


def _wish(
    scene: Backdrop,
    event: str,
    kind: str,
    words: str,
    references: References,
    rng: Random,
    *,
    case: str = "",
    values: Mapping[str, object],
    **said: object,
) -> Stimulus:
    """Let someone of an event wish for something that the repair meets."""
    case, writer = case or kind, rng.choice(sorted(scene.drafts[event].people))
    other = f"-{said['other']}" if "other" in said else ""
    made = Requirement.model_validate(
        {"id": f"wish-{case}-{event}{other}", "kind": kind, "event": event, "leaf": "requests", "words": words, **said}
    )
    target: dict[str, object] = {"event": event, "kind": kind, **said}
    if "slots" in target:
        target["slots"] = list(made.slots)
    return Stimulus(
        kind="preference",
        case=f"preference.{case}",
        sender=writer,
        values={"event": references.event(event, writer=writer, rng=rng), **values},
        target=target,
        rules=(made,),
        about=(event, *((made.other,) if made.other else ()), *((made.place,) if made.place else ())),
    )  # fmt: skip


def _building(scene: Backdrop, event: str, references: References, rng: Random) -> Stimulus | None:
    place = scene.rooms[scene.solution.place[event][0]].building
    if scene.rooms[scene.origin[event][0]].building == place:
        return None
    words = f"{scene.drafts[event].short} would like to be in {scene.buildings[place].name}."
    named = {"building": references.building(place, rng=rng)}
    return _wish(scene, event, "building", words, references, rng, values=named, place=place)


def _room(scene: Backdrop, event: str, references: References, rng: Random) -> Stimulus | None:
    place = scene.solution.place[event][0]
    if rng.random() < 0.5:
        return None
    words = f"{scene.drafts[event].short} would like {scene.rooms[place].name}."
    named = {"room": references.room(place, rng=rng)}
    return _wish(scene, event, "room", words, references, rng, values=named, place=place)


def _part(scene: Backdrop, event: str, references: References, rng: Random) -> Stimulus | None:
    draft = scene.drafts[event]
    block = block_of(scene.solution.place[event][1])
    then = block_of(scene.origin[event][1])
    if block == EVENING or draft.length > 2 or ((then < 2) == (block < 2) and rng.random() < _IDLE):
        return None
    part, blocks = ("morning", (0, 1)) if block < 2 else ("afternoon", (2, 3))
    slots = tuple(slot_of(day, one) for day in range(DAYS) for one in blocks)
    words = f"{draft.short} would like a {part}."
    return _wish(scene, event, "slots", words, references, rng, case="part", values={"part": part}, slots=slots)


def _day(scene: Backdrop, event: str, references: References, rng: Random) -> Stimulus | None:
    day = day_of(scene.solution.place[event][1])
    if day == day_of(scene.origin[event][1]) and rng.random() < _IDLE:
        return None
    slots = tuple(slot_of(day, block) for block in range(EVENING))
    date = scene.first + timedelta(days=day)
    words = f"{scene.drafts[event].short} would like to be on {date:%A}."
    return _wish(scene, event, "slots", words, references, rng, case="day", values={"day": date}, slots=slots)


def _others(scene: Backdrop, event: str) -> list[str]:
    draft = scene.drafts[event]
    return sorted(
        id for id, other in scene.drafts.items()
        if id != event and other.kind in ("papers", "panel", "tutorial") and other.track != draft.track
    )  # fmt: skip


def _apart(scene: Backdrop, event: str, references: References, rng: Random) -> Stimulus | None:
    here = scene.at(event)
    # Best are those at the same time at first: the wish then costs something.
    then = scene.origin[event][1]
    options = [id for id in _others(scene, event) if here.isdisjoint(scene.at(id))]
    rivals = [id for id in options if scene.origin[id][1] == then] or options
    if not rivals:
        return None
    other = rng.choice(rivals)
    words = f"{scene.drafts[event].short} and {scene.drafts[other].short} should not be at the same time."
    named = {"other": references.event(other, writer="", rng=rng)}
    return _wish(scene, event, "apart", words, references, rng, values=named, other=other)


def _before(scene: Backdrop, event: str, references: References, rng: Random) -> Stimulus | None:
    end = max(scene.at(event))
    options = [id for id in _others(scene, event) if scene.solution.place[id][1] > end]
    if not options:
        return None
    other = rng.choice(options)
    words = f"{scene.drafts[event].short} should be over before {scene.drafts[other].short} begins."
    named = {"other": references.event(other, writer="", rng=rng)}
    return _wish(scene, event, "before", words, references, rng, values=named, other=other)
