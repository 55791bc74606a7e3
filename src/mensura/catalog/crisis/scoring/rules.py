"""Rules: whether each is met by an office as it stands, and if not, why, in a sentence."""

from collections.abc import Callable
from datetime import date

from mensura.catalog.crisis.scoring.snapshot import Snapshot
from mensura.catalog.crisis.world.requirement import Requirement
from mensura.catalog.crisis.world.time import slot_words
from mensura.errors import BadData

MET = ""


def met(rule: Requirement, standing: Snapshot) -> bool:
    """Say whether a rule is met. A rule about an event that cannot take place where it stands is not met."""
    return why_not(rule, standing) == MET


def why_not(rule: Requirement, standing: Snapshot) -> str:
    """Say in a sentence why a rule is not met; empty when it is.

    An event that has no place, or stands in a room that it cannot have (lost, closed, reserved by someone who has not
    given it up, not for events), meets none of its rules: a lecture in a flooded hall has no projector either. Two
    events in one room at one time both lose "placed" and are otherwise judged as they stand.
    """
    check = CHECKS.get(rule.kind)
    if check is None:
        raise BadData(f"The rule {rule.id} is of the kind {rule.kind!r}, which nobody can check.")
    for event in (rule.event, rule.other):
        if event and event not in standing.held:
            return _obstacle(event, standing)
    return check(rule, standing)


def _placed(rule: Requirement, standing: Snapshot) -> str:
    rivals = standing.rivals(rule.event)
    return f"{_where(rule.event, standing)} together with {_names(rivals, standing)}." if rivals else MET


def _capacity(rule: Requirement, standing: Snapshot) -> str:
    event, room = standing.world.event[rule.event], standing.world.room[_room(rule.event, standing)]
    holds = room.capacity.get(event.layout)
    if holds is None:
        return f"{room.name} cannot be set up as {event.layout} for {event.short}."
    if holds >= event.attendance:
        return MET
    return f"{event.short} has {event.attendance} people; {room.name} holds {holds} as {event.layout}."


def _equipment(rule: Requirement, standing: Snapshot) -> str:
    event, room = standing.world.event[rule.event], standing.world.room[_room(rule.event, standing)]
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
    world = standing.world
    people = world.event[rule.event].people
    for other in standing.at_the_same_time(rule.event):
        if twice := people & world.event[other].people:
            who = world.person[min(twice)].name
            return f"{who} must be at {_short(rule.event, standing)} and {_short(other, standing)} at the same time."
    return MET


def _away(rule: Requirement, standing: Snapshot) -> str:
    for event in standing.events_of.get(rule.person, ()):
        if event not in standing.held:
            return _obstacle(event, standing)
        if any(slot in rule.slots for slot in standing.times[event]):
            who = standing.world.person[rule.person].name
            return f"{who} cannot come {_when(event, standing)}, when {_short(event, standing)} is."
    return MET


def _slots(rule: Requirement, standing: Snapshot) -> str:
    if standing.times[rule.event].start in rule.slots:
        return MET
    return f"{_short(rule.event, standing)} begins {_when(rule.event, standing)}, which is not a time asked for."


def _before(rule: Requirement, standing: Snapshot) -> str:
    if standing.times[rule.event].stop <= standing.times[rule.other].start:
        return MET
    return f"{_short(rule.event, standing)} is not over before {_short(rule.other, standing)} begins."


def _apart(rule: Requirement, standing: Snapshot) -> str:
    if set(standing.times[rule.event]).isdisjoint(standing.times[rule.other]):
        return MET
    return f"{_short(rule.event, standing)} and {_short(rule.other, standing)} are at the same time."


def _same_building(rule: Requirement, standing: Snapshot) -> str:
    rooms = standing.world.room
    here, there = (rooms[_room(event, standing)].building for event in (rule.event, rule.other))
    if here == there:
        return MET
    return f"{_short(rule.event, standing)} and {_short(rule.other, standing)} are in different buildings."


def _building(rule: Requirement, standing: Snapshot) -> str:
    room = standing.world.room[_room(rule.event, standing)]
    if room.building == rule.place:
        return MET
    return f"{_short(rule.event, standing)} is in {room.name}, which is in another building than was asked for."


def _in_room(rule: Requirement, standing: Snapshot) -> str:
    here = _room(rule.event, standing)
    if here == rule.place:
        return MET
    wanted = standing.world.room[rule.place].name
    return f"{_short(rule.event, standing)} is in {standing.world.room[here].name}; {wanted} was asked for."


def _alone(rule: Requirement, standing: Snapshot) -> str:
    events = standing.world.event
    others = [other for other in standing.at_the_same_time(rule.event) if events[other].kind != "exhibit"]
    return f"{_names(others, standing)} at the same time as {_short(rule.event, standing)}." if others else MET


def _stay(rule: Requirement, standing: Snapshot) -> str:
    event = standing.world.event[rule.event]
    if standing.place[rule.event] == (event.room, event.slot):
        return MET
    return f"{event.short} was announced and has been moved all the same."


CHECKS: dict[str, Callable[[Requirement, Snapshot], str]] = {
    "placed": _placed,
    "capacity": _capacity,
    "equipment": _equipment,
    "catering": _catering,
    "speakers": _speakers,
    "away": _away,
    "slots": _slots,
    "before": _before,
    "apart": _apart,
    "same_building": _same_building,
    "building": _building,
    "room": _in_room,
    "alone": _alone,
    "stay": _stay,
}
OBSTACLES = {
    "unscheduled": "{event} has no room and no time.",
    "unusable": "{event} is in {room}, which is not a room for events.",
    "unfit": "{event} does not fit into the day where it begins.",
    "closed": "{event} is in {room} while it is closed.",
    "reserved": "{event} is in {room} while someone else has it reserved.",
    "lost": "{event} is still in {room}, which is lost at that time.",
}


def _obstacle(event: str, standing: Snapshot) -> str:
    at = standing.place.get(event)
    room = standing.world.room.get(at[0]) if at else None
    name = room.name if room else at[0] if at else ""
    return OBSTACLES[standing.obstacle(event)].format(event=_short(event, standing), room=name)


def _portions(event: str, gives: str, standing: Snapshot) -> int:
    """Count what orders bring of something to where and when an event is."""
    at = standing.place[event]
    assert at is not None
    vendors = standing.world.vendor
    return sum(
        order.quantity
        for order in standing.delivered.get(at, ())
        if any(item.id == order.item and item.gives == gives for item in vendors[order.vendor].items)
    )


def _room(event: str, standing: Snapshot) -> str:
    at = standing.place[event]
    assert at is not None
    return at[0]


def _short(event: str, standing: Snapshot) -> str:
    return standing.world.event[event].short


def _names(events: list[str], standing: Snapshot) -> str:
    return " and ".join(_short(event, standing) for event in events)


def _when(event: str, standing: Snapshot) -> str:
    first: date = standing.world.first
    return slot_words(standing.times[event].start, first=first)


def _where(event: str, standing: Snapshot) -> str:
    room = standing.world.room[_room(event, standing)].name
    return f"{_short(event, standing)} stands in {room}, {_when(event, standing)},"
