"""By hand: replanning, orders, the site and the briefing without an assistant."""

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from mensura.catalog.crisis.act import Act, call, when
from mensura.catalog.crisis.schedule import Place
from mensura.catalog.crisis.subjects.matter import Matter
from mensura.catalog.crisis.subjects.placing import choose
from mensura.catalog.crisis.subjects.view import OfficeView, read_specification

if TYPE_CHECKING:
    from mensura.catalog.crisis.subjects.worker import Worker

Worked = Generator[Act, Any, bool]
"""Acts, and at the end whether there was anything to do."""
CHOOSING = 60
"""Seconds that choosing a place takes someone of speed 1."""
TRIES = 3
MOST_LINES = 7
MOST_NEWS = 5


def badly_placed(worker: "Worker", matter: Matter) -> list[str]:
    """Name the events that a new fact or request leaves badly placed, as far as one sees it."""
    screen, memory = worker.screen, worker.memory
    if matter.kind == "event_fact":
        events = [str(matter.about["event"])]
    elif matter.kind == "room_fact":
        events = [event for event, at in screen.place.items() if at is not None and at[0] == matter.about["room"]]
    else:
        rules = matter.rules
        events = [name for rule in rules for name in (rule.event, rule.other) if name][:1]
        people = {rule.person for rule in rules if rule.person}
        events += [event for event, who in screen.needed.items() if who & people]
    found = []
    for event in events:
        at = screen.place.get(event)
        if at is None or at[0] not in screen.let or worker.rng.random() > worker.traits.skill:
            continue
        layout = screen.raw["facts"]["layout"][event]
        small = memory.seats(screen, at[0], layout) < memory.comes(screen, event)
        if small or memory.broken(screen, event, at) >= 1:
            found.append(event)
    return found


def replan(worker: "Worker") -> Worked:
    """Find a place for one event: one whose owner has answered, one that was driven out, or one that stands badly."""
    for event, choice in list(worker.pending.items()):
        screen = worker.screen
        if any(ask in screen.refused for ask in choice.asks):
            del worker.pending[event]
        elif all(ask in screen.portal.granted for ask in choice.asks):
            del worker.pending[event]
            yield from _move(worker, event, choice.room, choice.slot)
            return True
    waiting = (*worker.given_up, *worker.pending)
    for event in (*worker.screen.driven_out, *worker.to_move):
        if event not in waiting:
            if event in worker.to_move:
                worker.to_move.remove(event)
            yield from place(worker, event)
            return True
    return False


def place(worker: "Worker", event: str) -> Generator[Act, Any, None]:
    """Choose a place for an event, look the room up, and move it there or ask for the room."""
    shun: set[Place] = set()
    for _ in range(TRIES):
        yield from worker.do(call("look", page="portal"))
        yield from worker.think(CHOOSING / worker.traits.speed)
        taken = {ask for other, choice in worker.pending.items() if other != event for ask in choice.asks}
        choice = choose(
            event,
            screen=worker.screen,
            memory=worker.memory,
            traits=worker.traits,
            rng=worker.rng,
            shun=shun | taken,
        )
        if choice is None:
            break
        if choice.room not in worker.memory.looked_up and worker.rng.random() < worker.traits.diligence:
            yield from look_up(worker, choice.room)
            layout = worker.screen.raw["facts"]["layout"][event]
            if worker.memory.seats(worker.screen, choice.room, layout) < worker.memory.comes(worker.screen, event):
                continue
        if choice.asks:
            for room, slot in choice.asks:
                if (room, slot) not in worker.screen.asked:
                    yield from worker.do(call("ask_room", room=room, **when(slot)))
            worker.pending[event] = choice
            return
        if (yield from _move(worker, event, choice.room, choice.slot)):
            return
        shun.add((choice.room, choice.slot))
    if event in worker.screen.driven_out:
        worker.given_up.add(event)


def look_up(worker: "Worker", room: str) -> Generator[Act, Any, None]:
    """Read a room's specification."""
    said = yield from worker.do(call("look", page="room", item=room))
    if said["ok"]:
        capacity, equipment = read_specification(said["words"])
        worker.memory.look_up(room, capacity=capacity, equipment=equipment)


def _move(worker: "Worker", event: str, room: str, slot: int) -> Generator[Act, Any, bool]:
    said = yield from worker.do(call("move", event=event, room=room, **when(slot)))
    worker.settled.discard(event)
    return bool(said["ok"])


def errands(worker: "Worker") -> Worked:
    """See to the orders of one event that has moved."""
    for event in worker.screen.moved():
        if event in worker.settled:
            continue
        worker.settled.add(event)
        if worker.rng.random() > worker.traits.diligence:
            continue
        if acts := needed(worker, event):
            yield from worker.do(call("look", page="orders"))
            for act in acts:
                yield from worker.do(act)
            return True
    return False


def needed(worker: "Worker", event: str) -> list[Act]:
    """Return what an event needs from vendors where it is now, by what one believes of the room."""
    screen, memory = worker.screen, worker.memory
    at = screen.place[event]
    if at is None:
        return []
    built_in = memory.built_in(screen, at[0])
    missing = [item for item in memory.wants(screen, event) if item not in built_in]
    if portions := screen.raw["facts"]["catering"].get(event, 0):
        missing.append("catering")
    acts: list[Act] = []
    for order in screen.orders.get(event, ()):
        gives = screen.gives.get((order["vendor"], order["item"]), "")
        here = (order["room"], order["slot"]) == at
        if gives in missing or not gives:
            if gives in missing:
                missing.remove(gives)
            if not here:
                acts.append(call("change_order", order=order["id"]))
        elif not here and worker.rng.random() < worker.traits.skill:
            acts.append(call("cancel_order", order=order["id"]))
    for gives in missing:
        seller = screen.seller(gives)
        if seller is not None:
            quantity = portions if gives == "catering" else 1
            acts.append(call("order", vendor=seller[0], item=seller[1], quantity=quantity, event=event))
    return acts


def publish(worker: "Worker") -> Worked:
    """Bring one moved event to the site, field by field."""
    for event in worker.screen.moved():
        for entry, field, value in wrong_fields(worker, event):
            if worker.rng.random() < 0.05 * (1 - worker.traits.skill):
                value = value[:-1]
            yield from worker.do(call("edit_entry", entry=entry, field=field, value=value))
            return True
    return False


def wrong_fields(worker: "Worker", event: str) -> list[tuple[str, str, str]]:
    """Return which fields of an event's entry do not say where and when it is."""
    screen = worker.screen
    at, entry = screen.place[event], screen.entry_of.get(event)
    if at is None or entry is None or at[0] not in screen.let:
        return []
    should = {"room": screen.let[at[0]]["name"], "time": screen.when(at[1])}
    now = screen.raw["site"][entry]
    # One slip is not noticed, or it would be mended for ever.
    return [(entry, name, value) for name, value in should.items() if now.get(name, "") not in (value, value[:-1])]


def brief(worker: "Worker") -> Generator[Act, Any, None]:
    """Write a briefing."""
    yield from worker.do(call("brief", text=briefing_text(worker)))


def briefing_text(worker: "Worker") -> str:
    """Write down what one remembers of the day: exactly, or in general words where memory or care fails."""
    screen = worker.screen
    moved = screen.moved()
    lines = [f"{len(moved)} events were moved."] if worker.rng.random() < worker.traits.skill else []
    lines += [one for one in worker.news if worker.rng.random() < worker.traits.skill][:MOST_NEWS]
    for event in moved[: MOST_LINES - len(lines)]:
        at, short = screen.place[event], screen.events[event]["short"]
        assert at is not None
        if worker.rng.random() > 0.4 + 0.5 * worker.traits.skill:
            continue
        room = screen.let[at[0]]["name"] if at[0] in screen.let else at[0]
        exact = worker.rng.random() < worker.traits.skill
        lines.append(f"{short}: {room}, {screen.when(at[1])}." if exact else f"{short} is now in {room}.")
    if worker.rng.random() < worker.traits.diligence:
        lines.append(f"The replanning cost {screen.raw['spent']:.2f} so far.")
    return "\n".join(f"- {line}" for line in lines or ["Many rooms are lost; we are working on it."])


def news_words(screen: OfficeView, matter: Matter) -> str:
    """Write for the chair what a message says of an event, a room or a person; empty where it is none of these."""
    said = matter.about
    if matter.kind == "event_fact":
        does = "expects" if said["fact"] == "attendance" else "needs"
        return f"{screen.events[said['event']]['short']} {does} {said['value']}."
    if matter.kind == "room_fact" and said["room"] in screen.let:
        return f"{screen.let[said['room']]['name']} has {said['value']} ({said['fact'].removeprefix('capacity.')})."
    if matter.kind == "availability":
        days = dict.fromkeys(screen.when(slot).split(" ")[0] for rule in matter.rules for slot in rule.slots)
        return f"{screen.people[said['person']]['name']} cannot come on {' and '.join(days)}."
    return ""
