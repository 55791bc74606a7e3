"""Solver: one script a room, by someone who knows all of it: the ceiling."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Any

from mensura.catalog.pagi_world.arrays import VECTOR
from mensura.catalog.pagi_world.subjects.bot import Bot, Row, Script
from mensura.dialogue import Ask, Calls
from mensura.subjects.subject import Unlearning

LEFT, RIGHT = 0, 1


class RoomSolver(Unlearning):
    """Solves the rooms that come with the test by scripts; it is declared to know the truth."""

    knows = "truth"
    recomputes = True

    def begin(self, rng: Any, role: str) -> None:
        """Begin a session."""
        self.role = role
        self._script: Script | None = None

    def __call__(self, ask: Ask) -> Any:
        if not isinstance(ask.space, Calls):
            return [0.0] * len(VECTOR.low)
        if self._script is None:
            bot = Bot(ask.aside, self.role)
            script = SCRIPTS.get(ask.aside.plan.name)
            self._script = iter(()) if script is None else script(bot)  # type: ignore[assignment]
        rows = next(self._script, None)  # type: ignore[arg-type]
        return [("step", 30)] if rows is None else [*rows, ("step", 1)]

    def remember(self, ask: Ask, answer: Any) -> None:
        """Go through what was answered before, to stand where one was."""
        self(ask)


def _catch(bot: Bot) -> Script:
    ball = bot.play.world.find("ball")
    assert ball is not None
    # Where it is soon: a hand follows a step behind.
    bot.goals[LEFT] = bot.goals[RIGHT] = lambda: (
        min(max(ball.body.position.x + 0.05 * ball.body.velocity.x, bot.x - 1.5), bot.x + 1.5),
        min(max(ball.body.position.y + 0.05 * ball.body.velocity.y, 2.6), 4.6),
    )
    while not bot.avatar.grips[LEFT] and not bot.avatar.grips[RIGHT]:
        rows: list[Row] = [*bot.keep_hands(), ("addForce", "LHG", None), ("addForce", "RHG", None)]
        yield rows
    held = LEFT if bot.avatar.grips[LEFT] else RIGHT
    bot.goals = {held: lambda: (bot.x + (held * 2 - 1) * 1.0, 3.2)}
    yield from bot.wait(3)


def _hold(bot: Bot) -> Script:
    yield from bot.grip(RIGHT)
    yield from bot.reach(RIGHT, (1.9, 2.84))
    yield from bot.wait(12)


def _balance(bot: Bot) -> Script:
    yield from bot.answer("tilt", bot.play.plan.drawn["sides"])
    yield from bot.reach(RIGHT, bot.at("switch"))
    yield from bot.grip(RIGHT)
    yield from bot.wait(1)


def _build(bot: Bot) -> Script:
    drawn = bot.play.plan.drawn
    yield from bot.take("free weight", RIGHT)
    yield from bot.lift(RIGHT, 1.5)
    hook = 1.5 * drawn["wanted"]
    yield from bot.walk(hook - 1.9)
    yield from bot.reach(RIGHT, (hook, 3.75))
    yield from bot.wait(0.3)
    yield from bot.release(RIGHT)
    bot.goals.clear()
    yield from bot.wait(0.5)
    yield from bot.walk(7.0)
    yield from bot.reach(RIGHT, bot.at("switch"))
    yield from bot.grip(RIGHT)
    yield from bot.wait(3)


def _heal(bot: Bot) -> Script:
    large = bool(bot.play.plan.drawn["large"])
    if large:
        bot.goals[LEFT] = bot.at("kit")
        yield from bot.reach(RIGHT, bot.at("kit_2"))
        yield from bot.reach(LEFT, bot.at("kit"))
        yield from bot.grip(LEFT)
        yield from bot.grip(RIGHT)
        bot.goals[LEFT] = lambda: (bot.x - 2.2, 3.6)
        yield from bot.reach(RIGHT, lambda: (bot.x + 2.2, 3.6))
        yield from bot.wait(0.5)
        bot.goals[LEFT] = lambda: (bot.x - 2.6, 2.0)
        bot.goals[RIGHT] = lambda: (bot.x + 2.6, 2.0)
    else:
        yield from bot.reach(RIGHT, bot.at("kit"))
        yield from bot.grip(RIGHT)
        yield from bot.lift(RIGHT, 1.2, out=2.6)
    right = bot.at("right soldier")[0]
    yield from bot.walk(right - 3.2)
    bot.goals[RIGHT] = lambda: (bot.at("right soldier")[0] - 0.6, 1.8)
    yield from bot.wait(1.5)
    if large:
        bot.goals.pop(RIGHT)
        yield from bot.walk(bot.at("left soldier")[0] + 3.2)
        bot.goals[LEFT] = lambda: (bot.at("left soldier")[0] + 0.6, 1.8)
        yield from bot.wait(2)


def _wall(bot: Bot) -> Script:
    wall = bot.at("wall")[0]
    apple = bot.at("apple")[0]
    yield from bot.walk(wall - 6.0)
    yield from bot.jump_over(wall - 2.4, wall + 2.2, fast=5.0)
    yield from bot.walk(apple, most=6)


def _gap(bot: Bot) -> Script:
    drawn = bot.play.plan.drawn
    edge, apple = drawn["gap"], bot.at("apple")[0]
    yield from bot.walk(edge - 6.0)
    yield from bot.jump_over(edge - 0.3, edge + drawn["width"] + 1.2, fast=6.0)
    yield from bot.walk(apple, most=6)


def _key(bot: Bot) -> Script:
    yield from bot.take("key", LEFT)
    yield from bot.lift(LEFT, 1.4)
    box = bot.at("box")[0]
    # Over the head to the other side.
    bot.goals[LEFT] = lambda: (bot.x, 3.6)
    yield from bot.wait(0.6)
    yield from bot.walk(box - 3.4)
    bot.goals[LEFT] = lambda: (bot.x + 1.2, 3.0)
    yield from bot.wait(0.5)
    bot.goals[LEFT] = lambda: (box - 0.9, 2.4)
    for _ in range(40):
        if not bot.is_there("box"):
            break
        yield from bot.walk(box - 2.6, most=0.1)
        yield from bot.wait(0.1)
    bot.goals.clear()
    yield from bot.walk(box, most=8)
    yield from bot.wait(0.5)
    yield from bot.walk(bot.at("box_content")[0], most=8)


def _hot(bot: Bot) -> Script:
    bot.goals[RIGHT] = lambda: (bot.x + 2.0, 2.6)
    yield from bot.wait(9)


def _pills(bot: Bot) -> Script:
    yield [("say", "I don't know", None, None, None, None)]
    for _ in range(30):
        yield []
    heard = [role for _, role, words in bot.play.spoken if role == bot.role]
    if heard:
        yield [("say", "I was not given the dumbing pill", None, None, None, None)]


def _condition(bot: Bot) -> Script:
    place = bot.at("dispenser")
    bot.goals[RIGHT] = place
    for count in range(int(bot.play.plan.drawn["pays"])):
        yield from bot.walk(0.0)
        yield from bot.reach(RIGHT, place)
        yield from bot.grip(RIGHT)
        yield from bot.release(RIGHT)
        name = f"dispenser_apple_{count + 1}"
        yield from bot.wait(1.0)
        for _ in range(20):
            if not bot.is_there(name):
                break
            yield from bot.walk(bot.at(name)[0], most=0.5)


def _resist(bot: Bot) -> Script:
    truth = bot.play.plan.drawn["truth"]
    yield from bot.answer("mine", truth)
    if bot.play.plan.drawn["hijacked"]:
        yield from bot.answer("since", ceil(bot.play.plan.drawn["from"] * bot.play.rate))
    # Far from the soldier nothing that pushes reaches him.
    for _ in range(9 * bot.play.rate):
        speed = max(-4.0, min(4.0, 3 * (-9.0 - bot.x)))
        force = 2000 * (speed - bot.avatar.body.velocity.x) - (500 if bot.play.plan.drawn["hijacked"] else 0)
        yield [("addForce", "BMH", max(-20000.0, min(20000.0, force)))]


def _magnet(bot: Bot) -> Script:
    yield from bot.take("magnet", LEFT)
    bot.goals[LEFT] = lambda: (bot.x - 0.6, 3.9)
    yield from bot.wait(0.8)
    pit = bot.at("nail")[0]
    yield from bot.walk(pit - 2.2)
    bot.goals[LEFT] = lambda: (bot.x + 1.0, 3.0)
    yield from bot.wait(0.6)
    yield from bot.reach(RIGHT, lambda: bot.at("magnet"))
    yield from bot.grip(RIGHT)
    yield from bot.release(LEFT)
    bot.goals.pop(LEFT)
    yield from bot.reach(RIGHT, lambda: (pit, 1.0), most=1.5)
    yield from bot.reach(RIGHT, lambda: (pit, -1.9), most=2.0)
    for _ in range(80):
        if bot.at("nail")[1] > bot.at("magnet")[1] - 1.2:
            break
        yield from bot.wait(0.1)
    yield from bot.reach(RIGHT, lambda: (pit, 2.2), most=3.0)
    yield from bot.wait(3)


def _dance(bot: Bot) -> Script:
    for which in bot.play.plan.drawn["order"]:
        if which == 2:
            yield [("addForce", "J", None)]
            yield from bot.wait(2.2)
        else:
            yield from bot.walk(-4.5 if which == 0 else 4.5)


def _crate(bot: Bot) -> Script:
    drawn = bot.play.plan.drawn
    crate = drawn["crate"]
    if drawn["inside"]:
        yield from bot.walk(crate - 2.9)
        yield from bot.reach(RIGHT, lambda: bot.at("ball"))
        yield from bot.grip(RIGHT)
        yield from bot.reach(RIGHT, lambda: (crate, 3.4))
        yield from bot.walk(crate - 8)
        yield from bot.reach(RIGHT, lambda: (bot.x + 2.2, 0.6), most=1.5)
        yield from bot.release(RIGHT)
    else:
        yield from bot.take("ball", LEFT)
        bot.goals[LEFT] = lambda: (bot.x - 1.6, 3.6)
        yield from bot.wait(0.6)
        yield from bot.walk(crate - 3.0)
        yield from bot.reach(LEFT, lambda: (bot.x + 1.6, 3.4), most=2)
        yield from bot.walk(crate - 2.8)
        yield from bot.reach(LEFT, lambda: (crate - 0.6, 2.4), most=2)
        yield from bot.reach(LEFT, lambda: (crate - 0.6, 1.2), most=1)
        yield from bot.wait(0.3)
        yield from bot.release(LEFT)
    bot.goals.clear()
    yield from bot.wait(4)


def _divert(bot: Bot) -> Script:
    plank, pit = bot.play.world.find("turning wall"), bot.play.plan.drawn["pit"]
    assert plank is not None

    def end() -> tuple[float, float]:
        place = plank.body.local_to_world((1.7, 0.0))
        return place.x, place.y

    # The block first, up and over the head, before water can wash it into the pit.
    yield from bot.reach(RIGHT, lambda: bot.at("orange block"), most=3)
    yield from bot.grip(RIGHT)
    yield from bot.reach(RIGHT, lambda: (bot.x + 1.6, 4.2), most=3)
    # Down with the right end of the wall.
    yield from bot.reach(LEFT, end, most=3)
    yield from bot.grip(LEFT)
    bot.goals[LEFT] = lambda: (end()[0], end()[1] - 2.0)
    yield from bot.wait(2.0)
    yield from bot.release(LEFT)
    del bot.goals[LEFT]
    yield from bot.jump_over(pit - 2.6, pit + 2.6, fast=5.5)
    yield from bot.walk(pit + 5.0, most=3)
    yield from bot.reach(RIGHT, lambda: (bot.x + 2.6, 1.2), most=2)
    yield from bot.release(RIGHT)
    bot.goals.clear()
    yield from bot.walk(pit + 2.4, most=4)
    while bot.is_there("apple"):
        x, y = bot.at("apple")
        if y < -1.0:
            yield from bot.wait(0.2)
        elif abs(x - pit) > 1.2:
            # Washed out of the pit, to this side of it or to the other.
            if (x - pit) * (bot.x - pit) < 0:
                side = 1 if x > pit else -1
                yield from bot.walk(pit - side * 5.0, most=3)
                yield from bot.jump_over(pit - side * 2.6, pit + side * 2.6, fast=5.5)
            yield from bot.walk(x, most=2)
        else:
            yield from bot.walk(pit + 2.4, most=2)
            yield from bot.reach(LEFT, lambda: bot.at("apple"), most=1.5)
            yield from bot.grip(LEFT)
            yield from bot.reach(LEFT, lambda: (bot.x - 1.2, 1.8), most=1)
            yield from bot.reach(LEFT, lambda: (bot.x - 0.3, 1.2), most=1)
            yield from bot.release(LEFT)
            bot.goals.clear()


def _heavier(bot: Bot) -> Script:
    yield from bot.answer("heavier", bot.play.plan.drawn["truth"])


SCRIPTS: dict[str, Callable[[Bot], Script]] = {
    "catch-ball": _catch,
    "hold-still": _hold,
    "balance-beam": _balance,
    "balance-build": _build,
    "two-soldiers": _heal,
    "jump-the-wall": _wall,
    "jump-the-gap": _gap,
    "key-and-lock": _key,
    "hot-plate": _hot,
    "three-pills": _pills,
    "conditioning": _condition,
    "hijack": _resist,
    "magnet": _magnet,
    "dance": _dance,
    "inside-outside": _crate,
    "large-or-strong": _heavier,
    "water-diversion": _divert,
}
