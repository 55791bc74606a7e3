"""Doses: levels, training time and transfer as functions of how much of a fault or of a burden there is."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from mensura.dialogue.canonical import canonical
from mensura.errors import BadData
from mensura.exhibit import Exhibit
from mensura.exhibit.band import BANDS, PAIRED, band
from mensura.running.adaptivity.gathering import Courses, PhaseScores
from mensura.running.adaptivity.levels import CourseLevels, Dose
from mensura.running.adaptivity.tasks import tasks_of
from mensura.running.adaptivity.transferring import DEFINITIONS, FORMS, LEVELLED, carried, letters
from mensura.stats.adaptivity import dose_response, recovery
from mensura.subjects.naming import split_settings

TRAINING = "training"
"""The dose that is the sessions of training in an arm."""
DOSED = ("raw", "loss", "gain_extra", "gain_fixed", "training_time")
"""The forms of transfer that are given by dose."""
CENSORED = "Courses that never reach the level count with the last session of training, and are not dropped."


@dataclass(frozen=True)
class DoseFamily:
    """Courses of one subject that differ by nothing but a dose, and the arm."""

    kind: str
    """The thing that is dosed: a fault, or what conditions differ by."""
    of: str
    """The subject that takes it, and where."""
    unit: str
    found: dict[float, list[Courses]] = field(default_factory=dict)
    """Dose → its arms."""

    @property
    def what(self) -> str:
        """The two together."""
        return f"{self.kind} {'for' if self.kind == self.unit else 'round'} {self.of}"

    def arms(self) -> Iterator[tuple[str, dict[float, Courses]]]:
        """Return the arms that were there at more than one dose, with their name."""
        by_arm: dict[str, dict[float, Courses]] = {}
        for dose, every in sorted(self.found.items()):
            for one in every:
                by_arm.setdefault("" if self.unit == TRAINING else one.cell.arm, {}).setdefault(dose, one)
        yield from ((arm, doses) for arm, doses in by_arm.items() if len(doses) > 1)


def dose_families(levels: CourseLevels) -> list[DoseFamily]:
    """Find the families of a study: of faults, with the subject alone at dose 0, and of what conditions differ by."""
    families: dict[tuple[str, ...], DoseFamily] = {}
    sound: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    for one in levels.subjects:
        where, dose = _condition(one), Dose.of(one.subject)
        if dose is not None and not dose.onset:
            key = (dose.fault, dose.subject, one.cell.test, where, dose.unit)
            who = f"{dose.subject}{f' in {where}' if where else ''}"
            families.setdefault(key, DoseFamily(dose.fault, who, dose.unit)).found.setdefault(dose.amount, []).append(
                one
            )
            sound.append((key, (dose.subject, one.cell.test, where)))
    for of_fault, same in dict.fromkeys(sound):
        alone = [one for one in levels.sound if (one.subject, one.cell.test, _condition(one)) == same]
        if alone:
            families[of_fault].found.setdefault(0.0, alone)
    for one in levels.sound if levels.measures.dose else ():
        amount, rest = _knob(one, levels.measures.dose)
        if amount is not None:
            unit = levels.measures.dose
            family = families.setdefault(("", one.subject, one.cell.test, rest), DoseFamily(unit, one.subject, unit))
            family.found.setdefault(amount, []).append(one)
    return list(families.values())


def responses(levels: CourseLevels) -> Iterator[Exhibit]:
    """Show the level by dose, arm by arm."""
    for family in dose_families(levels):
        for arm, found in family.arms():
            made = _response(levels, _titled(family, arm), family.unit, found)
            yield replace(made, kind=_kind("Dose and response", family, arm), of=family.of)


def training_by_dose(levels: CourseLevels) -> Iterator[Exhibit]:
    """Show how long training takes to reach the level, by dose."""
    reach = levels.measures.reach
    for family in dose_families(levels) if reach is not None and levels.measures.dose != TRAINING else ():
        for arm, found in family.arms():
            rows: list[list[Any]] = []
            for dose, one in found.items():
                for task in tasks_of(one):
                    spent = levels.reached(one, task)
                    if spent is not None:
                        mean = spent.restricted_mean if spent.reached else None
                        rows.append([dose, task, f"{spent.reached} of {spent.courses}", mean])
            if rows:
                points = [{"x": row[0], "series": row[1], "estimate": row[3]} for row in rows if row[3]]
                words = f"Sessions to reach the level by the dose of {family.what}."
                yield Exhibit(
                    f"Training time by dose: {_titled(family, arm)}",
                    f"{levels.how} The level to reach is {reach:g}. {BANDS}",
                    (family.unit, "task", "reached", "sessions to reach it"),
                    rows,
                    [band(points, x=family.unit, y="sessions", words=words)] if points else [],
                    [PAIRED, CENSORED],
                    kind=_kind("Training time by dose", family, arm),
                    of=family.of,
                )


def transfer_by_dose(levels: CourseLevels) -> Iterator[Exhibit]:
    """Show what carries over from one task to another, by dose."""
    for family in dose_families(levels) if levels.measures.dose != TRAINING else ():
        by_pair: dict[tuple[str, str, str], list[list[Any]]] = {}
        for dose, arms in sorted(family.found.items()):
            for one in carried(levels, arms, who=family.what):
                forms = [getattr(one.forms, form) for form in DOSED]
                by_pair.setdefault((one.first, one.second, one.way), []).append([dose, *forms])
        for (first, second, way), rows in by_pair.items():
            if len(rows) > 1:
                shown = {form: place for place, form in enumerate(DOSED, start=1) if any(row[place] for row in rows)}
                points = [
                    {"x": row[0], "series": FORMS[form], "estimate": row[place]}
                    for row in rows
                    for form, place in shown.items()
                    if form in LEVELLED and row[place]
                ]
                defined = "; ".join(f"{FORMS[form]}: {DEFINITIONS[form]}" for form in shown)
                words = "Transfer by dose, with bands over courses."
                yield Exhibit(
                    f"Transfer by dose: {family.what}, from {first} to {second}, probed {way}",
                    f"{letters(first, second)}{defined}. {levels.how} {BANDS}",
                    (family.unit, *(FORMS[form] for form in shown)),
                    [[row[0], *(row[place] for place in shown.values())] for row in rows],
                    [band(points, x=family.unit, y="level", words=words)] if points else [],
                    [PAIRED],
                    kind=f"{_kind('Transfer by dose', family)}, from {first} to {second}, probed {way}",
                    of=family.of,
                )


def recoveries(levels: CourseLevels) -> Iterator[Exhibit]:
    """Show what a fault that begins within a course costs, and whether it is made good."""
    rows: list[list[Any]] = []
    for one in levels.subjects:
        dose = Dose.of(one.subject)
        onset = 0 if dose is None else dose.onset or 0
        if onset:
            curve = np.stack(
                [levels.scaled(one, each, session) for each in one.training for session in each.scores.T], axis=1
            )
            whole = curve[~np.isnan(curve).any(axis=1)]
            if onset < curve.shape[1] and len(whole):
                came = recovery(before=whole[:, :onset].mean(axis=1), after=whole[:, onset:], scale=levels.scale)
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
    breaks = levels.measures.oracle is not None and unit != TRAINING
    response = dose_response(whole, doses=list(found), floor=0.0 if breaks else None)
    along = [levels.level(*one) for one in measured]
    points = [{"x": dose, "series": what, "estimate": one} for dose, one in zip(found, along, strict=True)]
    floor = " A course breaks where its level falls below chance." if response.breaking else ""
    return Exhibit(
        f"Dose and response: {what}",
        f"{response.sentence} The level is that of {measured[0][1].phase.name}.{floor} {levels.how} {BANDS}",
        (unit, "level"),
        [[dose, one] for dose, one in zip(response.doses, along, strict=True)],
        [band(points, x=unit, y="level", words=f"Level by the dose of {what}, with a band over courses.")],
        [
            PAIRED,
            *(
                [f"{len(rows) - len(whole)} courses lack a level at some dose and are not in the slope."]
                if len(whole) < len(rows)
                else []
            ),
        ],
    )


def _kind(what: str, family: DoseFamily, arm: str = "") -> str:
    """Return what is shown of a family, without of whom."""
    return f"{what}: {family.kind}{f' in {arm}' if arm else ''}"


def _titled(family: DoseFamily, arm: str) -> str:
    return f"{family.what} in {arm}" if arm else family.what


def _last(one: Courses) -> PhaseScores:
    """Return the phase by which a subject under a fault is judged: its last frozen probe, else its last phase."""
    frozen = one.probes(frozen=True)
    return frozen[-1][1] if frozen else one.taken[one.phases[-1].name]


def _condition(one: Courses) -> str:
    return one.cell.condition.removesuffix(one.cell.arm).removesuffix(", ")


def _knob(one: Courses, name: str) -> tuple[float | None, str]:
    """Return how much of a dose the condition of courses has, and the rest of the condition as one text."""
    if name == TRAINING:
        return float(sum(each.phase.sessions for each in one.training)), canonical(one.cell.parameters)
    given = dict(one.cell.parameters)
    if name in given:
        amount = given.pop(name)
        number = isinstance(amount, int | float) and not isinstance(amount, bool)
        return (float(amount) if number else None), canonical(given)
    for key, value in given.items():
        plain, options = split_settings(value) if isinstance(value, str) else ("", {})
        if name in options:
            others = {option: dose for option, dose in options.items() if option != name}
            return float(options[name]), canonical({**given, key: [plain, others]})
    return None, ""
