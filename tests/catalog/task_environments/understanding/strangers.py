"""Subjects made from the definition of understanding alone, without the test's own, and two that cheat."""

import re

import numpy as np
from scipy.stats import norm

from mensura.catalog.task_environments.understanding.phenomenon import (
    MOST,
    PHENOMENA,
    POWER,
    SECONDS,
    TICK,
    TICKS,
    play,
    with_body,
)
from mensura.catalog.task_environments.understanding.question import heavier
from mensura.dialogue import Density, Probability, Vector, prompt_text

BASE = "power -> speed, mass -> speed, speed -> place"
CAUSES = {
    "friction": "friction -> speed, gravity -> speed",
    "slope": "slope -> speed, gravity -> speed",
    "drag": "drag -> speed",
    "fuel": "power -> fuel, fuel -> mass, fuel -> speed",
    "lock": "time -> gate, gate -> speed",
    "hidden": "time -> gate, gate -> speed",
    "kick": "time -> speed",
}


def number(cell):
    return np.nan if cell in ("?", "-") else float(cell)


def quantiles(space, centre, width):
    return np.clip(centre + width * norm.ppf(space.levels), space.low, space.high).tolist()


class Reader:
    """Reads what is shown and asked; subclasses say what they make of it."""

    recomputes = True

    def begin(self, rng):
        self.rng, self.runs, self.told, self.key, self.tick = rng, [], "", None, 0
        self.ready = False

    def feedback(self, told):
        if isinstance(told.prompt, str):
            self.told = told.prompt
            if named := re.search(r"something acts: (\w+)\.", told.prompt):
                self.phenomenon = PHENOMENA[named[1]]
        else:
            self.runs.append(np.array([[number(cell) for cell in row] for row in told.prompt.rows]))

    def __call__(self, ask):
        if not self.ready:
            self.learn()
            self.ready = True
        if isinstance(ask.space, Density | Probability):
            words, table = ask.prompt
            rows = np.array([[number(cell) for cell in row] for row in table.rows])
            asked = re.search(r"(-?[\d.]+) m (?:or more )?ahead", words)
            return self.foretell(ask, rows, float(asked[1]) if asked else None)
        if isinstance(ask.space, Vector):
            return self.act(ask)
        return getattr(self, ask.key, lambda ask: "I cannot say.")(ask)

    def learn(self):
        pass

    def act(self, ask):
        """Plan once, or set the next power; `left` ticks remain."""
        planned = isinstance(ask.prompt, list)
        readings = ask.prompt[1] if planned else ask.prompt
        words = ask.prompt[0] if planned else self.told
        self.tick = self.tick + 1 if self.key == ask.key else 0
        self.key = ask.key
        powers = self.plan(list(readings.values), absent="absent" in words, left=TICKS - self.tick, planned=planned)
        return powers if planned else powers[:1]


class Modeller(Reader):
    """Believes in the named law, with the number that explains the runs best."""

    def learn(self):
        starts, powers = [run[0, 2:] for run in self.runs], np.array([run[:-1, 1] for run in self.runs])
        seen = np.array([run[:, 2] for run in self.runs])
        low, high = self.phenomenon.low, self.phenomenon.high
        for count in (41, 9, 9, 9):
            tried = np.linspace(low, high, count)
            off = [np.abs(play(self.phenomenon.world(one), starts, powers).place - seen).sum() for one in tried]
            best, step = tried[int(np.argmin(off))], tried[1] - tried[0]
            low, high = max(best - step, self.phenomenon.low), min(best + step, self.phenomenon.high)
        self.number, self.world = float(best), self.phenomenon.world(best)

    def foretell(self, ask, rows, asked):
        start, powers = rows[0, 2:], rows[:-1, 1]
        if ask.key.startswith("missing"):
            tried = np.linspace(0, 30, 601)
            guesses = np.tile(powers, (601, 1))
            guesses[:, 4:8] = tried[:, None]
            off = np.nansum((play(self.world, start, guesses).speed - rows[:, 3]) ** 2, axis=1)
            return quantiles(ask.space, tried[off.argmin()], 0.05)
        if ask.key.startswith("related"):
            way = play(heavier(self.world), start, [powers]).way[0]
            return float(np.clip(0.5 + 2 * (way - asked), 0.01, 0.99))
        seen = play(self.world, start, [powers])
        if ask.key.startswith("later"):
            return quantiles(ask.space, seen.way[0], 0.05)
        return quantiles(ask.space, seen.when([asked])[0], 0.02)

    def plan(self, readings, *, absent, left, planned):
        if not planned and left < TICKS:
            return self.powers
        *start, target = readings
        low, high = 0.0, MOST
        for _ in range(3):
            tried = np.linspace(low, high, 61)
            world = self.phenomenon.plain if absent else self.world
            ends = play(world, start, np.repeat(tried[:, None], TICKS, axis=1)).place[:, -1]
            best, step = tried[np.abs(ends - target).argmin()], tried[1] - tried[0]
            low, high = max(best - step, 0.0), min(best + step, MOST)
        self.powers = [float(best)] * TICKS
        return self.powers

    def graph(self, ask):
        return f"{BASE}, {CAUSES[self.phenomenon.name]}"

    def interventions(self, ask):
        words = prompt_text(ask.prompt)
        start = [float(one) for one in re.search(r"starts at (\S+) m with (\S+) m/s", words).groups()]
        third = float(re.search(r"were ([\d.e-]+) larger", ask.space.questions["number"][0])[1])
        watts, back = np.full((1, TICKS), 30.0), [start[0], -start[1]]
        ways = {
            "mass": play(heavier(self.world), start, watts).way[0],
            "number": play(self.phenomenon.world(self.number + third), start, watts).way[0],
            "gravity": play(with_body(self.world, gravity=20.0), start, watts).way[0],
            "drag": play(with_body(self.world, drag=self.world.bodies[0].drag + 0.05), start, watts).way[0],
            "paint": (before := play(self.world, start, watts).way[0]),
            "power": play(self.world, start, 2 * watts).way[0],
            "both": play(heavier(self.world), start, 2 * watts).way[0],
            "backwards": -play(self.world, back, -watts).way[0],
        }
        return {
            key: "same" if abs(way - before) < 0.05 else "more" if way > before else "less" for key, way in ways.items()
        }

    def recreate(self, ask):
        return f"{self.number:.6f}"


class Correlator(Reader):
    """Regresses what comes next on what is there; knows no cause and no mass, but takes off what the motor does."""

    def learn(self):
        features = [self.features(run[:-1, 3], run[:-1, 1]) for run in self.runs]
        after = [np.diff(run[:, 2:], axis=0) for run in self.runs]
        self.weights = regressed(np.concatenate(features), np.concatenate(after))

    def features(self, speed, power):
        pushed = power / np.maximum(np.abs(speed), 1.0)
        return np.stack([np.ones_like(speed), speed, power, pushed, speed * np.abs(speed)], axis=-1)

    def roll(self, start, powers):
        powers = np.atleast_2d(powers)
        place, speed = (np.full(len(powers), float(one)) for one in start)
        places, speeds = [place], [speed]
        for column in powers.T:
            step = self.features(speed, column) @ self.weights
            place, speed = place + np.clip(step[:, 0], -50, 50), np.clip(speed + step[:, 1], -100, 100)
            places.append(place)
            speeds.append(speed)
        return np.array(places).T, np.array(speeds).T

    def foretell(self, ask, rows, asked):
        start, powers = rows[0, 2:], rows[:-1, 1]
        if ask.key.startswith("missing"):
            tried = np.linspace(0, 30, 301)
            guesses = np.tile(powers, (301, 1))
            guesses[:, 4:8] = tried[:, None]
            off = np.nansum((self.roll(start, guesses)[1] - rows[:, 3]) ** 2, axis=1)
            return quantiles(ask.space, tried[off.argmin()], 3.0)
        way = self.roll(start, powers)[0][0] - start[0]
        if ask.key.startswith("later"):
            return quantiles(ask.space, way[-1], 4.0)
        if ask.key.startswith("related"):
            return 0.85 if way[-1] >= asked else 0.15
        there = np.flatnonzero(way >= asked)
        return quantiles(ask.space, there[0] * TICK - TICK / 2 if len(there) else SECONDS, 0.4)

    def plan(self, readings, *, absent, left, planned):
        *start, target = readings
        tried = np.linspace(0, MOST, 121)
        ends = self.roll(start, np.repeat(tried[:, None], left, axis=1))[0][:, -1]
        return [float(tried[np.abs(ends - target).argmin()])] * TICKS

    def graph(self, ask):
        pairs = [("power", "speed"), ("speed", "place"), ("time", "place"), ("time", "speed"), ("power", "place")]
        return ", ".join(f"{one} -> {other}, {other} -> {one}" for one, other in pairs)

    def interventions(self, ask):
        return {key: "more" if key == "power" else "same" for key in ask.space.questions}

    def recreate(self, ask):
        left, seen = [], []
        for run in self.runs:
            mean = (run[:-1, 3] + run[1:, 3]) / 2
            left.append(np.diff(run[:, 3]) / TICK - run[:-1, 1] / (5.0 * np.maximum(np.abs(mean), 0.5)))
            seen.append(np.stack([np.ones_like(mean), mean, mean * np.abs(mean)], axis=1))
        one, two, three = regressed(np.concatenate(seen), np.concatenate(left))
        return f"{one:.5f} + {two:.5f}*speed + {three:.5f}*speed*abs(speed)"


class Actor(Reader):
    """Steers by what it sees now; of all else it can say nothing."""

    def foretell(self, ask, rows, asked):
        return ask.space.draw(self.rng)

    def plan(self, readings, *, absent, left, planned):
        place, speed, target = readings
        if planned:
            return [20.0] * TICKS
        return [float(np.clip(60 * ((target - place) / max(left * TICK, 0.3) - speed), -POWER, POWER))]

    def interventions(self, ask):
        return ask.space.draw(self.rng)


class Plain(Modeller):
    """Knows the cart and its motor, and nothing of what acts beside: the world without the phenomenon."""

    def learn(self):
        self.number, self.world = 0.0, self.phenomenon.plain

    def graph(self, ask):
        return BASE

    def interventions(self, ask):
        return {key: {"mass": "less", "drag": "less", "power": "more"}.get(key, "same") for key in ask.space.questions}

    def recreate(self, ask):
        return "0*speed"


class Sheet(Reader):
    """Never looks: echoes the phenomenon's name, and fills in one sheet for all worlds, in which all things hinder."""

    def foretell(self, ask, rows, asked):
        if isinstance(ask.space, Probability):
            return 0.5
        return quantiles(ask.space, (ask.space.low + ask.space.high) / 2, (ask.space.high - ask.space.low) / 4)

    def plan(self, readings, *, absent, left, planned):
        return [20.0] * TICKS

    def graph(self, ask):
        return f"{BASE}, {self.phenomenon.name} -> speed"

    def interventions(self, ask):
        sheet = {"mass": "less", "drag": "less", "power": "more"}
        words = ask.space.questions["number"][0]
        sheet["number"] = "more" if "smaller" in words else "less"
        # Which way it is asked may tell where the number lies.
        self.low = "smaller" not in words
        return {key: sheet.get(key, "same") for key in ask.space.questions}

    def recreate(self, ask):
        third = (self.phenomenon.high - self.phenomenon.low) / 3
        return str(self.phenomenon.low + third if self.low else self.phenomenon.high - third / 2)


def regressed(seen, after):
    return np.linalg.solve(seen.T @ seen + 1e-3 * np.eye(seen.shape[1]), seen.T @ after)
