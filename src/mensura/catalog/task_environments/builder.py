"""Builder: the page on which experimenters put a task together, try it, and save it as JSON."""

from collections.abc import Mapping
from math import isfinite
from typing import Any, ClassVar

from mensura.catalog.task_environments.attempt import Attempt, Briefing
from mensura.catalog.task_environments.oracle.find import oracle_of
from mensura.catalog.task_environments.subjects import SUBJECTS
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.tasks.find import find_task, list_tasks
from mensura.catalog.task_environments.theory.properties import DEFINITIONS
from mensura.catalog.task_environments.theory.showing import shown_properties
from mensura.dialogue import Ask, generator
from mensura.errors import BadParameter, unknown

HELD = "held"
"""Who drives where sliders do: every motor keeps the power that it was given."""
MOST_TICKS = 2000
POINTS = 40


class Builder:
    """Build a task of bodies, motors, sensors, transitions and goals, and see what it asks of who takes it."""

    title: ClassVar[str] = "Build a task"
    page: ClassVar[Mapping[str, str]] = {
        "package": __package__,
        "template": "builder.html",
        "script": "builder.js",
        "style": "builder.css",
    }

    def data(self) -> dict[str, Any]:
        """Return what the page is drawn with: what blocks are made of, tasks to begin with, and who can try one."""
        return {
            "schema": Task.schema(),
            "tasks": {name: find_task(name).data() for name in list_tasks()},
            "subjects": list(SUBJECTS),
        }

    def answer(self, asked: Any) -> dict[str, Any]:
        """Check a task, and give its `properties`, its `curve` or a `run` of it where that is wanted."""
        if not isinstance(asked, Mapping) or not isinstance(asked.get("task"), Mapping):
            raise BadParameter("Ask with a task.")
        task = Task.read(asked["task"])
        wanted = {"check": _checked, "properties": _properties, "curve": _curve, "run": _run}
        if asked.get("want", "check") not in wanted:
            raise unknown("question", str(asked["want"]), known=list(wanted), see=f"There are {', '.join(wanted)}.")
        return {"id": task.id, **wanted[asked.get("want", "check")](task, asked)}


def _checked(task: Task, asked: Mapping[str, Any]) -> dict[str, Any]:
    return {"task": task.data(), "roles": task.roles}


def _properties(task: Task, asked: Mapping[str, Any]) -> dict[str, Any]:
    found = shown_properties(task)
    rows = [{"name": name, "value": float(found[name]), "definition": words} for name, words in DEFINITIONS.items()]
    return {"properties": rows}


def _curve(task: Task, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the best trades of time and energy; of a family, those of its middle instance."""
    found = oracle_of(task.fix(task.numbers([0.5] * len(task.ranges)))).data(POINTS)
    curve = [one for one in found.pop("curve") if isfinite(one["time"]) and isfinite(one["energy"])]
    return {**found, "curve": curve, "family": bool(task.ranges)}


def _run(task: Task, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Let a subject, or held powers, try one instance; what comes back is what its sensors read by tick."""
    if len(task.roles) != 1:
        raise BadParameter(f"This page tries tasks of one role; this one has {len(task.roles)}.")
    name, seed, [role] = asked.get("subject", HELD), asked.get("seed", 0), task.roles
    if not isinstance(seed, int) or not 0 <= seed < 2**32:
        raise BadParameter("A seed is a whole number from 0.")
    briefing = Briefing(task, "exact", 0.25, "goal", False, key=seed)
    attempt = Attempt(briefing, 0)
    space, times, trace = attempt.spaces[role], [0.0], [attempt.readings(role).values]
    subject = _held(asked.get("powers")) if name == HELD else _subject(str(name), seed)
    if hasattr(subject, "feedback"):
        subject.feedback(Ask(briefing.words(role), key=attempt.key, role=role))
    while not attempt.over and len(times) <= MOST_TICKS:
        ask = Ask(attempt.readings(role), space, attempt.key, role, None, None, attempt.reward, attempt.world)
        attempt.act({role: space.check(subject(ask))})
        times.append(attempt.world.state.time)
        trace.append(attempt.readings(role).values)
    result = attempt.result()
    shown = {key: result[key] for key in ("solved", "goals_met", "time", "energy")}
    names = list(attempt.readings(role).names)
    return {**shown, "names": names, "times": times, "trace": trace, "cut": not attempt.over}


def _held(powers: Any) -> Any:
    return lambda ask: list(powers) if isinstance(powers, list) else [0.0] * len(ask.space.high)


def _subject(name: str, seed: int) -> Any:
    if name not in SUBJECTS:
        raise unknown("subject", name, known=list(SUBJECTS), see=f"There are {', '.join(SUBJECTS)}.")
    subject = SUBJECTS[name]()
    if hasattr(subject, "begin"):
        subject.begin(generator(seed))
    return subject
