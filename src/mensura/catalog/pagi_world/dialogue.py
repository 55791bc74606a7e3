"""The test of PAGI World: act in a room with a body and two hands, until it is solved or its time is up."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np

from mensura.catalog.pagi_world.arrays import SEES, VECTOR, acts_of, rows_of, senses_array
from mensura.catalog.pagi_world.calls import SPACE
from mensura.catalog.pagi_world.exhibits import exhibits
from mensura.catalog.pagi_world.percepts import LastPercepts, Percepts
from mensura.catalog.pagi_world.play import PlayTerms, RoomPlay, Row, View
from mensura.catalog.pagi_world.rooms.room import RoomName, draw_room, find_room, room_roles
from mensura.catalog.pagi_world.scoring import RESULT, score, scores
from mensura.catalog.pagi_world.settings import SETTINGS
from mensura.catalog.pagi_world.subjects import SUBJECTS
from mensura.catalog.pagi_world.world.terms import Physics
from mensura.dialogue import Ask, Clock, Outcome, Pass, Round, Save, Timing, test
from mensura.errors import BadParameter

Playing = Generator[Ask | Round | Save | Pass, Any, None]
SAVE_EVERY = 18_000
"""Ticks after which a long session is saved."""
MOST_IDLE = 100_000
"""Answers in a row that do not let the room go on: then it is over."""


def roles(*, room: str, **others: Any) -> tuple[str, ...]:
    """Return who acts in a room."""
    return room_roles(find_room(room))


def refuse(**parameters: Any) -> None:
    """Refuse parameters with which no room can be played."""
    if not 0 <= parameters["latency"] <= 10_000:
        raise BadParameter(f"--latency is 0 to 10 000 milliseconds; got {parameters['latency']}.")
    if not 0 <= parameters["stride"] <= 600:
        raise BadParameter(f"--stride is 0 to 600 ticks; got {parameters['stride']}.")
    if parameters["physics"] == "original" and not parameters["names"]:
        raise BadParameter("With --physics original all visual numbers are 0: without names vision would be blind.")
    RoomPlay(draw_room(find_room(parameters["room"]), np.random.default_rng(0)), PlayTerms(parameters["physics"]))


@test(
    "pagi-world-v1",
    extra="pagi-world",
    score=score,
    scored_by="truths",
    scores=scores,
    roles=roles,
    refuse=refuse,
    subjects=SUBJECTS,
    settings=SETTINGS,
    sees=SEES,
    acts=acts_of,
    exhibits=exhibits,
    timing=Timing(people="wall", tick_seconds=1 / 60, cost=0),
    memory=20,
)
def pagi_world(
    rng: np.random.Generator,
    clock: Clock,
    saved: Mapping[str, Any] | None = None,
    *,
    room: RoomName = "catch-ball",
    physics: Annotated[
        Physics,
        "Which constants move the room: paper (as printed) or original (the program of 2018).",
    ] = "paper",
    names: Annotated[
        bool,
        "Whether senses name the things that they find; without names, visual numbers alone tell them apart.",
    ] = True,
    latency: Annotated[
        int,
        "Milliseconds until what an agent calls takes effect, from 0 to 10000; its reflexes act at once.",
    ] = 0,
    pace: Annotated[
        Literal["counted", "wall"],
        "What moves time: counted (the `step`s that agents call) or wall (the clock, whether they act or not).",
    ] = "counted",
    reports: Annotated[bool, "Whether agents are told which of their reflexes fired."] = True,
    stride: Annotated[
        int,
        "For how many ticks one vector of acts is carried out, from 1 to 600, for agents that see and act by "
        "arrays; 0: agents act by calls.",
    ] = 0,
    view: Annotated[View, "What people are shown: full (the whole room) or senses (what the body senses)."] = "full",
) -> Generator[Ask | Round | Save | Pass, Any, Outcome]:
    """Act in a room with physics, with a round body and two hands, until it is solved or its time is up."""
    plan = draw_room(find_room(room), np.random.default_rng(rng.integers(2**63)))
    play = RoomPlay(plan, PlayTerms(physics, names, latency, reports, view), None if saved is None else saved["play"])
    play.folder = Path(room).parent if room.endswith((".json", ".tsk")) else Path()
    owed = Owed.of(plan.roles) if saved is None else Owed(dict(saved["owed"]), dict(saved["rest"]))
    if saved is None:
        for agent in plan.agents:
            yield Ask(play.briefing(agent.role), key="briefing", role=agent.role, aside=play)
    since = play.world.tick
    while not play.over:
        if pace == "wall":
            yield from play_tick(play, clock)
        elif stride:
            yield from play_strides(play, stride)
        else:
            yield from play_counted(play, owed)
        if play.world.tick - since >= SAVE_EVERY and not play.over:
            since = play.world.tick
            yield Save({"play": play.state(), "owed": dict(owed.ticks), "rest": dict(owed.rest)})
    words = "The room is solved." if play.succeeded else "The room is over; it is not solved."
    yield Ask("The room is over.", key=RESULT, role=plan.roles[0], truth=play.result())
    last = {role: [*play.take_replies(role), ["over", words]] for role in plan.roles}
    seen = senses_array(play.places[plan.roles[0]].senses) if stride else None
    return Outcome(
        LastPercepts(play.world.tick, last[plan.roles[0]], seen), reward=rewards(play), truncated=not play.succeeded
    )


@dataclass(slots=True)
class Owed:
    """What roles have called and is still to come: for how many ticks each lets the room go on, and its later calls."""

    ticks: dict[str, int]
    rest: dict[str, list[Row]]

    @classmethod
    def of(cls, roles: Sequence[str]) -> "Owed":
        """Return what is owed at first: nothing."""
        return cls(dict.fromkeys(roles, 0), {role: [] for role in roles})

    def take(self, play: RoomPlay, role: str, rows: Sequence[Row]) -> None:
        """Carry out what a role calls up to its next `step`; what comes after waits until those ticks have passed."""
        step = next((place for place, row in enumerate(rows) if row[0] == "step"), len(rows))
        play.call(role, rows[:step])
        self.ticks[role] = rows[step][1] if step < len(rows) else 0
        self.rest[role] = list(rows[step + 1 :])


def play_counted(play: RoomPlay, owed: Owed) -> Playing:
    """Ask who owes no ticks; once all let the room go on, it goes on until the first of them is to be asked again."""
    idle = 0
    while free := [role for role, ticks in owed.ticks.items() if ticks <= 0]:
        if later := [role for role in free if owed.rest[role]]:
            for role in later:
                owed.take(play, role, owed.rest[role])
            continue
        asks = [ask_of(play, role) for role in free]
        if len(asks) == 1:
            answer = yield asks[0]
            answers = {} if answer is None else {free[0]: answer}
        else:
            answers = yield Round(asks, need="any")
        for role in free:
            if role not in answers and not answers:
                # Who declines to act lets a tick pass.
                owed.ticks[role] = 1
        for role, rows in answers.items():
            owed.take(play, role, rows)
        idle += 1
        if idle > MOST_IDLE:
            owed.ticks.update({role: max(1, ticks) for role, ticks in owed.ticks.items()})
    ticks, before = min(owed.ticks.values()), play.world.tick
    for _ in range(ticks):
        play.step()
        if play.over:
            break
    passed = play.world.tick - before
    for role in owed.ticks:
        owed.ticks[role] -= passed
    yield Pass(passed)


def play_tick(play: RoomPlay, clock: Clock) -> Playing:
    """Collect what is called within a tick; its edge lets the room go on by one."""
    edge = clock.now + 1
    asks = [ask_of(play, role, until=edge) for role in play.places]
    if len(asks) == 1:
        answer = yield asks[0]
        answers = {} if answer is None else {asks[0].role: answer}
    else:
        answers = yield Round(asks, until=edge)
    play.react()
    for role in play.places:
        if role in answers:
            play.call(role, [row for row in answers[role] if row[0] != "step"])
    play.move()
    if clock.now < edge:
        yield Pass(edge - clock.now)


def play_strides(play: RoomPlay, stride: int) -> Playing:
    """Ask all roles for a vector of acts, which is done in each tick of the stride."""
    asks = [
        Ask(
            Percepts(play.world.tick, play.take_replies(role), senses_array(place.senses)),
            VECTOR,
            "act",
            role,
            aside=play,
        )
        for role, place in play.places.items()
    ]
    if len(asks) == 1:
        answer = yield asks[0]
        answers = {} if answer is None else {asks[0].role: answer}
    else:
        answers = yield Round(asks)
    before = play.world.tick
    for _ in range(stride):
        for role in play.places:
            if role in answers:
                play.call(role, rows_of(answers[role]))
                # What effectors answer is no news.
                play.places[role].replies = [one for one in play.places[role].replies if one[0] != "update"]
        play.step()
        if play.over:
            break
    yield Pass(play.world.tick - before)


def ask_of(play: RoomPlay, role: str, *, until: int | None = None) -> Ask:
    """Ask a role what it does now."""
    percepts = Percepts(play.world.tick, play.take_replies(role), play=play, role=role)
    return Ask(percepts, SPACE, "act", role, until=until, aside=play)


def rewards(play: RoomPlay) -> dict[str, float]:
    """Return what each role has earned: its endorphins, and one for a room that is solved."""
    return {role: float(bool(play.succeeded)) + place.avatar.endorphins for role, place in play.places.items()}
