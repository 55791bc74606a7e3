"""Builder: the page on which experimenters put a task together, try it, and save it as JSON."""

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, ClassVar

from mensura.catalog.task_environments.attempt import Attempt, Briefing, role_space
from mensura.catalog.task_environments.oracle.find import oracle_of
from mensura.catalog.task_environments.subjects import SUBJECTS
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.tasks.find import find_task, list_tasks
from mensura.catalog.task_environments.theory.properties import DEFINITIONS
from mensura.catalog.task_environments.theory.showing import shown_properties
from mensura.dialogue import Ask, Vector, generator
from mensura.errors import BadParameter, unknown

HELD = "held"
"""Who drives where sliders do: every motor keeps the power that it was given last."""
MOST_TICKS = 2000
POINTS = 40
TICK = 0.25


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
    return {
        "task": task.data(),
        "roles": {role: _sliders(task, role) for role in task.roles},
        "ranges": {place: [span.low, span.high] for place, span in task.ranges.items()},
        "tick": TICK,
    }


def _sliders(task: Task, role: str) -> list[dict[str, Any]]:
    space = role_space(task, role, signals=False)
    names = [motor.name for motor in task.flat.motors if role in motor.agents]
    return [
        {"name": name, "low": low, "high": high} for name, low, high in zip(names, space.low, space.high, strict=True)
    ]


def _properties(task: Task, asked: Mapping[str, Any]) -> dict[str, Any]:
    found = shown_properties(task)
    rows = [{"name": name, "value": float(found[name]), "definition": words} for name, words in DEFINITIONS.items()]
    return {"properties": rows}


def _curve(task: Task, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the best trades of time and energy; of a family, those of the instance at a share of its ranges."""
    share = asked.get("share", 0.5)
    if not isinstance(share, int | float) or not 0 <= share <= 1:
        raise BadParameter("An instance is chosen by a share of the ranges, from 0 to 1.")
    numbers = task.numbers([share] * len(task.ranges))
    found = oracle_of(task.fix(numbers)).data(POINTS)
    curve = [one for one in found.pop("curve") if isfinite(one["time"]) and isfinite(one["energy"])]
    return {**found, "curve": curve, "drawn": dict(zip(task.ranges, numbers, strict=True))}


def _run(task: Task, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Let subjects and hands try one instance together; what comes back is what all sensors read by tick.

    `subjects` says who plays each role, `powers` what hands set, by role and tick. A live run asks for so many ticks as
    were set so far, again from the start: the server keeps nothing, and a hand's run is as repeatable as a subject's.
    """
    seed, most = asked.get("seed", 0), asked.get("ticks", MOST_TICKS)
    if not isinstance(seed, int) or not 0 <= seed < 2**32 or not isinstance(most, int):
        raise BadParameter("A seed is a whole number from 0, and so are ticks.")
    briefing = Briefing(task, "exact", TICK, "goal", False, key=seed)
    attempt = Attempt(briefing, 0)
    subjects = {role: _subject(asked, role, role_space(task, role, signals=False), seed) for role in task.roles}
    for role, subject in subjects.items():
        if hasattr(subject, "feedback"):
            subject.feedback(Ask(briefing.words(role), key=attempt.key, role=role))
    columns = [number for number, sensor in enumerate(task.flat.sensors) if not sensor.reward]
    times, trace = [0.0], [[attempt.seen[column] for column in columns]]
    while not attempt.over and len(times) <= min(most, MOST_TICKS):
        answers = {}
        for role, space in attempt.spaces.items():
            seen = attempt.readings(role)
            ask = Ask(seen, space, attempt.key, role, None, None, attempt.reward, attempt.world)
            answers[role] = space.check(subjects[role](ask))
        attempt.act(answers)
        times.append(attempt.world.state.time)
        trace.append([attempt.seen[column] for column in columns])
    result = attempt.result()
    return {
        **{key: result[key] for key in ("solved", "goals_met", "time", "energy")},
        "names": [task.flat.sensors[column].name for column in columns],
        "times": times,
        "trace": trace,
        "over": attempt.over,
        "drawn": dict(zip(task.ranges, result["drawn"], strict=True)),
    }


def _subject(asked: Mapping[str, Any], role: str, limits: Vector, seed: int) -> Any:
    given = asked.get("subjects", {})
    name = given.get(role, HELD) if isinstance(given, Mapping) else HELD
    if name == HELD:
        return _held(asked.get("powers"), role, limits)
    if name not in SUBJECTS:
        raise unknown("subject", str(name), known=list(SUBJECTS), see=f"There are {', '.join(SUBJECTS)}.")
    subject = SUBJECTS[name]()
    if hasattr(subject, "begin"):
        subject.begin(generator(seed))
    return subject


def _held(powers: Any, role: str, limits: Vector) -> Callable[[Ask], Any]:
    """Answer as a hand did: tick by tick, and with what it set last when it let go.

    The motors of an instance may be weaker than the strongest of the family, for which sliders are made.
    """
    ticks = powers if isinstance(powers, list) and all(isinstance(one, Mapping) for one in powers) else []
    set_by_hand = iter([one[role] for one in ticks if role in one])
    last: Any = None

    def answer(ask: Ask) -> Any:
        nonlocal last
        space: Any = ask.space
        last = next(set_by_hand, last)
        wanted = [0.0] * len(space.high) if last is None else limits.check(last)
        return [min(max(power, low), high) for power, low, high in zip(wanted, space.low, space.high, strict=True)]

    return answer
