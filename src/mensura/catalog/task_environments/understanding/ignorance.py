"""Ignorance: what is lost by who does not know the phenomenon, the best of several ways; scores count from it.

A constant answer, what the question shows copied, and the world without the phenomenon: whichever is best is 0.
"""

import json
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from mensura.catalog.task_environments.physics.program import Floats
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.understanding.phenomenon import (
    MOST,
    PHENOMENA,
    TICKS,
    draw_starts,
    play,
)
from mensura.catalog.task_environments.understanding.question import SPACES, ask_questions
from mensura.catalog.task_environments.understanding.recreating import draw_recreations, ways_of
from mensura.dialogue import Density
from mensura.json_file import read_json
from mensura.scores import brier_loss, crps_quantiles

KEPT = Path(__file__).with_name("ignorance.json")
NUMBERS, EACH = 24, 12
"""Strengths of the phenomenon, and questions asked at each, by which ignorance is measured."""
TOLERANCE = 1.0
"""Metres by which a goal may be missed."""


@dataclass(frozen=True)
class IgnorantLevels:
    """Mean losses of the best ignorant, the share of goals that it meets, and the metres it misses in recreating."""

    predict: dict[str, float]
    met: dict[str, float]
    recreate: dict[str, float]


def write_ignorance() -> None:
    """Measure ignorance of all phenomena anew and write it beside this file."""
    kept = {name: asdict(measure_ignorance(name)) for name in PHENOMENA}
    written = json.dumps(kept, indent=1, default=float)
    rounded = json.loads(written, parse_float=lambda text: round(float(text), 6))  # noqa: TID251
    KEPT.write_text(json.dumps(rounded, indent=1) + "\n")


@cache
def ignorance_of(name: str) -> IgnorantLevels:
    """Return the ignorance of a phenomenon, measured once and kept beside this file."""
    kept = read_json(KEPT)
    return IgnorantLevels(**kept[name])


def measure_ignorance(name: str) -> IgnorantLevels:
    """Measure ignorance of a phenomenon by simulation, always with the same chance."""
    phenomenon, rng = PHENOMENA[name], np.random.default_rng([2026, *name.encode()])
    strengths = np.linspace(phenomenon.low, phenomenon.high, NUMBERS)
    worlds = [phenomenon.world(number) for number in strengths]
    predict = {}
    for kind in SPACES:
        asked = [ask_questions(phenomenon, world, kind, rng, EACH) for world in worlds]
        truth = np.concatenate([true for _, true in asked])
        plain = np.concatenate([made.answers(phenomenon.plain) for made, _ in asked])
        copied = np.concatenate([made.copied() for made, _ in asked])
        predict[kind] = min(_loss(kind, guess, truth) for guess in (np.zeros(len(truth)), plain, copied))
    goals = [draw_goals(world, rng, EACH) for world in worlds]
    random = [_hits(world, *goal, rng.uniform(0, MOST, EACH)) for world, goal in zip(worlds, goals, strict=True)]
    blind = [
        _hits(world, *goal, np.array([constant_plan(phenomenon.plain, *one) for one in zip(*goal, strict=True)]))
        for world, goal in zip(worlds, goals, strict=True)
    ]
    chance = max(float(np.mean(random)), _best_constant(worlds, goals))
    recreate = _recreate(worlds, phenomenon.plain, rng)
    absent = [phenomenon.plain], [draw_goals(phenomenon.plain, rng, EACH * NUMBERS)]
    met = {"with": max(chance, float(np.mean(blind))), "without": _best_constant(*absent)}
    return IgnorantLevels(predict, met, recreate)


def draw_goals(task: Task, rng: np.random.Generator, count: int) -> tuple[Floats, Floats]:
    """Draw starts, and places where some constant power leads from there."""
    starts = draw_starts(rng, count)
    powers = np.repeat(rng.uniform(0, MOST, (count, 1)), TICKS, axis=1)
    return starts, play(task, starts, powers).place[:, -1].round(1)


def constant_plan(task: Task, start: Any, target: float) -> float:
    """Return the constant power that leads nearest to a target."""
    low, high = 0.0, MOST
    for _ in range(2):
        tried = np.linspace(low, high, 61)
        ends = play(task, start, np.repeat(tried[:, None], TICKS, axis=1)).place[:, -1]
        best, step = tried[np.abs(ends - target).argmin()], tried[1] - tried[0]
        low, high = max(best - step, 0.0), min(best + step, MOST)
    return float(best)


def losses(kind: str, answers: Any, truth: Any) -> Floats:
    """Return the proper loss of each answer: CRPS of quantiles, Brier of probabilities; none is more than the worst."""
    space = SPACES[kind]
    if isinstance(space, Density):
        found = crps_quantiles(quantiles=np.atleast_2d(answers), levels=space.levels, outcome=np.atleast_1d(truth))
        return np.minimum(found, worst_loss(kind))
    return brier_loss(forecast=np.atleast_1d(answers), outcome=np.atleast_1d(truth))


def worst_loss(kind: str) -> float:
    """Return the most that an answer can lose, which is what none loses."""
    space = SPACES[kind]
    return space.high - space.low if isinstance(space, Density) else 1.0


def _loss(kind: str, guess: Floats, truth: Floats) -> float:
    """Return the mean loss of a guess that knows how far it is usually off."""
    space = SPACES[kind]
    if isinstance(space, Density):
        off = np.quantile(truth - guess, space.levels)
        return float(losses(kind, np.clip(guess[:, None] + off, space.low, space.high), truth).mean())
    shares = np.array([truth[guess == said].mean() if (guess == said).any() else 0.5 for said in (0.0, 1.0)])
    return float(losses(kind, shares[guess.astype(int)], truth).mean())


def _hits(task: Task, starts: Floats, targets: Floats, powers: Floats) -> Floats:
    ends = play(task, starts, np.repeat(powers[:, None], TICKS, axis=1)).place[:, -1]
    return (np.abs(ends - targets) <= TOLERANCE).astype(float)


def _best_constant(worlds: list[Task], goals: list[tuple[Floats, Floats]]) -> float:
    """Return the share of goals that one power for all of them meets, at best."""
    tried = np.linspace(0, MOST, 13)
    hits = [
        [_hits(world, *goal, np.full(len(goal[0]), power)).mean() for world, goal in zip(worlds, goals, strict=True)]
        for power in tried
    ]
    return float(np.mean(hits, axis=1).max())


def _recreate(worlds: list[Task], plain: Task, rng: np.random.Generator) -> dict[str, float]:
    """Return the mean miss of the best constant among strengths, or of the world without the phenomenon, by kind."""
    drawn = draw_recreations(rng, EACH)
    every = [ways_of(world, *drawn) for world in worlds]
    guesses = [ways_of(plain, *drawn), *every]
    return {
        kind: float(min(np.mean([np.abs(ways[kind] - guess[kind]) for ways in every]) for guess in guesses))
        for kind in every[0]
    }
