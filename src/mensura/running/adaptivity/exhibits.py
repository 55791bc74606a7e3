"""Exhibits of courses: curves with bands, levels both frozen and while learning, transfer, pairs, doses, failures."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.catalog.find import find_test
from mensura.errors import BadData
from mensura.exhibit import Exhibit
from mensura.exhibit.band import BANDS, PAIRED, band, heat
from mensura.running.adaptivity.doses import recoveries, responses, training_by_dose, transfer_by_dose
from mensura.running.adaptivity.failing import WORDS, added_up, how_failed
from mensura.running.adaptivity.forgetting import interferences, retentions
from mensura.running.adaptivity.gathering import Courses, PhaseScores, gather
from mensura.running.adaptivity.generalising import generalisations, learning_rates, representatives
from mensura.running.adaptivity.growing import growths
from mensura.running.adaptivity.in_short import in_short
from mensura.running.adaptivity.levels import CourseLevels, Dose
from mensura.running.adaptivity.measures import Measures
from mensura.running.adaptivity.tasks import tasks_of
from mensura.running.adaptivity.transferring import DEFINITIONS, FORMS, LEVELLED, Carried, letters, pairs
from mensura.running.course import FAILED
from mensura.stats import Estimate
from mensura.stats.adaptivity import (
    PARTS,
    TimeToLevel,
    continual,
    course_difference,
)
from mensura.stats.wording import several

if TYPE_CHECKING:
    from mensura.running.study.analysis.cell import TakenCell
    from mensura.running.study.plan import Study
    from mensura.store import Store


def adaptivity_exhibits(study: "Study", cells: Mapping[str, "TakenCell"], *, store: "Store") -> list[Exhibit]:
    """Make the exhibits of a study's courses, as its plan says they are measured; none where it does not."""
    measures = Measures.read(study)
    named = {cell.state.cell.cast.name for cell in cells.values()}
    if any(isinstance(side, str) and side not in named for side in (measures.chance, measures.oracle)):
        return []
    if not measures.score or not all(cell.state.runs for cell in cells.values()):
        return []
    levels = CourseLevels(study, measures, [gather(study, one, measures.score, store=store) for one in cells.values()])
    if not levels.subjects:
        return []
    made: list[Exhibit] = []
    absent: list[list[Any]] = []
    for make, (title, needs) in MAKERS.items():
        try:
            shown = list(make(levels))
        except BadData as error:
            shown, needs = [], str(error)
        made += [replace(one, notes=[*one.notes, *_said(one)]) for one in shown]
        if not shown:
            absent.append([title, needs])
    if absent:
        made.append(Exhibit(ABSENT, "What the phases of this study do not show, and why.", ("measure", "why"), absent))
    short = in_short(levels, made)
    return [*([short] if short else []), *made, *_failures(levels, cells, store)]


def _said(shown: Exhibit) -> list[str]:
    """List what the estimates of a table say of their intervals, each once."""
    notes = [cell.note for row in shown.rows for cell in row if isinstance(cell, Estimate) and cell.note]
    return list(dict.fromkeys(notes))


ABSENT = "Not measured in this study"


def _curves(levels: CourseLevels) -> Iterator[Exhibit]:
    rows: list[list[Any]] = []
    points: list[dict[str, Any]] = []
    taken: list[dict[str, TimeToLevel]] = []
    reach, block = levels.measures.reach, levels.measures.block
    for one in levels.sound:
        for task in tasks_of(one):
            curve = levels.curve(one, task)
            if np.isnan(curve).all():
                continue
            found = {} if reach is None else {name: levels.reached(one, task, name) for name in levels.spent(one, task)}
            times = {levels.titled(one, task, name): each for name, each in found.items() if each is not None}
            along = levels.along(one, task)
            # Who learned the same in the same way is drawn in one picture, so that they can be compared.
            who = one.cell.cast.name
            where = f"{one.cell.name.removeprefix(who).removeprefix(' in ')}: {task}".removeprefix(": ")
            rows.append([one.cell.name, task, along[0], along[-1], *levels.change(one, task)])
            taken.append(times)
            points += [
                {"x": (place + 1) * block, "series": who, "of": where, "estimate": level}
                for place, level in enumerate(along)
            ]
    if rows:
        many = several(block, "session")
        known = dict.fromkeys(name for times in taken for name in times)
        names = sorted(known, key=lambda name: name == "knowledge")
        for row, times in zip(rows, taken, strict=True):
            first = next(iter(times.values()), None)
            row += [] if not names else [None if first is None else f"{first.reached} of {first.courses}"]
            row += [each.restricted_mean if (each := times.get(name)) and each.reached else None for name in names]
        reached = [f"reached {reach:g}", *(f"{name} to reach it" for name in names)] if names else []
        yield Exhibit(
            "Learning curves",
            f"The first and the last level are those of {many}, the area is the mean over all. {levels.how} {BANDS}",
            ("courses", "task", "first level", "last level", "gain", "area", *reached),
            rows,
            [band(points, x="session of training", y="level", words="Level over training, with a band over courses.")],
            [PAIRED] if reach is None else [PAIRED, CENSORED],
        )


CENSORED = (
    "What it takes to reach a level are means up to the most that a course spent: courses that never reach it count up "
    "to where they were watched, and are not dropped. What tests say is spent, such as time and energy, is as scored: "
    "an attempt that failed counts as its scores declare. Knowledge is what was noted as that session began."
)


def _probes(levels: CourseLevels) -> Iterator[Exhibit]:
    rows = []
    for one in levels.subjects:
        learning = {(at, taken.phase.task): taken for at, taken in one.probes(frozen=False)}
        for at, taken in one.probes(frozen=True):
            other = learning.pop((at, taken.phase.task), None)
            both = [levels.scaled(one, each, each.levels) for each in (taken, other) if each is not None]
            apart = course_difference(*both, scale=levels.scale) if len(both) == 2 else None
            found = [None if each is None else levels.level(one, each) for each in (taken, other)]
            rows.append([one.cell.name, _before(one, at), taken.phase.task or taken.phase.name, *found, apart])
        for (at, task), taken in learning.items():
            rows.append([one.cell.name, _before(one, at), task or taken.phase.name, None, levels.level(one, taken)])
            rows[-1].append(None)
    grouped = [one for one in levels.subjects if one.grouped]
    if rows:
        yield Exhibit(
            "Levels, frozen and while learning",
            "Frozen and learning differ, because a learner explores, so both are given. Probes are branches, of which "
            f"nothing is kept, unless it is said below. {levels.how} {BANDS}",
            ("courses", "after training on", "probed on", "frozen", "while learning", "frozen - learning"),
            rows,
            notes=[PAIRED, *(f"{one.cell.name}: {one.apart}" for one in grouped)],
        )


def _before(one: Courses, at: int) -> str:
    return ", ".join(each.phase.name for each in one.training[:at]) or "nothing"


def _transfers(levels: CourseLevels) -> Iterator[Exhibit]:
    for found in pairs(levels):
        forms = {name: getattr(found.forms, name) for name in FORMS}
        rows: list[list[Any]] = [[FORMS[name], one, DEFINITIONS.get(name, "")] for name, one in forms.items() if one]
        if found.curves is not None:
            rows += [[CURVES[name], getattr(found.curves, name), DEFINITIONS.get(name, "")] for name in CURVES]
        if rows:
            yield Exhibit(
                f"Transfer of {found.who} from {found.first} to {found.second}, probed {found.way}",
                f"{_titled(found)} {BANDS}",
                ("form", "value", "definition"),
                rows,
                notes=[found.apart or PAIRED, *filter(None, [found.forms.unreached])],
                kind=f"Transfer from {found.first} to {found.second}, probed {found.way}",
                of=found.who,
            )
        if found.points:
            yield _by_training(found)


def _by_training(found: Carried) -> Exhibit:
    """Show transfer as functions of the training on X, of the level reached on it and of knowledge."""
    forms = [name for name in FORMS if any(getattr(point["forms"], name) for point in found.points)]
    by = {"training": "sessions on X", "level": "level reached on X", "knowledge": "knowledge gained on X"}
    held = [name for name in by if all(point[name] is not None for point in found.points)]
    figures = []
    for name in held:
        points = [
            {"x": at, "series": FORMS[form], "estimate": getattr(point["forms"], form)}
            for point in found.points
            for form in forms
            if form in LEVELLED and getattr(point["forms"], form)
            if (at := getattr(point[name], "value", point[name])) == at
        ]
        if points:
            figures.append(
                band(points, x=by[name], y="level", words=f"Transfer by {by[name]}, with bands over courses.")
            )
    defined = "; ".join(f"{FORMS[name]}: {DEFINITIONS[name]}" for name in forms)
    return Exhibit(
        f"Transfer of {found.who} from {found.first} to {found.second} by training, probed {found.way}",
        f"{letters(found.first, found.second)}{defined}. {BANDS}",
        (*(by[name] for name in held), *(FORMS[name] for name in forms)),
        [
            [*(point[name] for name in held), *(getattr(point["forms"], name) for name in forms)]
            for point in found.points
        ],
        figures,
        [found.apart or PAIRED],
        kind=f"Transfer from {found.first} to {found.second} by training, probed {found.way}",
        of=found.who,
    )


def _titled(found: Carried) -> str:
    return f"{letters(found.first, found.second)}{found.forms.sentence}"


CURVES = {
    "jumpstart": "jumpstart",
    "asymptote": "asymptote",
    "total_reward": "total reward",
    "transfer_ratio": "transfer ratio",
    "area_form": "area form",
}


def _matrices(levels: CourseLevels) -> Iterator[Exhibit]:
    """Show the level on every task after every phase, once for each way of probing; with what it comes to."""
    for frozen, way in ((True, "frozen"), (False, "while learning")):
        rows, cells, notes = [], [], []
        tasks = list(dict.fromkeys(taken.phase.task for one in levels.sound for _, taken in one.probes(frozen=frozen)))
        if len(tasks) < 2:
            continue
        for one in levels.sound:
            probes = {(at, taken.phase.task): taken for at, taken in one.probes(frozen=frozen)}
            for at in sorted({at for at, _ in probes}):
                found = [levels.level(one, probes[at, task]) if (at, task) in probes else None for task in tasks]
                rows.append([one.cell.name, _before(one, at), *found])
                place = f"{one.cell.name}, after {_before(one, at)}"
                cells += [
                    {"row": place, "column": task, "value": each.value}
                    for task, each in zip(tasks, found, strict=True)
                    if each
                ]
            if words := _continual(levels, one, probes):
                notes.append(f"{one.cell.name}: {words}")
        yield Exhibit(
            f"Every task after every phase, {way}",
            f"Rows are what was trained before, columns what is probed. {levels.how} {BANDS}",
            ("courses", "after training on", *tasks),
            rows,
            [heat(cells, words=f"Level on each task after each phase of training, probed {way}.")],
            [PAIRED, *notes],
        )


def _continual(levels: CourseLevels, one: Courses, probes: Mapping[tuple[int, str], PhaseScores]) -> str:
    """Return what the matrix of a course over tasks, one after the other, comes to; empty where it is not whole."""
    tasks = tasks_of(one)
    count = len(tasks)
    wanted = [(phase, task) for phase in range(1, count + 1) for task in tasks]
    if count < 2 or len(one.training) != count or not all(place in probes for place in wanted):
        return ""
    every = np.stack([levels.scaled(one, probes[place], probes[place].levels) for place in wanted], axis=1)
    whole = ~np.isnan(every).any(axis=1)
    first = [probes.get((0, task)) for task in tasks]
    untrained = None
    if all(each is not None for each in first):
        untrained = np.stack([levels.scaled(one, each, each.levels) for each in first if each], axis=1)[whole]
    if not whole.any():
        return ""
    return continual(every[whole].reshape(-1, count, count), untrained=untrained, scale=levels.scale).sentence


def _failures(levels: CourseLevels, cells: Mapping[str, "TakenCell"], store: "Store") -> Iterator[Exhibit]:
    """Count how sessions failed, where a fault was round the subject or a session did fail; name what is missing."""
    rows: list[list[Any]] = []
    for one in levels.subjects:
        if Dose.of(one.subject) is not None or any(one.statuses[status] for status in FAILED):
            told = {phase.name: find_test(phase.test).failing for phase in one.phases}
            counts = added_up(
                how_failed(store.records.of(head.id), failing=told[head.details["phase"]], truths=store.truths.of)
                for head in cells[one.cell.name].state.runs
            )
            rows.append([one.cell.name, *(counts[name] for name in WORDS)])
    notes = [words for one in levels.courses if (words := one.sentence)]
    if rows or notes:
        said = "; ".join(f"{name}: {words}" for name, words in WORDS.items())
        yield Exhibit("How it failed", f"Counts over all sessions. {said}.", ("courses", *WORDS), rows, notes=notes)


MAKERS = {
    _curves: ("Learning curves", "No phase trains anything that the score measures."),
    _probes: ("Levels, frozen and while learning", "No phase is a probe (`probe: TASK`)."),
    _transfers: ("Transfer", "It takes an arm that trains one task and probes another, or arms with and without it."),
    _matrices: ("Every task after every phase", "It takes probes of two tasks or more."),
    interferences: (
        "Interference",
        "It takes an arm that trains two tasks and probes the first before and after the second; for tasks in turns "
        "also arms that train each alone for as many sessions.",
    ),
    retentions: ("Retention", "It takes a probe after training and another of the same task behind a `pause`."),
    learning_rates: (
        "Learning rate over a class of tasks",
        "It takes a level to `reach`, three tasks or more, each the first that some arm trains, and a test that says "
        "how large its tasks are (`tasks` of @test).",
    ),
    generalisations: (
        "Generalisation",
        "It takes probes, at the end of training, of tasks at two distances or more, and a test that says how far its "
        "tasks are apart (`tasks` of @test).",
    ),
    representatives: (
        "How representative training sets are",
        "It takes an oracle, probes of a task that an arm did not train, and another arm that trains only that.",
    ),
    responses: (
        "Dose and response",
        "No subject is under a fault (`fault:NAME(SUBJECT)`), and no condition differs by a `dose`, in several doses.",
    ),
    training_by_dose: (
        "Training time by dose",
        "It takes a level to `reach`, and courses with training under several doses of a fault or of a condition.",
    ),
    transfer_by_dose: (
        "Transfer by dose",
        "It takes arms that show transfer, each under several doses of a fault or of a condition.",
    ),
    recoveries: (
        "Recovery after the onset of a fault",
        "No fault begins within the training of a course (`#onset=5`).",
    ),
    growths: (
        "Understanding along the course",
        f"No probe is of a test that gives {', '.join(PARTS[:-1])} and {PARTS[-1]}, as task-understanding does.",
    ),
}
"""What makes the exhibits, in their order, with a title and what it takes where there is nothing to show."""
