"""Trained: what courses came to at the end of each training, as groups that their test can show."""

from dataclasses import replace
from typing import TYPE_CHECKING

from mensura.catalog.find import find_test
from mensura.exhibit import Group
from mensura.running.adaptivity.phases import cell_phases

if TYPE_CHECKING:
    from mensura.running.study.analysis.cell import TakenCell
    from mensura.running.study.plan import Study
    from mensura.store import Store


def trained_groups(cell: "TakenCell", study: "Study", *, store: "Store") -> list[Group]:
    """Return a group for each training of a cell's courses: the last session of every course, so that each counts once.

    Phases of other tests, faults, chance and the oracle are left out: a test shows what subjects do, task by task.
    """
    planned = cell.state.cell
    beside = [study.adaptivity.get(side) for side in ("chance", "oracle")]
    if planned.cast.name in beside or planned.cast.subjects.get("", "").startswith("fault:"):
        return []
    groups = []
    for phase in cell_phases(study, planned):
        if phase.probes or not phase.learn or find_test(phase.test) is not find_test(planned.test):
            continue
        only = cell.only(phase.name)
        last: dict[int, tuple[int, str]] = {}
        for head in only.state.runs:
            for one in store.sessions.of(head.id):
                if one.id in only.usable:
                    course, number = one.address.course, one.address.session
                    last[course] = max(last.get(course, (-1, "")), (number, one.id))
        kept = {session: only.everything[session] for _, session in last.values()}
        if kept:
            ends = replace(only, everything=kept, left_out=[])
            group = ends.group(store, ends.estimated(None))
            groups.append(replace(group, name=f"{planned.name}, end of {phase.name}"))
    return groups
