"""Checks of a world that need no schedule: ids, variables, cycles and contradictions, each finding with its place."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from mensura.catalog.crisis.world.campus.place import EQUIPMENT
from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.mail import Letter, MailTask
from mensura.catalog.crisis.world.requirement import LEAVES, Requirement
from mensura.catalog.crisis.world.time import SLOTS, fits

_VARIABLE = re.compile(r"\{[A-Za-z_][A-Za-z0-9_]*([+-]\d+)?(\|[a-z]+)?\}|\[\[|[\x02\x03]")

CATERING = "catering"
TARGETS = {
    "room_fact": ("room", "fact", "value"),
    "event_fact": ("event", "fact", "value"),
    "availability": ("person", "slots"),
    "preference": ("event",),
    "web": ("entry", "field", "value"),
    "query": ("answer",),
    "order": ("vendor", "item", "event"),
}
"""What the target of a task must say, for scores and simulated participants to know when it is done."""


@dataclass(frozen=True)
class Flaw:
    """Something that is wrong, and where."""

    place: str
    words: str

    def __str__(self) -> str:
        return f"{self.place}: {self.words}"


def check(world: Conference) -> list[Flaw]:
    """Find everything that is wrong with a world by itself."""
    return [*_twice(world), *_ids(world), *_times(world), *_variables(world), *_rules(world), *_tasks(world)]


def _twice(world: Conference) -> Iterator[Flaw]:
    groups: dict[str, Iterable[str]] = {
        "buildings": (one.id for one in world.buildings),
        "rooms": (one.id for one in world.rooms),
        "people": (one.id for one in world.people),
        "events": (one.id for one in world.events),
        "talks": (talk.id for event in world.events for talk in event.talks),
        "vendors": (one.id for one in world.vendors),
        "orders": (one.id for one in world.orders),
        "site": (one.id for one in world.site),
        "rules": (one.id for one in world.rules),
        "letters": (one.id for one in world.letters),
        "tasks": (task.id for letter in world.letters for task in letter.tasks),
    }
    for name, ids in groups.items():
        for id, times in Counter(ids).items():
            if not id:
                yield Flaw(name, "an id is empty; each thing needs one.")
            elif times > 1:
                yield Flaw(f"{name}, {id}", f"the id is used {times} times; each thing needs its own.")


def _ids(world: Conference) -> Iterator[Flaw]:
    """Find references to things that are not there."""
    items = {vendor.id: {item.id for item in vendor.items} for vendor in world.vendors}
    wanted: list[tuple[str, str, str, Iterable[str]]] = [
        ("boss", "person", world.boss, world.person),
        ("predecessor", "person", world.predecessor, world.person),
    ]
    buildings = {building.id for building in world.buildings}
    for room in world.rooms:
        wanted.append((f"rooms, {room.id}, building", "building", room.building, buildings))
        wanted += [
            (f"rooms, {room.id}, reservations", "person", held.owner, world.person) for held in room.reservations
        ]
    for event in world.events:
        wanted.append((f"events, {event.id}, room", "room", event.room, world.room))
        wanted += [(f"events, {event.id}, {talk.id}", "person", talk.speaker, world.person) for talk in event.talks]
        if event.chair:
            wanted.append((f"events, {event.id}, chair", "person", event.chair, world.person))
    for order in world.orders:
        place = f"orders, {order.id}"
        wanted.append((f"{place}, vendor", "vendor", order.vendor, items))
        wanted.append((f"{place}, item", f"item of {order.vendor}", order.item, items.get(order.vendor, ())))
        wanted.append((f"{place}, event", "event", order.event, world.event))
        wanted.append((f"{place}, room", "room", order.room, world.room))
    wanted += [
        (f"vendors, {vendor.id}, {item.id}, gives", "equipment", item.gives, (*EQUIPMENT, CATERING, ""))
        for vendor in world.vendors
        for item in vendor.items
    ]
    wanted += [("loss, rooms", "room", room, world.room) for room in world.loss.rooms]
    wanted += [(f"site, {entry.id}, event", "event", entry.event, world.event) for entry in world.site if entry.event]
    for letter in world.letters:
        place = f"letters, {letter.id}"
        wanted.append((f"{place}, sender", "person or vendor", letter.sender, world.person.keys() | items.keys()))
        if letter.order:
            wanted.append((f"{place}, order", "order", letter.order, {order.id for order in world.orders}))
        for task in letter.tasks:
            wanted += [(f"{place}, {task.id}, rules", "rule", rule, world.rule) for rule in task.rules]
    for rule in world.rules:
        wanted += _rule_ids(world, rule, buildings)
    for place, what, id, known in wanted:
        if id not in known:
            yield Flaw(place, f"there is no {what} {id!r}.")


def _rule_ids(world: Conference, rule: Requirement, buildings: set[str]) -> list[tuple[str, str, str, Iterable[str]]]:
    place = f"rules, {rule.id}"
    found: list[tuple[str, str, str, Iterable[str]]] = []
    if rule.kind == "away":
        found.append((f"{place}, person", "person", rule.person, world.person))
    else:
        found.append((f"{place}, event", "event", rule.event, world.event))
    if rule.kind in ("before", "apart", "same_building"):
        found.append((f"{place}, other", "event", rule.other, world.event))
    if rule.kind == "building":
        found.append((f"{place}, place", "building", rule.place, buildings))
    if rule.kind == "room":
        found.append((f"{place}, place", "room", rule.place, world.room))
    if rule.kind == "equipment":
        found.append((f"{place}, item", "equipment", rule.item, EQUIPMENT))
    if rule.source != "manual":
        found.append((f"{place}, source", "message", rule.source, world.letter))
    found.append((f"{place}, leaf", "leaf", rule.leaf, LEAVES))
    return found


def _times(world: Conference) -> Iterator[Flaw]:
    for event in world.events:
        if not fits(event.slot, event.length):
            yield Flaw(f"events, {event.id}, slot", f"{event.length} blocks from slot {event.slot} are not one day's.")
    slots = [(f"rules, {rule.id}", slot) for rule in world.rules for slot in rule.slots]
    slots += [(f"rooms, {room.id}", held.slot) for room in world.rooms for held in room.reservations]
    slots += [(f"rooms, {room.id}, closed", slot) for room in world.rooms for slot in room.closed]
    slots += [(f"orders, {order.id}, slot", order.slot) for order in world.orders]
    slots += [("loss", slot) for slot in world.loss.slots]
    for place, slot in slots:
        if not 0 <= slot < SLOTS:
            yield Flaw(place, f"there is no slot {slot}; they are counted from 0 to {SLOTS - 1}.")
    for letter in world.letters:
        if letter.tick >= world.minutes * 60:
            yield Flaw(f"letters, {letter.id}, tick", f"it would arrive after the {world.minutes} minutes are over.")


def _variables(world: Conference) -> Iterator[Flaw]:
    words = [(f"letters, {one.id}, subject", one.subject) for one in world.letters]
    words += [(f"letters, {one.id}, body", one.body) for one in world.letters]
    words += [("manual", world.manual), *((f"pages, {name}", page) for name, page in world.pages.items())]
    words += [(f"site, {entry.id}, {field}", value) for entry in world.site for field, value in entry.fields.items()]
    for place, text in words:
        for match in _VARIABLE.finditer(text):
            yield Flaw(place, f"the variable {match[0]!r} dangles: it was never filled in.")


def _rules(world: Conference) -> Iterator[Flaw]:
    """Find orders that bite their tail, and times that leave nothing."""
    graph: dict[str, set[str]] = {}
    for rule in world.rules:
        if rule.kind == "before":
            graph.setdefault(rule.other, set()).add(rule.event)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as wrong:
        circle = wrong.args[1]
        those = [
            rule.id
            for one, other in zip(circle[1:], circle[:-1], strict=True)
            for rule in world.rules
            if rule.kind == "before" and {rule.event, rule.other} == {one, other}
        ]
        sources = sorted({world.rule[id].source for id in those})
        events = list(dict.fromkeys(circle))
        words = (
            f"each of {' and '.join(events)} would have to come before the other"
            if len(events) > 1
            else f"{events[0]} would have to come before itself"
        )
        yield Flaw(f"rules, {', '.join(dict.fromkeys(those))}", f"{words} (from {', '.join(sources)}).")
    yield from _narrow(world)


def _narrow(world: Conference) -> Iterator[Flaw]:
    """Find events to which the rules together leave no time, or no place."""
    times: dict[str, tuple[set[int], list[str]]] = {}
    places: dict[str, tuple[set[str], list[str]]] = {}
    for rule in world.rules:
        if rule.event not in world.event:
            continue
        if rule.kind == "slots":
            slots, ids = times.setdefault(rule.event, (set(range(SLOTS)), []))
            slots &= set(rule.slots)
            ids.append(rule.id)
        elif rule.kind in ("room", "building"):
            rooms, ids = places.setdefault(rule.event, ({room.id for room in world.rooms if room.usable}, []))
            rooms &= {room.id for room in world.rooms if rule.place in (room.id, room.building)}
            ids.append(rule.id)
    for what, narrowed in (("time", times), ("room", places)):
        for event, (left, ids) in narrowed.items():
            if not left:
                sources = ", ".join(dict.fromkeys(world.rule[id].source for id in ids))
                yield Flaw(f"rules, {', '.join(ids)}", f"together they leave no {what} for {event} (from {sources}).")


def _tasks(world: Conference) -> Iterator[Flaw]:
    said: dict[tuple[str, str], tuple[str, str]] = {}
    readable = "\n".join([world.manual, *world.pages.values(), *(v for e in world.site for v in e.fields.values())])
    for letter in world.letters:
        for task in letter.tasks:
            place = f"letters, {letter.id}, {task.id}"
            yield from _target(world, task, place)
            if task.kind == "web" and "entry" in task.target:
                key = (str(task.target["entry"]), str(task.target.get("field")))
                before = said.setdefault(key, (str(task.target.get("value")), letter.id))
                if before[0] != str(task.target.get("value")):
                    yield Flaw(place, f"{key[0]}, {key[1]} is already to become {before[0]!r} by {before[1]}.")
            if task.kind == "query":
                yield from _answerable(task, letter, readable, place)


def _target(world: Conference, task: MailTask, place: str) -> Iterator[Flaw]:
    if missing := [key for key in TARGETS.get(task.kind, ()) if key not in task.target]:
        yield Flaw(f"{place}, target", f"a task of kind {task.kind} says its {' and '.join(missing)}.")
    known: dict[str, Iterable[str]] = {
        "room": world.room,
        "event": world.event,
        "other": world.event,
        "person": world.person,
        "entry": world.entry,
        "vendor": world.vendor,
        "order": {order.id for order in world.orders},
        "place": world.room.keys() | {building.id for building in world.buildings},
    }
    for key, ids in known.items():
        if key in task.target and str(task.target[key]) not in ids:
            yield Flaw(f"{place}, target", f"there is no {key} {task.target[key]!r}.")
    if task.kind == "web" and str(task.target.get("entry")) in world.entry:
        field = str(task.target.get("field"))
        if field not in world.entry[str(task.target["entry"])].fields:
            yield Flaw(f"{place}, target", f"the entry {task.target['entry']} has no field {field!r}.")


def _answerable(task: MailTask, letter: Letter, readable: str, place: str) -> Iterator[Flaw]:
    given = task.target.get("answer", ())
    if not isinstance(given, (list, tuple)):
        yield Flaw(f"{place}, target", f"the answer is a list of words of which one must be said; got {given!r}.")
        return
    answers = [str(answer) for answer in given]
    if not any(answer and answer in readable for answer in answers):
        yield Flaw(
            place, f"nothing in the manual, the pages or the site answers it ({', '.join(answers) or 'no answer'})."
        )
