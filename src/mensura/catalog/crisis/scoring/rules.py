"""Rules: whether each is met by an office as it stands, and if not, why, in a sentence."""

from collections.abc import Callable

from mensura.catalog.crisis.planning.met import holds, meets
from mensura.catalog.crisis.scoring.snapshot import Snapshot
from mensura.catalog.crisis.world.requirement import Requirement
from mensura.catalog.crisis.world.time import slot_words
from mensura.errors import BadData

MET = ""
OBSTACLES = {
    "unscheduled": "{event} has no room and no time.",
    "unusable": "{event} is in {room}, which is not a room for events.",
    "unfit": "{event} does not fit into the day where it begins.",
    "closed": "{event} is in {room} while it is closed.",
    "held": "{event} is in {room} while someone else has it reserved.",
    "lost": "{event} is still in {room}, which is lost at that time.",
}
"""Why an event cannot take place where it stands."""
BROKEN = {
    "placed": "{event} stands in {room}, {when}, together with {rivals}.",
    "slots": "{event} begins {when}, which is not a time asked for.",
    "before": "{event} is not over before {other} begins.",
    "apart": "{event} and {other} are at the same time.",
    "same_building": "{event} and {other} are in different buildings.",
    "building": "{event} is in {room}, which is in another building than was asked for.",
    "room": "{event} is in {room}; {place} was asked for.",
    "alone": "{meanwhile} at the same time as {event}.",
    "stay": "{event} was announced and has been moved all the same.",
}
"""Kind of rule → why it is not met, where that needs no further look."""


def met(rule: Requirement, standing: Snapshot) -> bool:
    """Return whether a rule is met. A rule about an event that cannot take place where it stands is not met."""
    return why_not(rule, standing) == MET


def why_not(rule: Requirement, standing: Snapshot) -> str:
    """Return in a sentence why a rule is not met; empty when it is.

    An event that has no place, or stands in a room that it cannot have (lost, closed, reserved by someone who has not
    given it up, not for events), meets none of its rules: a lecture in a flooded hall has no projector either. Two
    events in one room at one time both lose "placed" and are otherwise judged as they stand.
    """
    for event in (rule.event, rule.other):
        if event and event not in standing.held:
            return _words(OBSTACLES[standing.obstacle(event)], standing, event)
    if rule.kind in LOOKS:
        return LOOKS[rule.kind](rule, standing)
    if rule.kind not in BROKEN:
        raise BadData(f"The rule {rule.id} is of the kind {rule.kind!r}, which cannot be checked.")
    if meets(rule, standing.problem, standing.schedule):
        return MET
    return _words(BROKEN[rule.kind], standing, rule.event, rule=rule)


def _capacity(rule: Requirement, standing: Snapshot) -> str:
    event, room = standing.world.event[rule.event], standing.room(rule.event)
    if holds(standing.problem.venue[room.id], event):
        return MET
    if event.layout not in room.capacity:
        return f"{room.name} cannot be set up as {event.layout} for {event.short}."
    seats = room.capacity[event.layout]
    return f"{event.short} has {event.attendance} people; {room.name} holds {seats} as {event.layout}."


def _equipment(rule: Requirement, standing: Snapshot) -> str:
    event, room = standing.world.event[rule.event], standing.room(rule.event)
    if rule.item in room.equipment or _portions(rule.event, rule.item, standing):
        return MET
    return f"{event.short} needs a {rule.item}; {room.name} has none, and none is ordered for there and then."


def _catering(rule: Requirement, standing: Snapshot) -> str:
    event = standing.world.event[rule.event]
    portions = _portions(rule.event, "catering", standing)
    if portions >= event.catering:
        return MET
    return f"{event.short} needs {event.catering} portions; {portions} go to where and when it is."


def _speakers(rule: Requirement, standing: Snapshot) -> str:
    if meets(rule, standing.problem, standing.schedule):
        return MET
    events = standing.world.event
    people = events[rule.event].people
    other = next(other for other in standing.schedule.meanwhile(rule.event) if people & events[other].people)
    who = standing.world.person[min(people & events[other].people)].name
    return f"{who} must be at {events[rule.event].short} and {events[other].short} at the same time."


def _away(rule: Requirement, standing: Snapshot) -> str:
    for event in standing.events_of.get(rule.person, ()):
        if event not in standing.held:
            return _words(OBSTACLES[standing.obstacle(event)], standing, event)
        if any(slot in rule.slots for slot in standing.schedule.slots(event)):
            who = standing.world.person[rule.person].name
            return f"{who} cannot come {_words('{when}, when {event} is.', standing, event)}"
    return MET


LOOKS: dict[str, Callable[[Requirement, Snapshot], str]] = {
    "capacity": _capacity,
    "equipment": _equipment,
    "catering": _catering,
    "speakers": _speakers,
    "away": _away,
}
"""Kind of rule → what says whether and why it is not met."""


def _words(sentence: str, standing: Snapshot, event: str, *, rule: Requirement | None = None) -> str:
    """Fill in a sentence about an event, and about the rule that it breaks."""
    world, at = standing.world, standing.place.get(event)
    known = {"event": world.event[event].short}
    if at is not None:
        known["room"] = world.room[at[0]].name if at[0] in world.room else at[0]
        known["when"] = slot_words(at[1], first=world.first)
    if rule is not None:
        meanwhile = standing.schedule.meanwhile(event)
        others = [other for other in meanwhile if world.event[other].kind != "exhibit"]
        known["other"] = world.event[rule.other].short if rule.other else ""
        known["place"] = world.room[rule.place].name if rule.place in world.room else rule.place
        known["rivals"] = " and ".join(world.event[other].short for other in standing.schedule.rivals(event))
        known["meanwhile"] = " and ".join(world.event[other].short for other in others)
    return sentence.format(**known)


def _portions(event: str, gives: str, standing: Snapshot) -> int:
    """Count what orders bring of something to where and when an event is."""
    return sum(
        order.quantity
        for order in standing.delivered.get(standing.schedule.place[event], ())
        if standing.world.vendor[order.vendor].product[order.item].gives == gives
    )
