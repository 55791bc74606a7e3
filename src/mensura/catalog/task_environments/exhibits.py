"""Exhibits of task environments: attempts in the plane of time and energy, and how they change along a course."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.task_environments.scoring import scores as declared
from mensura.catalog.task_environments.task.quantity import highest
from mensura.catalog.task_environments.tasks.find import find_task
from mensura.catalog.task_environments.theory.showing import properties_exhibit
from mensura.catalog.task_environments.watching import watched
from mensura.exhibit import COLOURS, Exhibit, Figure, Group
from mensura.exhibit.exhibit import Cell
from mensura.stats import Scale, paired_difference, unit_estimate
from mensura.stats.wording import several, spoken

BLOCKS = 5
SHOWN = 300
"""Dots of a picture; of more attempts an even share is shown."""
NAMES = ("solved", "time", "energy", "regret_time", "regret_energy", "created")


def exhibits(groups: Sequence[Group]) -> list[Exhibit]:
    """Return the plane of every group, how its attempts change from block to block, and how they behave."""
    held = [group for group in groups if group.scores]
    shown = [*(one for group in held for one in _of_group(group)), *watched(held)]
    tasks = {find_task(group.parameters["task"]) for group in groups}
    return [*shown, properties_exhibit(sorted(tasks, key=lambda task: task.name))] if tasks else shown


def _of_group(group: Group) -> list[Exhibit]:
    courses = {name: _courses(group, name) for name in NAMES}
    return [_plane(group, courses), *_along(group, courses)]


def _courses(group: Group, name: str) -> list[NDArray[np.float64]]:
    held = [scores.values[name] for scores in group.scores if name in scores.values]
    return [np.asarray(getattr(one, "values", [one]), dtype=float) for one in held]


def _plane(group: Group, courses: Mapping[str, list[NDArray[np.float64]]]) -> Exhibit:
    dots = [
        {"time": float(time), "energy": float(energy), "attempt": number + 1}
        for solved, times, energies in zip(courses["solved"], courses["time"], courses["energy"], strict=True)
        for number, (good, time, energy) in enumerate(zip(solved, times, energies, strict=True))
        if good == 1
    ]
    solved = len(dots)
    dots = dots[:: max(1, -(-solved // SHOWN))]
    words = (
        f"{group.name}: every solved attempt by the time and the energy that it took, early ones light and late ones "
        "dark. Attempts that were not solved are not in the picture."
    )
    exact = group.parameters["physics"] == "exact"
    notes = [] if exact else [_created(courses["created"], str(group.parameters["physics"]))]
    if exact:
        notes.append(
            "The line is the least energy for each time in the middle of the family; every attempt is judged "
            "by the line of its own instance."
        )
    if len(dots) < solved:
        notes.append(f"Of {solved} solved attempts {len(dots)} are drawn, an even share.")
    notes.append("The dashed line is all motors at full power from the first moment on.")
    picture = Figure(partial(_draw, dots, dict(group.parameters)), words)
    kind, of = "Time and energy", group.name
    return Exhibit(f"{kind} of {of}", figures=[picture], notes=notes, kind=kind, of=of)


def _created(created: list[NDArray[np.float64]], physics: str) -> str:
    mean = np.nanmean(np.concatenate(created)) if created else np.nan
    return (
        f"The physics called {physics} creates energy, on average {mean:.4g} J an attempt, so the least energies of "
        "exact physics do not apply to it, and no regret is given."
    )


def _draw(dots: list[dict[str, float]], parameters: dict[str, Any]) -> Any:
    import altair

    x, y = altair.X("time:Q", title="time (s)"), altair.Y("energy:Q", title="energy (J)")
    shade = altair.Color("attempt:Q", scale=altair.Scale(scheme="yelloworangered"), title="attempt")
    layers = [altair.Chart(altair.InlineData(dots)).mark_circle(size=28, opacity=0.7).encode(x=x, y=y, color=shade)]
    task = find_task(parameters["task"]).flat
    middle = task.fix(task.numbers([0.5] * len(task.ranges)))
    if parameters["physics"] == "exact":
        from mensura.catalog.task_environments.oracle.find import oracle_of

        line = [{"time": trade.time, "energy": trade.energy} for trade in oracle_of(middle).curve(60)]
        layers.append(altair.Chart(altair.InlineData(line)).mark_line(color=COLOURS[0]).encode(x=x, y=y))
    power = sum(highest(motor.power) for motor in task.motors if motor.agents)
    longest = max((dot["time"] for dot in dots), default=1.0)
    most = max((dot["energy"] for dot in dots), default=1.0)
    end = min(longest, most / power)
    limit = [{"time": 0.0, "energy": 0.0}, {"time": end, "energy": end * power}]
    layers.append(
        altair.Chart(altair.InlineData(limit)).mark_line(color=COLOURS[1], strokeDash=[4, 3]).encode(x=x, y=y)
    )
    return altair.layer(*layers).properties(width=480, height=300)


def _along(group: Group, courses: Mapping[str, list[NDArray[np.float64]]]) -> list[Exhibit]:
    shortest = min((len(course) for course in courses["solved"]), default=0)
    if shortest < 2 * BLOCKS:
        return []
    block = shortest // BLOCKS
    names = [name for name in NAMES if courses[name] and name != "created"]
    scales = {one.name: Scale(one.low, one.high) for one in declared(**group.parameters)}
    cut = {name: np.array([course[: block * BLOCKS] for course in courses[name]]) for name in names}
    means = {name: np.nanmean(held.reshape(len(held), BLOCKS, block), axis=2) for name, held in cut.items()}
    gains = {name: paired_difference(first=held[:, -1], second=held[:, 0]).difference for name, held in means.items()}
    rows: list[list[Cell]] = [
        [name, *(unit_estimate(held[:, n], unit="course", scale=scales[name]) for n in range(BLOCKS)), gains[name]]
        for name, held in means.items()
    ]
    columns = ("score", *(f"{n * block + 1} to {(n + 1) * block}" for n in range(BLOCKS)), "last minus first")
    words = (
        f"{group.name}, by blocks of {several(block, 'attempt')}, over {several(len(courses['solved']), 'course')}. "
        f"From the first block to the last the share of solved attempts changes by {spoken(gains['solved'])}."
    )
    return [Exhibit(f"Along the course of {group.name}", words, columns, rows, kind="Along the course", of=group.name)]
