"""The test of task environments: set motors at every tick, until goals are met or limits reached."""

from collections.abc import Generator
from typing import Annotated, Any, Literal

import numpy as np

from mensura.catalog.task_environments.attempt import Attempt, Briefing, role_space
from mensura.catalog.task_environments.dashboard import Dashboard
from mensura.catalog.task_environments.exhibits import exhibits
from mensura.catalog.task_environments.failing import failing
from mensura.catalog.task_environments.playing import play_batch
from mensura.catalog.task_environments.scoring import result_key, score, scores
from mensura.catalog.task_environments.settings import SETTINGS
from mensura.catalog.task_environments.subjects import SUBJECTS
from mensura.catalog.task_environments.task.task import Physics
from mensura.catalog.task_environments.tasks.find import TaskName, find_task
from mensura.catalog.task_environments.theory.task_class import TASKS
from mensura.dialogue import Ask, Outcome, Readings, Round, Sees, test
from mensura.errors import BadParameter


def roles(*, task: str, **others: Any) -> tuple[str, ...]:
    """Return who acts in a task."""
    return find_task(task).roles


def refuse(**parameters: Any) -> None:
    """Refuse parameters with which no attempt can be made."""
    from mensura.catalog.task_environments.physics.batch import STEP, steps_of

    if parameters["episodes"] < 1 or parameters["ladder"] < 0:
        raise BadParameter("--episodes is at least 1, and --ladder at least 0.")
    find_task(parameters["task"])
    steps_of(parameters["tick"], STEP, parameters["physics"])


def _shape(*, task: str, **others: Any) -> tuple[int, ...]:
    found = find_task(task)
    return (max(len(found.observed(role)) for role in found.roles),)


def _array(prompt: Readings) -> Any:
    return prompt.array() if isinstance(prompt, Dashboard) else prompt.values


def _acts(role: str, *, task: str, signals: bool, **others: Any) -> Any:
    return role_space(find_task(task), role, signals=signals)


@test(
    "task-environments-v1",
    extra="task-environments",
    score=score,
    scored_by="truths",
    scores=scores,
    roles=roles,
    refuse=refuse,
    subjects=SUBJECTS,
    settings=SETTINGS,
    sees=Sees((2,), -np.inf, np.inf, np.float64, _array, _shape),
    acts=_acts,
    batch=play_batch,
    exhibits=exhibits,
    failing=failing,
    tasks=TASKS,
    memory=20,
)
def task_environments(
    rng: np.random.Generator,
    *,
    task: TaskName = "car-race",
    physics: Annotated[
        Physics,
        "How motion is computed: exact, paper (as printed) or original (as the authors' program did).",
    ] = "exact",
    tick: Annotated[float, "How many seconds pass between two settings of the motors, 0.001 or more."] = 0.25,
    told: Annotated[
        Literal["goal", "reward", "neither"],
        "What the subject is told: goal (the goals), reward (only how near it is) or neither.",
    ] = "goal",
    episodes: Annotated[int, "How many attempts count, 1 or more."] = 1,
    ladder: Annotated[
        int,
        "How many easier attempts come first and do not count; they begin near the goals. 0: none.",
    ] = 0,
    signals: Annotated[bool, "Whether the subject can ask for help and give up."] = False,
) -> Generator[Ask | Round, Any, Outcome]:
    """Reach the goals of a physical task by setting its motors, in little time and with little energy."""
    terms = Briefing(find_task(task), physics, tick, told, signals, key=int(rng.integers(2**63)), ladder=ladder)
    for number in range(ladder + episodes):
        attempt = Attempt(terms, number)
        key = attempt.key
        if number == 0 or terms.help:
            for role in terms.roles:
                yield Ask(terms.words(role), key=key, role=role)
        while not attempt.over:
            asks = [
                Ask(attempt.readings(role), attempt.spaces[role], key, role, None, None, attempt.reward, attempt.world)
                for role in terms.roles
            ]
            if len(asks) == 1:
                answer = yield asks[0]
                answers = {asks[0].role: answer}
            else:
                answers = yield Round(asks)
            attempt.act(answers)
            if attempt.asked_for_help:
                for role in terms.roles:
                    yield Ask(terms.help_words(role), key=key, role=role)
        final = number == ladder + episodes - 1
        # What came of it is a truth: scores are made from it, and nobody is told more than whether it is solved.
        for role in terms.roles:
            kept = role == terms.roles[0] and number >= ladder
            reward = None if final else attempt.reward
            name, truth = (result_key(number - ladder), attempt.result()) if kept else (key, None)
            yield Ask(attempt.ending, key=name, role=role, truth=truth, reward=reward)
    # What is left at the end is read, not driven.
    seen = attempt.readings(terms.roles[0])
    last: Readings | list[Any] = Readings(seen.values, seen.names) if len(terms.roles) == 1 else [attempt.ending]
    return Outcome(last, reward=attempt.reward, truncated=not attempt.world.solved)
