"""Exhibits of courses: curves with bands, levels both frozen and while learning, transfer, pairs, doses, failures."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.catalog.find import find_test
from mensura.errors import BadData
from mensura.exhibit import Exhibit
from mensura.running.adaptivity.failing import WORDS, added_up, how_failed
from mensura.running.adaptivity.figures import band, heat
from mensura.running.adaptivity.gathering import Courses, Floats, PhaseScores, gather
from mensura.running.adaptivity.groups import HOW
from mensura.running.adaptivity.levels import CourseLevels, Dose
from mensura.running.adaptivity.measures import Measures
from mensura.running.adaptivity.transferring import Carried, pairs, tasks_of
from mensura.running.course import FAILED
from mensura.stats.adaptivity import (
    MEASURES,
    continual,
    course_difference,
    course_mean,
    dose_response,
    first_reached,
    recovery,
    time_to_level,
)
from mensura.stats.wording import several

if TYPE_CHECKING:
    from mensura.running.study.analysis.cell import TakenCell
    from mensura.running.study.plan import Study
    from mensura.store import Store

BANDS = "Bands and intervals are 95 % over courses, each for its own point."
PAIRED = "The same course number has the same seed, and so the same instances, in every arm and for every subject."
DEFINITIONS = {measure.field.partition("().")[2]: measure.definition for measure in reversed(MEASURES)}
DEFINITIONS["knowledge_saved"] = "knowledge added on Y alone - on Y after X"


def adaptivity_exhibits(study: "Study", cells: Mapping[str, "TakenCell"], *, store: "Store") -> list[Exhibit]:
    """Make the exhibits of a study's courses, as its plan says they are measured; none where it does not."""
    measures = Measures.read(study)
    if not measures.score or not all(cell.state.runs for cell in cells.values()):
        return []
    levels = CourseLevels(study, measures, [gather(study, one, measures.score, store=store) for one in cells.values()])
    made: list[Exhibit] = []
    for make in (_curves, _probes, _transfers, _matrices, _doses):
        try:
            made += make(levels)
        except BadData as error:
            made.append(Exhibit(TITLES[make.__name__], str(error)))
    return [*made, *_failures(levels, cells, store)]


TITLES = {
    "_curves": "Learning curves",
    "_probes": "Levels, frozen and while learning",
    "_transfers": "Transfer",
    "_matrices": "Every task after every phase",
    "_doses": "Dose and response",
}


def _curves(levels: CourseLevels) -> Iterator[Exhibit]:
    rows: list[list[Any]] = []
    points: list[dict[str, Any]] = []
    reach, block = levels.measures.reach, levels.measures.block
    for one in levels.sound:
        for task in tasks_of(one):
            curve = levels.curve(one, task)
            if not curve.shape[1]:
                continue
            times = [] if reach is None else _reached(levels, curve, reach)
            first, last = curve[:, 0], curve[:, -1]
            rows.append(
                [
                    *(one.cell.name, task, course_mean(first), course_mean(last), course_difference(last, first)),
                    *(course_mean(curve.mean(axis=1)), *times),
                ]
            )
            points += [
                {"x": (place + 1) * block, "series": f"{one.cell.name}: {task}", "estimate": course_mean(column)}
                for place, column in enumerate(curve.T)
            ]
    if rows:
        many = several(block, "session")
        reached = [] if reach is None else [f"reached {reach:g}", "sessions to reach it"]
        yield Exhibit(
            TITLES["_curves"],
            f"{levels.how} The first and the last level are those of {many}, the area is the mean over all. {BANDS}",
            ("courses", "task", "first level", "last level", "gain", "area", *reached),
            rows,
            [band(points, x="session of training", y="level", words="Level over training, with a band over courses.")],
            [PAIRED] if reach is None else [PAIRED, CENSORED],
        )


CENSORED = (
    "Sessions to reach a level are means up to the last session of the phase: courses that never reach it count with "
    "that one, and are not dropped."
)


def _reached(levels: CourseLevels, curve: Floats, reach: float) -> list[Any]:
    block = levels.measures.block
    times = first_reached(list(curve), target=reach, better=levels.better) * block
    found = time_to_level(times, horizon=float(curve.shape[1] * block))
    return [f"{found.reached} of {found.courses}", found.restricted_mean if found.reached else None]


def _probes(levels: CourseLevels) -> Iterator[Exhibit]:
    rows = []
    for one in levels.subjects:
        learning = {(at, taken.phase.task): taken for at, taken in one.probes(frozen=False)}
        for at, taken in one.probes(frozen=True):
            other = learning.pop((at, taken.phase.task), None)
            both = [levels.scaled(one, each, each.levels) for each in (taken, other) if each is not None]
            apart = course_difference(*both) if len(both) == 2 else None
            found = [None if each is None else levels.level(one, each) for each in (taken, other)]
            rows.append([one.cell.name, _before(one, at), taken.phase.task or taken.phase.name, *found, apart])
        for (at, task), taken in learning.items():
            rows.append([one.cell.name, _before(one, at), task or taken.phase.name, None, levels.level(one, taken)])
            rows[-1].append(None)
    grouped = [one for one in levels.subjects if any(phase.state == "group" for phase in one.phases)]
    if rows:
        yield Exhibit(
            TITLES["_probes"],
            f"{levels.how} Probes are branches: nothing that happens in them is learned. Frozen and learning differ, "
            f"because a learner explores, so both are given. {BANDS}",
            ("courses", "after training on", "probed on", "frozen", "while learning", "frozen - learning"),
            rows,
            notes=[PAIRED, *(f"{one.cell.name}: {HOW}" for one in grouped)],
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
                f"{TITLES['_transfers']} of {found.who} from {found.first} to {found.second}, probed {found.way}",
                f"{_titled(found)} {BANDS}",
                ("form", "value", "definition"),
                rows,
                notes=[PAIRED],
            )


def _titled(found: Carried) -> str:
    return f"X is {found.first}, Y is {found.second}. {found.forms.sentence}"


FORMS = {
    "raw": "raw performance",
    "loss": "performance loss",
    "gain_extra": "gain with extra time",
    "gain_fixed": "gain at a fixed budget",
    "knowledge": "raw knowledge",
    "knowledge_saved": "knowledge saved",
    "training_time": "training time",
    "composite_time": "composite time",
    "detour": "is the detour worth it?",
}
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
            f"{TITLES['_matrices']}, {way}",
            f"{levels.how} Rows are what was trained before, columns what is probed. {BANDS}",
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
    return continual(every[whole].reshape(-1, count, count), untrained=untrained).sentence


def _doses(levels: CourseLevels) -> Iterator[Exhibit]:
    families: dict[tuple[str, ...], dict[float, Courses]] = {}
    onsets: list[tuple[Courses, int]] = []
    for one in levels.subjects:
        dose = Dose.of(one.subject)
        if dose is not None and dose.onset:
            onsets.append((one, dose.onset))
        elif dose is not None:
            key = (dose.fault, dose.subject, one.cell.test, one.cell.condition, dose.unit)
            families.setdefault(key, {})[dose.amount] = one
    for (fault, subject, test, condition, unit), found in families.items():
        for one in levels.sound:
            if (one.subject, one.cell.test, one.cell.condition) == (subject, test, condition):
                found.setdefault(0.0, one)
        if len(found) > 1:
            where = f"{subject}{f' in {condition}' if condition else ''}"
            yield _response(levels, f"{fault} round {where}", unit, dict(sorted(found.items())))
    rows: list[list[Any]] = []
    for one, onset in onsets:
        curve = np.concatenate([levels.scaled(one, each, each.scores) for each in one.training], axis=1)
        whole = curve[~np.isnan(curve).any(axis=1)]
        if 0 < onset < curve.shape[1] and len(whole):
            came = recovery(before=whole[:, :onset].mean(axis=1), after=whole[:, onset:])
            rows.append([one.cell.name, onset, came.dip, came.lasting, came.time.sentence])
    if rows:
        columns = ("courses", "sessions before the fault", "loss at its onset", "loss in the end", "recovery")
        yield Exhibit("Recovery after the onset of a fault", f"{levels.how} {BANDS}", columns, rows, notes=[PAIRED])


def _response(levels: CourseLevels, what: str, unit: str, found: Mapping[float, Courses]) -> Exhibit:
    measured = [(one, _last(one)) for one in found.values()]
    rows = np.stack([levels.scaled(one, taken, taken.levels) for one, taken in measured], axis=1)
    whole = rows[~np.isnan(rows).any(axis=1)]
    if not len(whole):
        raise BadData(f"No course has a level at every dose of {what}.")
    response = dose_response(whole, doses=list(found), floor=0.0 if levels.measures.oracle is not None else None)
    points = [
        {"x": dose, "series": what, "estimate": one} for dose, one in zip(response.doses, response.points, strict=True)
    ]
    floor = " A course breaks where its level falls below chance." if response.breaking else ""
    return Exhibit(
        f"{TITLES['_doses']}: {what}",
        f"{levels.how} The level is that of {measured[0][1].phase.name}.{floor} {response.sentence} {BANDS}",
        (unit, "level"),
        [[dose, one] for dose, one in zip(response.doses, response.points, strict=True)],
        [band(points, x=unit, y="level", words=f"Level by the dose of {what}, with a band over courses.")],
        [PAIRED, *([f"{len(rows) - len(whole)} courses lack a level at some dose."] if len(whole) < len(rows) else [])],
    )


def _last(one: Courses) -> PhaseScores:
    """Return the phase by which a subject under a fault is judged: its last frozen probe, else its last phase."""
    frozen = one.probes(frozen=True)
    return frozen[-1][1] if frozen else one.taken[one.phases[-1].name]


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
