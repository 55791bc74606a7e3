"""RoomPlay: a room that is being played: bodies, minds' reflexes, what was said, what is counted, when it is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from mensura.catalog.pagi_world.acting import carry_out
from mensura.catalog.pagi_world.onlooker import ONLOOKER
from mensura.catalog.pagi_world.reflexes.automaton import Automaton
from mensura.catalog.pagi_world.rooms.measure import measured, watch
from mensura.catalog.pagi_world.rooms.room import RoomPlan
from mensura.catalog.pagi_world.rooms.rules import plain, read_rule
from mensura.catalog.pagi_world.senses.sensors import Senses
from mensura.catalog.pagi_world.senses.sight import Sight
from mensura.catalog.pagi_world.speech import Bubble
from mensura.catalog.pagi_world.world.avatar import Avatar
from mensura.catalog.pagi_world.world.room_world import RoomWorld
from mensura.catalog.pagi_world.world.saving import again, load_world, save_world
from mensura.catalog.pagi_world.world.terms import TERMS
from mensura.errors import BadParameter

Reply = list[Any]
"""What an agent is told: the type of it, and its content."""
Row = tuple[Any, ...]
MOST_REPLIES, MOST_SPOKEN = 5000, 2000
PRAISE = 5.0
View = Literal["full", "senses"]
"""What people are shown: all of the room, or what its body senses."""


@dataclass(frozen=True, slots=True)
class PlayTerms:
    """How a room is played: conditions of the test that a result can name."""

    physics: str = "paper"
    names: bool = True
    latency: int = 0
    """Milliseconds until what an agent calls takes effect; its reflexes act at once."""
    reports: bool = True
    """Whether agents are told which of their reflexes fired."""
    view: View = "full"


@dataclass(slots=True)
class RolePlace:
    """One role in a room that is played: its body, senses, reflexes, and what it has not been told yet."""

    avatar: Avatar
    senses: Senses
    automaton: Automaton
    replies: list[Reply] = field(default_factory=list)
    delayed: list[tuple[int, Row]] = field(default_factory=list)
    answers: dict[str, Any] = field(default_factory=dict)


class RoomPlay:
    """A room that is played, from its plan or from what was saved."""

    def __init__(self, plan: RoomPlan, terms: PlayTerms, saved: Mapping[str, Any] | None = None) -> None:
        self.plan, self.terms = plan, terms
        self.kept: dict[str, int] = {}
        """Since when rules hold that must hold for a while."""
        self.spoken: list[tuple[int, str, str]] = []
        self.bubbles: list[Bubble] = []
        self.console: list[tuple[int, str, str]] = []
        self.sums: dict[str, list[float]] = {}
        """Of each measure, the sum and the count so far."""
        self.explored: dict[str, set[tuple[int, int]]] = {}
        """Of each measure, the fields of its grid that bodies were in."""
        self.praised = 0
        """How many of the moves that are praised were made."""
        self.succeeded: bool | None = None
        """Whether it is solved; None while it is open."""
        self.errors = 0
        self.folder = Path()
        """Where pictures of its things lie."""
        self.onlooker = ONLOOKER.get()
        self._read_rules()
        self._begin(saved)
        if self.onlooker is not None:
            self.onlooker.begun(self)

    def _read_rules(self) -> None:
        plan = self.plan
        self._success, self._failure = plan.rule("success"), plan.rule("failure")
        self._praises = [read_rule(rule) for rule in plan.praises]
        self.watched = {
            name: read_rule(measure["rule"]) for name, measure in plan.measures.items() if measure["kind"] == "when"
        }

    def _begin(self, saved: Mapping[str, Any] | None) -> None:
        if saved is None:
            self.world = _furnish(self.plan, self.terms)
        else:
            self.world = load_world(saved["world"])
            self.kept, self.sums = dict(saved["kept"]), {name: list(pair) for name, pair in saved["sums"].items()}
            self.explored = {name: {tuple(one) for one in fields} for name, fields in saved["explored"].items()}
            self.spoken = [tuple(one) for one in saved["spoken"]]
            self.console = [tuple(one) for one in saved["console"]]
            self.bubbles = [Bubble.read(one) for one in saved["bubbles"]]
            self.errors, self.praised = saved["errors"], saved["praised"]
        self._seat(saved)

    def _seat(self, saved: Mapping[str, Any] | None = None) -> None:
        """Give every role its senses anew; reflexes and states come from what was saved or from before."""
        sight = Sight(self.world)
        before = getattr(self, "places", {})
        self.places: dict[str, RolePlace] = {}
        for role, avatar in self.world.avatars.items():
            senses = Senses(self.world, avatar, sight, self.bubbles, names=self.terms.names)
            if saved is not None:
                kept = saved["places"][role]
                self.places[role] = RolePlace(
                    avatar, senses, Automaton.read(kept["automaton"]), [list(one) for one in kept["replies"]],
                    [(tick, tuple(row)) for tick, row in kept["delayed"]], dict(kept["answers"]),
                )  # fmt: skip
            elif role in before:
                old: RolePlace = before[role]
                self.places[role] = RolePlace(avatar, senses, old.automaton, old.replies, old.delayed, old.answers)
            else:
                self.places[role] = RolePlace(avatar, senses, Automaton())

    @property
    def rate(self) -> int:
        """Ticks a second."""
        return self.world.terms.rate

    @property
    def seconds(self) -> float:
        """How long it has been played."""
        return self.world.tick / self.rate

    @property
    def limit(self) -> int:
        """The tick at which it is over at the latest."""
        return round(self.plan.seconds * self.rate)

    @property
    def at_limit(self) -> bool:
        """Whether its time is up."""
        return self.world.tick >= self.limit

    @property
    def over(self) -> bool:
        """Whether nothing more can be done."""
        return self.succeeded is not None

    def instructions(self, role: str) -> str:
        """Return what anyone in this role must know: the room's words and the role's own."""
        own = next(agent.instructions for agent in self.plan.agents if agent.role == role)
        return "\n\n".join(part for part in (self.plan.instructions, own) if part)

    def briefing(self, role: str) -> str:
        """Return what a role is told before it begins."""
        parts = [self.instructions(role)]
        parts += [
            f"Question {one.key}: {one.text}" + (f" ({' / '.join(one.options)})" if one.options else "")
            for one in self.plan.questions
        ]
        long = f"You have {self.plan.seconds:g} seconds, {self.limit} ticks."
        parts.append(f"{long} Answer with a list of calls; `step` lets time pass.")
        return "\n\n".join(part for part in parts if part)

    def call(self, role: str, rows: Sequence[Row]) -> None:
        """Carry out what a role calls, now or after its latency."""
        place, wait = self.places[role], round(self.terms.latency * self.rate / 1000)
        for row in rows:
            place.avatar.commands += row[0] != "SC"
            if self.onlooker is not None:
                self.onlooker.called(self, role, row)
            if wait and row[0] not in ("sensorRequest", "SC"):
                place.delayed.append((self.world.tick + wait, row))
            else:
                self.do(role, row)

    def do(self, role: str, row: Row, *, by_reflex: bool = False) -> None:
        """Carry out one call at once; that an act of a reflex was done is no news, what it senses is."""
        place = self.places[role]
        replies = carry_out(self, role, row)
        for reply in replies:
            if by_reflex and reply[0] == "update":
                continue
            if reply[0] == "errorMsg":
                self.errors += 1
            if len(place.replies) < MOST_REPLIES:
                place.replies.append(reply)

    def step(self) -> None:
        """Let one tick pass: reflexes first, then what is due, then the room moves."""
        self.react()
        self.move()

    def react(self) -> None:
        """Let states fade and reflexes fire."""
        for role, place in self.places.items():
            place.automaton.fade(self.world.tick)
            if place.automaton.reflexes:
                self._react(role, place)

    def move(self) -> None:
        """Do what is due, and let the room move on by one tick."""
        world = self.world
        for role, place in self.places.items():
            if place.delayed:
                due = [row for tick, row in place.delayed if tick <= world.tick]
                place.delayed = [(tick, row) for tick, row in place.delayed if tick > world.tick]
                for row in due:
                    self.do(role, row)
        for one in self.plan.foreign:
            if one.begins * self.rate <= world.tick < one.ends * self.rate:
                carry_out(self, one.role, one.call)
        self.world.step()
        if self.bubbles:
            self.bubbles[:] = [bubble for bubble in self.bubbles if bubble.until > world.tick]
        if self.world.notices:
            self._pass_on()
        self._measure()
        if self.praised < len(self._praises) and self._praises[self.praised](self):
            self._praise()
        self._judge()
        if self.onlooker is not None:
            self.onlooker.passed(self)

    def _react(self, role: str, place: RolePlace) -> None:
        fired, wrong = place.automaton.firing(place.senses)
        for name, words in wrong:
            self.errors += 1
            place.replies.append(["errorMsg", f"reflex {name}: {words}"])
        for rule in fired:
            place.avatar.firings += 1
            for action in rule.actions:
                self.do(role, action, by_reflex=True)
            if self.terms.reports and len(place.replies) < MOST_REPLIES:
                place.replies.append(["reflexFired", rule.name])

    def _pass_on(self) -> None:
        for role, kind, what in self.world.notices:
            for other, place in self.places.items():
                if role in ("", other) and len(place.replies) < MOST_REPLIES:
                    place.replies.append([kind, *(list(what) if isinstance(what, tuple) else [what])])
        self.world.notices.clear()

    def speak(self, role: str, text: str) -> None:
        """Let all hear what a role says, itself too."""
        if len(self.spoken) < MOST_SPOKEN:
            self.spoken.append((self.world.tick, role, text))
        self.world.tell("heard", (role, text))

    def hear(self, text: str) -> None:
        """Pass on what a person types to the agents."""
        self.world.tell("SC", text)

    def _praise(self) -> None:
        self.praised += 1
        for role, place in self.places.items():
            place.avatar.endorphins += PRAISE
            place.replies += [["SC", "good"], ["RD", PRAISE, 0]]
            self.world.happen(f"praised {role} {self.praised}")

    def _measure(self) -> None:
        for name, measure in self.plan.measures.items():
            watch(self, name, measure)

    def point(self, where: Any) -> Any:
        """Return where a thing, a body or a hand is; two numbers stand for themselves."""
        return self.world.place_of(where) if isinstance(where, str) else tuple(where)

    def _judge(self) -> None:
        if self._failure is not None and self._failure(self):
            self.succeeded = False
        elif self._success is not None and self._success(self):
            self.succeeded = True
        elif self.at_limit:
            self.succeeded = False

    def is_right(self, key: str) -> bool | None:
        """Return whether a question was answered rightly; None where nobody answered it."""
        question = next((one for one in self.plan.questions if one.key == key), None)
        given = self.answers(key)
        if question is None or not given:
            return None
        return all(self.same(answer, question.truth) for answer in given)

    def answers(self, key: str) -> list[Any]:
        """Return what roles answered to a question."""
        return [place.answers[key] for place in self.places.values() if key in place.answers]

    @staticmethod
    def same(answer: Any, truth: Any) -> bool:
        """Return whether an answer is the truth: as a number where that is one, else as plain words."""
        if isinstance(truth, int | float) and not isinstance(truth, bool):
            try:
                return abs(float(answer) - float(truth)) < 1e-9
            except (TypeError, ValueError):
                return False
        return plain(answer) == plain(truth)

    def take_replies(self, role: str) -> list[Reply]:
        """Return what a role has not been told yet."""
        place = self.places[role]
        told, place.replies = place.replies, []
        if told and self.onlooker is not None:
            self.onlooker.told(self, role, told)
        return told

    def standing(self) -> dict[str, Any]:
        """Return how it stands, as `getOutcome` answers it."""
        avatars = self.world.avatars.values()
        return {
            "success": bool(self.succeeded),
            "ticks": self.world.tick,
            "endorphins": sum(avatar.endorphins for avatar in avatars),
            "work": sum(avatar.work for avatar in avatars),
        }

    def result(self) -> dict[str, Any]:
        """Return all that came of it, for the record."""
        avatars = self.world.avatars.values()
        return {
            **self.standing(),
            "seconds": self.seconds,
            "limit": self.plan.seconds,
            "commands": sum(avatar.commands for avatar in avatars),
            "firings": sum(avatar.firings for avatar in avatars),
            "errors": self.errors,
            "measures": {name: measured(self, name, measure) for name, measure in self.plan.measures.items()},
            "drawn": self.plan.drawn,
        }

    def change(self, world: RoomWorld) -> None:
        """Go on with another room's world, as after a save or a load."""
        self.world = world
        self._seat()

    def reset(self) -> None:
        """Put everything back as it was at first; reflexes and states stay, as in the program of 2018."""
        counted, tick = {role: place.avatar.commands for role, place in self.places.items()}, self.world.tick
        self.kept.clear()
        self.sums.clear()
        self.explored.clear()
        self.bubbles.clear()
        self.succeeded, self.praised = None, 0
        self.change(_furnish(self.plan, self.terms))
        for role, count in counted.items():
            self.places[role].avatar.commands = count
            self.places[role].automaton.shift(-tick)
            self.places[role].delayed.clear()
        if self.onlooker is not None:
            self.onlooker.begun(self)

    def load(self, plan: RoomPlan) -> None:
        """Go on in another room; reflexes and states stay, as in the program of 2018."""
        if set(plan.roles) != set(self.places):
            raise BadParameter(f"That room has the roles {', '.join(plan.roles)}; here are {', '.join(self.places)}.")
        # Raises where it cannot be built, before anything has changed.
        _furnish(plan, self.terms)
        self.plan = plan
        self._read_rules()
        self.reset()

    def place_of_body(self, role: str) -> tuple[float, float]:
        """Return where the body of a role is."""
        place = self.places[role].avatar.body.position
        return place.x, place.y

    def as_room(self) -> dict[str, Any]:
        """Return the room as it is now, as a file has it."""
        from math import degrees

        things = []
        for thing in self.world.things.values():
            now = {"at": list(thing.body.position), "angle": degrees(thing.body.angle)}
            things.append({**thing.plan.data(), **now})
        plan = self.plan
        said = {
            "instructions": plan.instructions,
            "success": plan.success,
            "failure": plan.failure,
            "measures": plan.measures,
            "questions": [asdict(one) | {"options": list(one.options)} for one in plan.questions],
            "foreign": [{"role": c.role, "from": c.begins, "to": c.ends, "call": list(c.call)} for c in plan.foreign],
            "silenced": plan.silenced,
            "praises": plan.praises,
            "water": plan.water,
        }
        told = {agent.role: agent.instructions for agent in plan.agents}
        return {
            "name": plan.name,
            **{name: list(value) if isinstance(value, tuple) else value for name, value in said.items() if value},
            "gravity": list(self.world.space.gravity),
            "seconds": plan.seconds,
            "editing": plan.editing,
            "agents": [
                {
                    "role": role,
                    "at": list(place.avatar.body.position),
                    "angle": degrees(place.avatar.body.angle),
                    "instructions": told[role],
                }
                for role, place in self.places.items()
            ],
            "things": things,
            "joints": [joint.plan.data() for joint in self.world.joints],
        }

    def state(self) -> dict[str, Any]:
        """Return all that is needed to go on, as JSON; going on here is with the copy too."""
        state = {
            "world": save_world(self.world),
            "kept": dict(self.kept),
            "sums": {name: list(pair) for name, pair in self.sums.items()},
            "explored": {name: sorted(map(list, fields)) for name, fields in self.explored.items()},
            "spoken": [list(one) for one in self.spoken],
            "console": [list(one) for one in self.console],
            "bubbles": [bubble.data() for bubble in self.bubbles],
            "errors": self.errors,
            "praised": self.praised,
            "places": {
                role: {
                    "automaton": place.automaton.data(),
                    "replies": [list(one) for one in place.replies],
                    "delayed": [[tick, list(row)] for tick, row in place.delayed],
                    "answers": dict(place.answers),
                }
                for role, place in self.places.items()
            },
        }
        self.change(again(self.world))
        return state


def _furnish(plan: RoomPlan, terms: PlayTerms) -> RoomWorld:
    world = RoomWorld(TERMS[terms.physics], plan.gravity)
    world.chance = plan.chance
    for thing in plan.things:
        world.add(thing)
    for joint in plan.joints:
        world.join(joint)
    for agent in plan.agents:
        world.enter(agent.role, agent.at, agent.angle)
    if plan.water or any(thing.row.does == "pours" for thing in world.things.values()):
        from mensura.catalog.pagi_world.water.pool import WaterPool

        world.pool = WaterPool.fill(plan.water)
    return world
