"""The oracle: plays a session by ordinary acts with full knowledge of the world; its score is the ceiling."""

from collections.abc import Iterator, Mapping
from typing import Any

from mensura.catalog.crisis.act import Act, call, vendor_act, when
from mensura.catalog.crisis.planning.plan import SchedulePlan
from mensura.catalog.crisis.planning.rearranging import next_move
from mensura.catalog.crisis.planning.truth import best_plan
from mensura.catalog.crisis.settings import COSTS
from mensura.catalog.crisis.subjects.settling import acts_for
from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.programme.event import GREAT
from mensura.catalog.crisis.world.time import slot_words
from mensura.dialogue import SUBJECT, Ask, Refused

IDLE = 30
"""How long it waits at a time for owners to answer."""


class PlanningOracle:
    """Is told the world, plans once by CP-SAT, and then does what a tireless planner would: one act at a time."""

    knows = "truth"

    def __init__(self) -> None:
        self._acts: Iterator[Act] | None = None
        self._desk: Mapping[str, Any] = {}

    def __call__(self, ask: Ask) -> Act | Refused:
        """Do the next thing; a survey is not for those who know everything."""
        if ask.until is None:
            return Refused("The oracle feels nothing.")
        if ask.role != SUBJECT:
            # A subject that knows everything needs no second pair of hands.
            return call("finish")
        self._desk = ask.prompt.page_data()  # type: ignore[union-attr]
        if self._acts is None:
            self._acts = self._work(ask.aside)
        return next(self._acts)

    @property
    def _office(self) -> Mapping[str, Any]:
        office: Mapping[str, Any] = self._desk["office"]
        return office

    def _work(self, world: Conference) -> Iterator[Act]:
        """Ask first, since owners take their time; then move, order, write, publish, and see to the tables."""
        plan = best_plan(world)
        for room, slot in plan.asks:
            yield call("ask_room", room=room, **when(slot))
        # What does not depend on the schedule is done meanwhile.
        others = self._see_to(world, "web")
        while (act := self._move(world, plan)) is not None:
            yield act if act["call"] != "wait" else next(others, act)
        for errand in plan.errands:
            yield vendor_act(errand)
        yield from self._see_to(world, "order")
        yield from others
        # Of what is left the briefing brings most for its time, should the time be short.
        yield call("brief", text=briefing(world, self._office))
        yield from self._publish(world)
        yield from self._see_to(world, "room_fact", "event_fact")
        yield from self._answer(world)
        yield call("finish")

    def _move(self, world: Conference, plan: SchedulePlan) -> Act | None:
        office = self._office
        place = {event: None if at is None else (at[0], at[1]) for event, at in office["place"].items()}
        granted = {(room, slot) for room, slot in office["granted"]}
        length = {event.id: event.length for event in world.events}
        closed = {asked for asked in plan.asks if asked not in granted}
        found = next_move(place, plan.placement, length=length, closed=closed)
        if found is None:
            return None
        event, target = found
        if not event:
            return call("wait", seconds=IDLE)
        if target is None:
            return call("unschedule", event=event)
        return call("move", event=event, room=target[0], **when(target[1]))

    def _publish(self, world: Conference) -> Iterator[Act]:
        office = self._office
        for entry in world.site:
            at = office["place"].get(entry.event) if entry.event else None
            if at is not None:
                should = world.announcement(at)
                wrong = {
                    field: value for field, value in should.items() if office["site"][entry.id].get(field) != value
                }
                if len(wrong) > 1 and "publish" in self._desk["tools"]:
                    yield call("publish", event=entry.event)
                    continue
                for field, value in wrong.items():
                    yield call("edit_entry", entry=entry.id, field=field, value=value)

    def _answer(self, world: Conference) -> Iterator[Act]:
        """Answer every question that has come, until none is left to come."""
        open_ = [(letter, task) for letter, task in world.tasks.values() if task.kind == "query"]
        for letter, task in sorted(open_, key=lambda pair: pair[0].tick):
            while letter.id not in {header["id"] for header in self._office["mailbox"]}:
                if self._desk["left"] <= COSTS["reply"]:
                    return
                yield call("wait", seconds=IDLE)
            words = task.target.get("answer", ())
            yield call("reply", message=letter.id, text=", ".join(str(word) for word in words) or "Thank you.")

    def _see_to(self, world: Conference, *kinds: str) -> Iterator[Act]:
        """Do what mail of these kinds asks for."""
        for letter, task in world.tasks.values():
            if task.kind in kinds:
                yield from acts_for(task, message=letter.id, world=world, constraints=False)


def briefing(world: Conference, office: Mapping[str, Any], *, most: int = 6) -> str:
    """Write what the chair should know: what moved, and what today's mail brought."""
    moved = [event for event in world.events if (at := office["place"][event.id]) and at != [event.room, event.slot]]
    moved.sort(key=lambda event: (event.kind not in GREAT, -event.attendance, event.id))
    lines = [f"{len(moved)} events were moved."]
    for event in moved[:1]:
        room, slot = office["place"][event.id]
        lines.append(f"{event.short}: {world.room[room].name}, {slot_words(slot, first=world.first)}.")
    today = [task.target for letter, task in world.tasks.values() if letter.tick >= 0 and task.kind == "event_fact"]
    lines += [f"{world.event[told['event']].short}: {told.get('item') or told['value']}." for told in today[:most]]
    return "\n".join(f"- {line}" for line in lines)
