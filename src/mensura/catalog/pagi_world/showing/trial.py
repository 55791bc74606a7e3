"""Trial: a room that subjects try while it is filmed, so that who builds it sees at once what comes of it."""

import time
from collections.abc import Mapping
from typing import Any

from mensura.catalog.pagi_world.dialogue import Owed, play_counted
from mensura.catalog.pagi_world.play import PlayTerms, RoomPlay
from mensura.catalog.pagi_world.rooms.room import RoomPlan
from mensura.catalog.pagi_world.subjects import SUBJECTS
from mensura.dialogue import Ask, Pass, Round, generator
from mensura.errors import BadParameter, unknown
from mensura.subjects.subject import begin

PICTURES = 20
"""Pictures a second of the room's time."""
PATIENCE = 20.0
"""Seconds of computing after which a trial is cut short."""


class FilmedPlay(RoomPlay):
    """A room that is played and keeps pictures of where everything was."""

    def __init__(self, plan: RoomPlan) -> None:
        super().__init__(plan, PlayTerms())
        self.film = [self.picture()]
        self.ends = time.monotonic() + PATIENCE

    def step(self) -> None:
        """Let one tick pass, and look."""
        if time.monotonic() > self.ends:
            return
        super().step()
        if self.world.tick % round(self.rate / PICTURES) == 0 or self.over:
            self.film.append(self.picture())

    @property
    def over(self) -> bool:
        """Whether nothing more can be done, or it took too long to compute."""
        return self.succeeded is not None or time.monotonic() > self.ends

    def picture(self) -> dict[str, Any]:
        """Return where all is: of each thing and body place and angle, of a body its hands too."""
        from math import degrees

        agents = {
            role: [*_spot(avatar.body, degrees(avatar.body.angle)), *_place(avatar, 0), *_place(avatar, 1)]
            for role, avatar in self.world.avatars.items()
        }
        things = {thing.name: _spot(thing.body, degrees(thing.body.angle)) for thing in self.world.things.values()}
        seen: dict[str, Any] = {"time": round(self.seconds, 3), "things": things, "agents": agents}
        if self.world.pool is not None:
            seen["water"] = [round(float(one), 2) for one in self.world.pool.place.ravel()]
        return seen


def _spot(body: Any, angle: float) -> list[float]:
    return [round(body.position.x, 3), round(body.position.y, 3), round(angle, 1)]


def _place(avatar: Any, side: int) -> list[float]:
    return [round(one, 3) for one in avatar.hand_place(side)]


def try_room(plan: RoomPlan, who: Mapping[str, str], seed: int) -> dict[str, Any]:
    """Let subjects play a room, by role, and return the film with what came of it."""
    play = FilmedPlay(plan)
    subjects: dict[str, Any] = {}
    for role in plan.roles:
        name = who.get(role, "still")
        if name not in SUBJECTS:
            raise unknown("subject", str(name), known=list(SUBJECTS), see=f"There are {', '.join(SUBJECTS)}.")
        subject = subjects[role] = SUBJECTS[name]()
        begin(subject, generator(seed), role)
        if hasattr(subject, "feedback"):
            subject.feedback(Ask(play.briefing(role), key="briefing", role=role))
    owed = Owed.of(plan.roles)
    things = {thing.name: thing.plan.data() for thing in play.world.things.values()}
    while not play.over:
        dialogue = play_counted(play, owed)
        asked = next(dialogue, None)
        while asked is not None:
            answer = None if isinstance(asked, Pass) else _answered(subjects, asked)
            things |= {one.name: one.plan.data() for one in play.world.things.values() if one.name not in things}
            try:
                asked = dialogue.send(answer)
            except StopIteration:
                break
    return {
        **play.standing(),
        "seconds": play.seconds,
        "cut": play.succeeded is None,
        "film": play.film,
        "things": things,
        "drawn": plan.drawn,
        "said": [list(one) for one in play.spoken],
    }


def _answered(subjects: Mapping[str, Any], asked: Any) -> Any:
    if isinstance(asked, Round):
        return {ask.role: _answered(subjects, ask) for ask in asked.asks}
    subject = subjects[asked.role]
    seen = asked if getattr(subject, "knows", "") == "truth" else asked.without_truth()
    try:
        return asked.space.check(subject(seen))
    except (LookupError, AttributeError, TypeError) as error:
        # Scripts know the rooms that come with the test; in another of the same name they may miss what they look for.
        raise BadParameter(f"{type(subject).__name__} cannot play this room: it misses {error}.") from None
