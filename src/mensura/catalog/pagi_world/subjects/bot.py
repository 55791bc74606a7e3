"""Bot: skills of a body in a room that it knows all of: where to walk, how to carry; scripts are made of them."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from math import hypot
from typing import TYPE_CHECKING, Any

from mensura.catalog.pagi_world.world.terms import BODY_MASS, MOST_FORCE

if TYPE_CHECKING:
    from mensura.catalog.pagi_world.play import RoomPlay

Row = tuple[Any, ...]
Script = Generator[list[Row], None, None]
"""Yields what is called in one tick."""
Pair = tuple[float, float]
FAST, CLOSE = 5.0, 0.12
FRICTION = 520.0


class Bot:
    """The body of a role in a room that is played; each skill is a script."""

    def __init__(self, play: RoomPlay, role: str) -> None:
        self.play, self.role = play, role
        self.goals: dict[int, Any] = {}
        """Side → where that hand is kept, a place in the room or a function that returns one."""

    @property
    def avatar(self) -> Any:
        """The body; it is another after a save."""
        return self.play.places[self.role].avatar

    @property
    def x(self) -> float:
        """Where the body stands."""
        return float(self.avatar.body.position.x)

    def at(self, name: str) -> Pair:
        """Return where a thing is now."""
        place = self.play.world.place_of(name)
        return (0.0, 0.0) if place is None else place

    def is_there(self, name: str) -> bool:
        """Return whether a thing is in the room."""
        return self.play.world.find(name) is not None

    def keep_hands(self) -> list[Row]:
        """Push hands to where they are kept."""
        rows = []
        for side, goal in self.goals.items():
            wanted = goal() if callable(goal) else goal
            rows.append(self._hand_row(side, wanted))
        return rows

    def _hand_row(self, side: int, goal: Pair) -> Row:
        hand, body = self.avatar.hands[side], self.avatar.body
        load = 1.0
        weight = 0.0
        for number, _ in self.avatar.grips[side]:
            thing = self.play.world.things[number]
            if thing.moves:
                load += float(thing.row.mass or 0)
                weight -= float(thing.row.mass or 0) * self.play.world.space.gravity[1]
        gain, damping = 120.0 * load, 20.0 * load
        speed = hand.velocity - body.velocity
        away = ((goal[0] - hand.position.x), (goal[1] - hand.position.y))
        far = max(1.0, hypot(*away) / 0.8)
        x = gain * away[0] / far - damping * speed.x
        y = gain * away[1] / far - damping * speed.y + weight
        return ("addForce", ("LHvec", "RHvec")[side], [_bound(x), _bound(y)])

    def _walk_row(self, wanted: float) -> Row:
        """Push the body towards a speed."""
        speed = self.avatar.body.velocity.x
        force = 15 * BODY_MASS * (wanted - speed)
        on_ground = abs(self.avatar.body.velocity.y) < 0.5
        if on_ground and abs(wanted) > 0.05:
            force += FRICTION if wanted > 0 else -FRICTION
        return ("addForce", "BMH", _bound(force))

    def wait(self, seconds: float) -> Script:
        """Keep hands where they are kept for a while."""
        for _ in range(round(seconds * self.play.rate)):
            yield [self._walk_row(0.0), *self.keep_hands()]

    def walk(self, x: float, *, most: float = 12.0, fast: float = FAST, near: float = CLOSE) -> Script:
        """Walk to a place on the floor."""
        for _ in range(round(most * self.play.rate)):
            away = x - self.x
            if abs(away) < near and abs(self.avatar.body.velocity.x) < 0.5:
                return
            speed = max(-fast, min(fast, 4 * away))
            yield [self._walk_row(speed), *self.keep_hands()]

    def reach(self, side: int, goal: Any, *, most: float = 4.0, near: float = CLOSE) -> Script:
        """Move a hand to a place, and keep it there."""
        self.goals[side] = goal
        for _ in range(round(most * self.play.rate)):
            wanted = goal() if callable(goal) else goal
            hand = self.avatar.hand_place(side)
            if hypot(wanted[0] - hand[0], wanted[1] - hand[1]) < near:
                return
            yield [self._walk_row(0.0), *self.keep_hands()]

    def grip(self, side: int) -> Script:
        """Close a hand."""
        yield [("addForce", ("LHG", "RHG")[side], None), *self.keep_hands()]

    def release(self, side: int) -> Script:
        """Open a hand."""
        yield [("addForce", ("LHR", "RHR")[side], None), *self.keep_hands()]

    def take(self, name: str, side: int, *, offset: Pair = (0.0, 0.0)) -> Script:
        """Walk near a thing and take it in a hand."""
        x = self.at(name)[0]
        stand = x + (2.2 if side == 0 else -2.2)
        yield from self.walk(stand)
        yield from self.reach(side, lambda: (self.at(name)[0] + offset[0], self.at(name)[1] + offset[1]))
        yield from self.grip(side)

    def lift(self, side: int, height: float, *, out: float = 2.2) -> Script:
        """Lift what a hand holds, beside the body."""
        way = -out if side == 0 else out
        self.goals[side] = lambda: (self.x + way, self.avatar.body.position.y + height)
        yield from self.wait(0.7)

    def jump_over(self, edge: float, beyond: float, *, fast: float = 6.0) -> Script:
        """Run, jump just before an edge, and go on until beyond."""
        way = 1 if beyond > self.x else -1
        jumped = False
        for _ in range(round(10 * self.play.rate)):
            if (beyond - self.x) * way < 0:
                return
            rows = [self._walk_row(way * fast), *self.keep_hands()]
            if not jumped and (edge - self.x) * way < 0.6:
                rows.append(("addForce", "J", None))
                jumped = True
            yield rows

    def answer(self, key: str, value: Any) -> Script:
        """Answer a question of the room."""
        yield [("answerQuestion", key, value)]


def _bound(force: float) -> float:
    return max(-MOST_FORCE, min(MOST_FORCE, force))


def both(*scripts: Sequence[Row]) -> list[Row]:
    """Return the rows of several in one tick."""
    return [row for script in scripts for row in script]
