"""Generalising: how fast a class of tasks is learned, how far training reaches, how well a set stands for others."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from mensura.exhibit import Exhibit
from mensura.exhibit.band import band
from mensura.running.adaptivity.gathering import Courses, Floats, PhaseScores
from mensura.running.adaptivity.levels import CourseLevels
from mensura.running.adaptivity.tasks import (
    WAYS,
    by_subject,
    class_of,
    distance,
    named,
    only,
    properties_of,
    stretches,
    tasks_of,
)
from mensura.stats.adaptivity import (
    dose_response,
    first_reached,
    learning_rate,
    representativeness,
    time_to_level,
)
from mensura.stats.wording import listed, several

RATE = (
    "Learning rate over a class of tasks: with T sessions to reach the level, log T = a + the sum of b log(x / its "
    "mean) over properties x, and the rate is exp(-a), per session, at the task in the middle of the class. Each task "
    "is foretold from the others alone; a miss of 1 is exact."
)
REACH = (
    "Generalisation: the level on tasks by their distance from the nearest task that was trained, at the end of "
    "training. Tasks at one distance are averaged in each course."
)
STANDS = (
    "How representative a training set is: the mean level on target tasks outside the set after training on the set, "
    "over the mean level on each target after training on that target itself; 1 is as good. Intervals are Fieller's, "
    "over courses paired by seed."
)


def learning_rates(levels: CourseLevels) -> Iterator[Exhibit]:
    """Show how fast each subject learns a class of tasks, and how well that foretells a task that was left out."""
    reach = levels.measures.reach
    for (who, where), arms in by_subject(levels).items():
        # What was trained before another task would be transfer: a task counts where it is the first.
        first = {parts[0].task: one for one in reversed(arms) if (parts := stretches(one))}
        first = dict(sorted(first.items(), key=lambda item: list(properties_of(item[1].training[0].phase).values())))
        phases = [one.training[0].phase for one in first.values()]
        theory = class_of(phases)
        if reach is None or theory is None or len(first) < 3:
            continue
        curves = [levels.curve(one, task, own=True) for task, one in first.items()]
        count = min(len(curve) for curve in curves)
        whole = ~np.any([np.isnan(curve[:count]).all(axis=1) for curve in curves], axis=0)
        block = levels.measures.block
        times = np.stack(
            [first_reached(list(c[:count][whole]), target=reach, better=levels.better) * block for c in curves], axis=1
        )
        ends = np.array([float(curve.shape[1] * block) for curve in curves])
        sizes = _varying([properties_of(phase) for phase in phases])
        if not len(times) or not sizes:
            continue
        never = int(np.isnan(times).sum())
        found = learning_rate(np.where(np.isnan(times), ends, times), properties=sizes)
        yield _rates(named(who, where), list(first), times, ends, sizes, found, (theory.about, never))


def _varying(properties: Sequence[dict[str, float]]) -> dict[str, list[float]]:
    """Return the properties in which tasks differ, as many as so many tasks can tell apart, the chief ones first."""
    names = [name for name in properties[0] if len({one[name] for one in properties}) > 1]
    held = {name: [one[name] for one in properties] for name in names}
    chosen: list[str] = []
    for name in names[: len(properties) - 2]:
        logs = np.log([held[each] for each in (*chosen, name)]).T
        # One that only repeats another cannot be told from it.
        if np.linalg.matrix_rank(logs - logs.mean(axis=0), tol=1e-9) > len(chosen):
            chosen.append(name)
    return {name: held[name] for name in chosen}


def _rates(
    who: str,
    tasks: Sequence[str],
    times: Floats,
    ends: Floats,
    sizes: dict[str, list[float]],
    found: Any,
    said: tuple[str, int],
) -> Exhibit:
    about, never = said
    taken = [time_to_level(column, horizon=end) for column, end in zip(times.T, ends, strict=True)]
    rows: list[list[Any]] = [
        [
            *(task, *(column[place] for column in sizes.values())),
            *(f"{one.reached} of {one.courses}", one.restricted_mean, found.foretold[place]),
        ]
        for place, (task, one) in enumerate(zip(tasks, taken, strict=True))
    ]
    name, values = next(iter(sizes.items()))
    points = [
        {"x": x, "series": "sessions to reach the level", "estimate": one.restricted_mean}
        for x, one in sorted(zip(values, taken, strict=True), key=lambda pair: float(pair[0]))
    ]
    grows = listed([f"{each} ^ {exponent:.3g}" for each, exponent in found.exponents.items()])
    censored = (
        f" {several(never, 'time')} of {times.size} never came and count with the last session, so the rate is at most "
        "this."
        if never
        else ""
    )
    return Exhibit(
        f"Learning rate over {several(len(tasks), 'task')}: {who}",
        f"{found.sentence}{censored} Time grows as {grows}. {RATE} {about}",
        ("task", *sizes, "reached", "sessions to reach it", "foretold from the others"),
        rows,
        [band(points, x=name, y="sessions", words=f"Sessions to reach the level by {name}, with a band over courses.")],
        kind=f"Learning rate over {several(len(tasks), 'task')}",
        of=who,
    )


def generalisations(levels: CourseLevels) -> Iterator[Exhibit]:
    """Show the level on tasks by their distance from those that were trained."""
    for way, frozen in WAYS.items():
        rows: list[list[Any]] = []
        points: list[dict[str, Any]] = []
        about: dict[str, None] = {}
        notes: list[str] = []
        for one in levels.sound:
            probes = [taken for at, taken in one.probes(frozen=frozen) if at == len(one.training)]
            theory = class_of([taken.phase for taken in (*probes, *one.training)]) if one.training else None
            if theory is None:
                continue
            tasks = _by_distance(probes, one.training)
            columns = _reached(levels, one, tasks)
            if len(tasks) < 2 or not all(len(column) for column in columns):
                continue
            about[theory.about] = None
            notes.append(f"{one.cell.name}: {one.apart or _slope(levels, columns, list(tasks))}")
            for (far, probed), column in zip(tasks.items(), columns, strict=True):
                level = levels.average([(one, each) for each in probed], column)
                rows.append([one.cell.name, far, listed([taken.task for taken in probed]), level])
                points.append({"x": far, "series": one.cell.name, "estimate": level})
        if rows:
            words = "Level by distance from training, with a band over courses."
            yield Exhibit(
                f"Generalisation, probed {way}",
                f"{REACH} {' '.join(about)} {levels.how}",
                ("courses", "distance", "tasks", "level"),
                rows,
                [band(points, x="distance", y="level", words=words)],
                notes,
            )


def _by_distance(probes: Sequence[PhaseScores], training: Sequence[PhaseScores]) -> dict[float, list[PhaseScores]]:
    """Return the probes by how far their task is from the nearest that was trained, the nearest first."""
    found: dict[float, list[PhaseScores]] = {}
    for taken in probes:
        far = min(distance(taken.phase, each.phase) for each in training)
        found.setdefault(round(far, 9), []).append(taken)
    return dict(sorted(found.items()))


def _slope(levels: CourseLevels, columns: Sequence[Floats], distances: Sequence[float]) -> str:
    """Return how levels of courses that were probed at every distance change with it."""
    floor = None if levels.measures.oracle is None else 0.0
    return dose_response(np.stack(columns, axis=1), doses=distances, floor=floor, dose="distance").sentence


def _reached(levels: CourseLevels, one: Courses, tasks: Mapping[float, Sequence[PhaseScores]]) -> list[Floats]:
    """Return the levels of courses at each distance: of those that have all, or of each group where they have one."""
    if one.grouped:
        found = [
            np.concatenate([levels.scaled(one, each, each.levels) for each in probed]) for probed in tasks.values()
        ]
        return [column[~np.isnan(column)] for column in found]
    means = [np.mean([levels.scaled(one, each, each.levels) for each in probed], axis=0) for probed in tasks.values()]
    whole = ~np.isnan(means).any(axis=0)
    return [column[whole] for column in means]


def representatives(levels: CourseLevels) -> Iterator[Exhibit]:
    """Show how well each training set stands for tasks outside it, each of which another arm trains itself."""
    if levels.measures.oracle is None:
        return
    for (who, where), arms in by_subject(levels).items():
        rows: list[list[Any]] = []
        for one in [each for each in arms if not each.apart]:
            for way, frozen in WAYS.items():
                sides = _targets(one, arms, frozen=frozen)
                if not sides:
                    continue
                both = [
                    np.stack([levels.scaled(one, each[0], each[0].levels) for each in sides.values()], axis=1),
                    np.stack([levels.scaled(*each[1], each[1][1].levels) for each in sides.values()], axis=1),
                ]
                count = min(len(side) for side in both)
                whole = ~np.isnan(both[0][:count] + both[1][:count]).any(axis=1)
                if whole.any():
                    trained, own = (side[:count][whole] for side in both)
                    rows.append(
                        [
                            *(listed(tasks_of(one)), listed(list(sides)), way),
                            levels.average([(one, each[0]) for each in sides.values()], trained.mean(axis=1)),
                            levels.average([each[1] for each in sides.values()], own.mean(axis=1)),
                            representativeness(trained=trained, own=own),
                        ]
                    )
        if rows:
            columns = ("training set", "targets", "probed", "after the set", "after the target", "representative")
            about = "How representative training sets are"
            of = named(who, where)
            yield Exhibit(f"{about}: {of}", STANDS, columns, rows, kind=about, of=of)


def _targets(
    one: Courses, arms: Sequence[Courses], *, frozen: bool
) -> dict[str, tuple[PhaseScores, tuple[Courses, PhaseScores]]]:
    """Return the tasks outside the set, each with its probe after the set, and that after the task itself."""
    found: dict[str, tuple[PhaseScores, tuple[Courses, PhaseScores]]] = {}
    for at, taken in one.probes(frozen=frozen):
        alone = only(arms, taken.task)
        if at < len(one.training) or taken.task in tasks_of(one) or alone is None:
            continue
        for place, each in alone.probes(frozen=frozen):
            if place == len(alone.training) and each.task == taken.task:
                found[taken.task] = taken, (alone, each)
    return found
