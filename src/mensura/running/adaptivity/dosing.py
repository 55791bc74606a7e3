"""Dosing: levels, training time and transfer as a fault grows, and recovery after it sets in."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from mensura.errors import BadData
from mensura.exhibit import Exhibit
from mensura.running.adaptivity.figures import BANDS, PAIRED, band
from mensura.running.adaptivity.gathering import Courses, PhaseScores
from mensura.running.adaptivity.levels import CourseLevels, Dose
from mensura.running.adaptivity.tasks import by_subject
from mensura.running.adaptivity.transferring import DEFINITIONS, FORMS, LEVELLED, transfers
from mensura.stats.adaptivity import dose_response, first_reached, recovery, time_to_level


def dose_responses(levels: CourseLevels) -> Iterator[Exhibit]:
    """Show what each fault does as it grows, and how courses recover where it sets in later."""
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
    yield from _transfers(levels)
    yield from _recoveries(levels, onsets)


def _response(levels: CourseLevels, what: str, unit: str, found: Mapping[float, Courses]) -> Exhibit:
    measured = [(one, _last(one)) for one in found.values()]
    rows = np.stack([levels.scaled(one, taken, taken.levels) for one, taken in measured], axis=1)
    whole = rows[~np.isnan(rows).any(axis=1)]
    if not len(whole):
        raise BadData(f"No course has a level at every dose of {what}.")
    response = dose_response(whole, doses=list(found), floor=None if levels.measures.oracle is None else 0.0)
    along = [levels.mean(*one, column) for one, column in zip(measured, whole.T, strict=True)]
    points = [{"x": dose, "series": what, "estimate": one} for dose, one in zip(found, along, strict=True)]
    floor = " A course breaks where its level falls below chance." if response.breaking else ""
    reach = levels.measures.reach
    times = [[] if reach is None else _training_time(levels, one, reach) for one in found.values()]
    return Exhibit(
        f"Dose and response: {what}",
        f"{response.sentence} The level is that of {measured[0][1].phase.name}.{floor} {levels.how} {BANDS}",
        (unit, "level", *([] if reach is None else [f"reached {reach:g}", "sessions to reach it"])),
        [[dose, one, *time] for dose, one, time in zip(response.doses, along, times, strict=True)],
        [band(points, x=unit, y="level", words=f"Level by the dose of {what}, with a band over courses.")],
        [PAIRED, *([f"{len(rows) - len(whole)} courses lack a level at some dose."] if len(whole) < len(rows) else [])],
    )


def _last(one: Courses) -> PhaseScores:
    """Return the phase by which a subject under a fault is judged: its last frozen probe, else its last phase."""
    frozen = one.probes(frozen=True)
    return frozen[-1][1] if frozen else one.taken[one.phases[-1].name]


def _training_time(levels: CourseLevels, one: Courses, reach: float) -> list[Any]:
    """Return how many courses reached the level on the task that was trained last, and after how many sessions."""
    if not one.training:
        return [None, None]
    curve, block = levels.curve(one, one.training[-1].task), levels.measures.block
    times = first_reached(list(curve), target=reach, better=levels.better) * block
    found = time_to_level(times, horizon=float(curve.shape[1] * block))
    return [f"{found.reached} of {found.courses}", found.restricted_mean if found.reached else None]


def _transfers(levels: CourseLevels) -> Iterator[Exhibit]:
    """Show transfer by the dose of a fault, where arms under it and without it allow to measure it."""
    families: dict[tuple[str, str, str, str], dict[float, list[Courses]]] = {}
    arms_of = {who: arms for who, arms in by_subject(levels).items() if arms}
    for (_, where), arms in by_subject(levels, faulty=True).items():
        dose = Dose.of(arms[0].subject)
        if dose is not None and not dose.onset:
            family = families.setdefault((dose.fault, dose.subject, where, dose.unit), {})
            family[dose.amount] = arms
            for (_, place), others in arms_of.items():
                if place == where and others[0].subject == dose.subject:
                    family.setdefault(0.0, others)
    for (fault, subject, _, unit), found in families.items():
        by_pair: dict[tuple[str, str, str], dict[float, Any]] = {}
        for amount, arms in sorted(found.items()):
            for one in transfers(levels, subject, arms):
                by_pair.setdefault((one.first, one.second, one.way), {})[amount] = one.forms
        for (first, second, way), forms in by_pair.items():
            if len(forms) > 1:
                title = f"Transfer from {first} to {second} by dose: {fault} round {subject}, probed {way}"
                yield _by_dose(title, f"X is {first}, Y is {second}.", unit, forms)


def _by_dose(title: str, words: str, unit: str, forms: Mapping[float, Any]) -> Exhibit:
    names = [name for name in FORMS if all(getattr(one, name) is not None for one in forms.values())]
    points = [
        {"x": amount, "series": FORMS[name], "estimate": getattr(one, name)}
        for amount, one in forms.items()
        for name in names
        if name in LEVELLED
    ]
    return Exhibit(
        title,
        f"{words} {'; '.join(f'{FORMS[name]}: {DEFINITIONS[name]}' for name in names)}. {BANDS}",
        (unit, *(FORMS[name] for name in names)),
        [[amount, *(getattr(one, name) for name in names)] for amount, one in forms.items()],
        [band(points, x=unit, y="level", words="Transfer by dose, with bands over courses.")] if points else [],
        [PAIRED],
    )


def _recoveries(levels: CourseLevels, onsets: list[tuple[Courses, int]]) -> Iterator[Exhibit]:
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
