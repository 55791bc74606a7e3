"""Course place: the sessions of one person's course, in order, with the pauses between them and a group by chance."""

import time
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mensura.dialogue import Address, generator
from mensura.phrase import phrase
from mensura.running.adaptivity.groups import own_phases
from mensura.running.adaptivity.phases import cell_phases
from mensura.running.plan import session_id
from mensura.running.study.assignment import next_cell
from mensura.running.study.plan import Study
from mensura.store.head import RunHead, SessionHead
from mensura.store.people.invitations import Step
from mensura.subjects.spec import HUMAN

if TYPE_CHECKING:
    from mensura.store import Store

PART = str(phrase("Part {place} of {many}"))


def open_course(study: Study, cell: str, heads: Sequence[RunHead], *, store: "Store") -> list[Step]:
    """Open the sessions of the next course of a cell, and return them as steps.

    A probe is taken by one group only: chance assigns a person to one of those with the fewest people.
    """
    phases = cell_phases(study, next(one for one in study.cells() if one.name == cell))
    runs = {head.details["phase"]: head for head in heads}
    taken = {name: store.sessions.of(head.id) for name, head in runs.items()}
    course = 1 + max((one.address.course for sessions in taken.values() for one in sessions), default=-1)
    groups = {
        phase.name: len(standing(runs[phase.name], taken[phase.name], store=store))
        for phase in phases
        if phase.state == "group"
    }
    rng = generator(heads[0].own_seed(), Address(course=course), stream="groups")
    group = next_cell(groups, {}, rng) if groups else ""
    made: list[SessionHead] = []
    pauses: list[float] = []
    for phase in own_phases(phases, group):
        head = runs[phase.name]
        for number in range(phase.first, phase.first + phase.sessions):
            address = Address(course, phase.number, number)
            made.append(
                SessionHead(session_id(head.id, address), head.id, address, dict(head.cast), created=time.time())
            )
            pauses.append(phase.pause if number == phase.first else 0.0)
    store.sessions.add_many(made)
    return [
        Step(
            "session",
            title=PART,
            session=one.id,
            role=next(role for role, who in one.cast.items() if who == HUMAN),
            values={"place": place, "many": len(made)},
            pause=pause,
        )
        for place, (one, pause) in enumerate(zip(made, pauses, strict=True), start=1)
    ]


def standing(head: RunHead, sessions: Sequence[SessionHead], *, store: "Store") -> list[SessionHead]:
    """Return the sessions that count or may come to count: finished or open, and not excluded."""
    excluded = store.exclusions.excluded(head.id)
    return [one for one in sessions if one.status in ("open", "finished") and one.id not in excluded]


def course_counts(heads: Sequence[RunHead], *, store: "Store") -> tuple[int, int]:
    """Count the courses that are usable, and those that may become so: whole ones, and those with parts still open."""
    good: Counter[int] = Counter()
    every: Counter[int] = Counter()
    still: set[int] = set()
    for head in heads:
        sessions = store.sessions.of(head.id)
        every.update(one.address.course for one in sessions)
        for one in standing(head, sessions, store=store):
            good[one.address.course] += 1
            still |= {one.address.course} if one.status == "open" else set()
    whole = {course for course, count in every.items() if good[course] == count}
    return len(whole - still), len(whole & still)
