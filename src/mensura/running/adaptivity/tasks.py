"""Tasks: what the courses of a subject train, in which arm and when, and what their test says of them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mensura.catalog.find import find_test
from mensura.dialogue import TaskClass
from mensura.running.adaptivity.gathering import Courses
from mensura.running.adaptivity.levels import CourseLevels
from mensura.running.course import Phase

WAYS = {"frozen": True, "learning": False}
"""How levels are probed; they differ, so both are reported by name."""


def tasks_of(courses: Courses) -> list[str]:
    """List the tasks that were trained, in the order in which they first were."""
    return list(dict.fromkeys(one.task for one in courses.training))


def trained(courses: Courses, task: str, *, at: int | None = None) -> int:
    """Return how many sessions were spent on a task, up to a place in the course."""
    return sum(one.phase.sessions for one in courses.training[:at] if one.task == task)


def by_subject(levels: CourseLevels) -> dict[tuple[str, str], list[Courses]]:
    """Return the arms of every subject, under each condition of each test, without those whom a fault befalls."""
    found: dict[tuple[str, str], list[Courses]] = {}
    for one in levels.sound:
        condition = one.cell.condition.removesuffix(one.cell.arm).removesuffix(", ")
        where = one.cell.test if len(levels.study.tests) > 1 else ""
        found.setdefault((one.cell.cast.name, " in ".join(filter(None, (where, condition)))), []).append(one)
    return found


def named(who: str, where: str) -> str:
    """Name a subject and, where the study has several, its test and condition."""
    return f"{who} ({where})" if where else who


class Stretch(NamedTuple):
    """A task trained without another in between: how many training phases lie before, and how many with it."""

    task: str
    begin: int
    end: int


def stretches(courses: Courses) -> list[Stretch]:
    """Divide the training of courses by the task that is trained."""
    found: list[Stretch] = []
    for place, one in enumerate(courses.training):
        if found and found[-1].task == one.task:
            found[-1] = found[-1]._replace(end=place + 1)
        else:
            found.append(Stretch(one.task, place, place + 1))
    return found


def takes_turns(courses: Courses) -> bool:
    """Return whether a task was trained, left for another and trained again."""
    order = [one.task for one in stretches(courses)]
    return len(set(order)) < len(order)


def only(courses: Sequence[Courses], task: str) -> Courses | None:
    """Find the arm that trains one task and no other."""
    return next((one for one in courses if tasks_of(one) == [task]), None)


def class_of(phases: Iterable[Phase]) -> TaskClass | None:
    """Return what the test of all these phases says of its tasks; None where it does not, or there are several."""
    tests = {phase.test for phase in phases}
    return find_test(tests.pop()).tasks if len(tests) == 1 else None


def properties_of(phase: Phase) -> dict[str, float]:
    """Return the sizes of the task of a phase, as its test gives them."""
    test = find_test(phase.test)
    return {} if test.tasks is None else dict(test.tasks.properties(**test.fill(phase.parameters)))


def distance(first: Phase, second: Phase) -> float:
    """Return how far the tasks of two phases of one test are apart."""
    test = find_test(first.test)
    assert test.tasks is not None
    return float(test.tasks.distance(*(test.fill(phase.parameters) for phase in (first, second))))
