"""Forgetting: what pauses and other tasks take from what was learned: retention, and interference of all pairs."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mensura.exhibit import Exhibit
from mensura.exhibit.band import band, heat
from mensura.running.adaptivity.gathering import Courses, Floats, PhaseScores
from mensura.running.adaptivity.levels import CourseLevels
from mensura.running.adaptivity.tasks import WAYS, by_subject, named, only, stretches, takes_turns, tasks_of, trained
from mensura.stats import Estimate, Scale
from mensura.stats.adaptivity import interference, retention

UNITS = {"days": 86400.0, "hours": 3600.0, "minutes": 60.0, "seconds": 1.0}
RETENTION = (
    "Retention: the level on a task after pauses in which nothing was taken, against the level right after training. "
    "The share that is kept is of what had been gained over the level before any training, where that was probed. Time "
    "passes in a pause only for people and for subjects that have pause(seconds)."
)
SEQUENCE = (
    "Interference: the level on the task of a row before another was learned, minus the level afterwards; above 0 is a "
    "loss. A dash is a pair that no arm of the study trains in that order with a probe before and after."
)
PARALLEL = (
    "Interference in parallel: the level on the task of a row when it was trained alone, minus the level after as many "
    "sessions that took turns with those of the column's task; above 0 is a loss."
)
ROWS = "Loss on each task (row) by each other (column)."


def retentions(levels: CourseLevels) -> Iterator[Exhibit]:
    """Show what is kept over pauses, for each task that was probed again after one."""
    lost: list[tuple[str, str, str, float, Any]] = []
    points: list[dict[str, Any]] = []
    for one in levels.sound:
        for way, frozen in WAYS.items():
            for task, found in _paused(levels, one, frozen=frozen).items():
                shortest, *others = sorted(found)
                first = _untrained(levels, one, task, frozen=frozen)
                kept = retention(
                    before=found[shortest],
                    after={pause: found[pause] for pause in others},
                    baseline=first,
                    paired=not one.grouped,
                    scale=levels.scale,
                )
                shown = _shown(levels, one, task, frozen=frozen)
                kept = {
                    pause: replace(each, before=shown[shortest], after=shown[pause]) for pause, each in kept.items()
                }
                lost += [(one.cell.name, task, way, pause, each) for pause, each in kept.items()]
                series = f"{one.cell.name}: {task}, {way}"
                points += [{"pause": pause, "series": series, "estimate": shown[pause]} for pause in sorted(found)]
    if not lost:
        return
    unit = _unit([pause for *_, pause, _ in lost])
    rows = [
        [name, task, way, pause / UNITS[unit], each.before, each.after, each.loss, each.kept]
        for name, task, way, pause, each in lost
    ]
    drawn = [{**point, "x": point["pause"] / UNITS[unit]} for point in points]
    yield Exhibit(
        "Retention over pauses",
        f"{RETENTION} {levels.how}",
        ("courses", "task", "probed", f"pause ({unit})", "before", "after", "loss", "share kept"),
        rows,
        [band(drawn, x=f"pause ({unit})", y="level", words="Level after pauses, with a band over courses.")],
    )


def _paused(levels: CourseLevels, one: Courses, *, frozen: bool) -> dict[str, dict[float, Floats]]:
    """Return task → pause → levels, of tasks that were probed after several pauses at the end of training."""
    found: dict[str, dict[float, Floats]] = {}
    for probe in one.placed(frozen=frozen):
        if probe.taken.measured and probe.at == len(one.training):
            of_task = found.setdefault(probe.taken.task, {})
            of_task[probe.paused] = levels.scaled(one, probe.taken, probe.taken.levels)
    return {task: by_pause for task, by_pause in found.items() if len(by_pause) > 1}


def _shown(levels: CourseLevels, one: Courses, task: str, *, frozen: bool) -> dict[float, Estimate]:
    """Return pause → the level at the end of training, as every other table has it."""
    last = [probe for probe in one.placed(frozen=frozen) if probe.at == len(one.training) and probe.taken.task == task]
    return {probe.paused: levels.level(one, probe.taken) for probe in last if probe.taken.measured}


def _untrained(levels: CourseLevels, one: Courses, task: str, *, frozen: bool) -> Floats | None:
    taken = next((taken for at, taken in one.probes(frozen=frozen) if at == 0 and taken.task == task), None)
    return None if taken is None or one.grouped else levels.scaled(one, taken, taken.levels)


def _unit(pauses: Sequence[float]) -> str:
    return next((unit for unit, seconds in UNITS.items() if min(pauses) >= seconds), "seconds")


def interferences(levels: CourseLevels) -> Iterator[Exhibit]:
    """Show what every task loses by every other, learned after it and in turns with it."""
    for (who, where), arms in by_subject(levels).items():
        tasks = list(dict.fromkeys(task for one in arms for task in tasks_of(one)))
        for way, frozen in WAYS.items():
            for title, words, find in (
                ("Interference of tasks learned one after the other", SEQUENCE, _in_sequence),
                ("Interference of tasks learned in turns", PARALLEL, _in_turns),
            ):
                sides = find(levels, arms, tasks, frozen=frozen)
                if not np.isnan(sides[1] - sides[0]).all():
                    about = f"{title}: {named(who, where)}, probed {way}"
                    made = _matrix(about, f"{words} {levels.how}", tasks, *sides, scale=levels.scale)
                    yield replace(made, kind=f"{title}, probed {way}", of=named(who, where))


def _matrix(title: str, words: str, tasks: Sequence[str], before: Floats, after: Floats, *, scale: Scale) -> Exhibit:
    found = interference(before=before, after=after, tasks=tasks, scale=scale)
    cells = [
        {"row": task, "column": other, "value": loss.value}
        for task, row in zip(tasks, found.losses, strict=True)
        for other, loss in zip(tasks, row, strict=True)
        if loss is not None
    ]
    return Exhibit(
        title,
        f"{found.sentence} {words} Each interval holds for its own pair.",
        ("loss on", *(f"by {task}" for task in tasks)),
        [[task, *row] for task, row in zip(tasks, found.losses, strict=True)],
        [heat(cells, words=ROWS, column="by", value="loss", order=tasks)],
    )


def _in_sequence(
    levels: CourseLevels, arms: Sequence[Courses], tasks: Sequence[str], *, frozen: bool
) -> tuple[Floats, Floats]:
    """Return levels on each task before and after each other was learned, course by course."""
    before, after = _blank(arms, tasks)
    near: dict[tuple[int, int], bool] = {}
    for one in arms:
        if takes_turns(one):
            continue
        probes = {(at, taken.task): taken for at, taken in one.probes(frozen=frozen)}
        parts = stretches(one)
        for place, (other, begin, end) in enumerate(parts):
            for earlier in parts[:place]:
                i, j = tasks.index(earlier.task), tasks.index(other)
                sides = [probes.get((at, earlier.task)) for at in (begin, end)]
                # The arm that has nothing else between the two tasks shows the pair best.
                adjacent = earlier.end == begin
                if None in sides or ((i, j) in near and not (adjacent and not near[i, j])):
                    continue
                near[i, j] = adjacent
                for side, taken in zip((before, after), sides, strict=True):
                    _fill(side, i, j, levels, one, taken)
    return before, after


def _in_turns(
    levels: CourseLevels, arms: Sequence[Courses], tasks: Sequence[str], *, frozen: bool
) -> tuple[Floats, Floats]:
    """Return levels on each task after it was trained alone, and after as much training in turns with each other."""
    before, after = _blank(arms, tasks)
    for one in arms:
        both = tasks_of(one)
        if len(both) != 2 or not takes_turns(one) or one.apart:
            continue
        for task, other in (both, both[::-1]):
            alone = only(arms, task)
            if alone is None or trained(alone, task) != trained(one, task):
                continue
            i, j = tasks.index(task), tasks.index(other)
            for side, courses in ((before, alone), (after, one)):
                last = [taken for at, taken in courses.probes(frozen=frozen) if at == len(courses.training)]
                _fill(side, i, j, levels, courses, next((taken for taken in last if taken.task == task), None))
    return before, after


def _blank(arms: Sequence[Courses], tasks: Sequence[str]) -> tuple[Floats, Floats]:
    count = max(len(taken.scores) for one in arms for taken in one.taken.values())
    shape = (count, len(tasks), len(tasks))
    return np.full(shape, np.nan), np.full(shape, np.nan)


def _fill(side: Floats, i: int, j: int, levels: CourseLevels, one: Courses, taken: PhaseScores | None) -> None:
    if taken is not None:
        found = levels.scaled(one, taken, taken.levels)
        side[: len(found), i, j] = found
