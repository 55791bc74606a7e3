"""Tasks of Inspect: loading one by its name, and whether it can be taken here as a bank of items."""

import inspect
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mensura.errors import BadFile, MissingExtra, UnknownName, raised, unknown

PROMPTING = ("system_message", "prompt_template", "chain_of_thought")
ASKING = ("generate", "multiple_choice")
SCORERS = {
    "match": {"location", "ignore_case", "numeric"},
    "includes": {"ignore_case"},
    "exact": set[str](),
    "pattern": {"pattern", "ignore_case", "match_all"},
    "answer": {"pattern"},
    "choice": set[str](),
    "f1": {"stop_words"},
}
"""The built-in scorers that judge an answer by nothing but its text and the target, and their arguments of data."""
AROUND = {
    "sample_source": "it makes its samples while it runs",
    "setup": "it has a setup",
    "sandbox": "it needs a sandbox",
    "approval": "it has an approval policy",
    "review": "it reviews the results of tools",
    "sentinel": "it has a sentinel",
}
"""What a task may have around its solver, and why it cannot be taken here then."""


@dataclass(frozen=True)
class InspectGrader:
    """A built-in scorer by name, with its arguments as JSON; picklable, so that every worker makes its own."""

    name: str
    arguments: str = "{}"


def need_inspect() -> None:
    """Raise the line to type where Inspect is not installed."""
    try:
        import inspect_ai  # noqa: F401
    except ImportError:
        raise MissingExtra("Tasks and logs of Inspect", package="inspect-ai", extra="inspect") from None


def load_task(place: str, arguments: Mapping[str, Any]) -> Any:
    """Load the task that Inspect knows as `package/task` or `file.py@task`.

    Raises
    ------
    UnknownName
        If there is none of this name, or several.
    BadFile
        If making it fails; the message says where.
    """
    need_inspect()
    from inspect_ai._eval.loader import load_tasks
    from inspect_ai._util.error import PrerequisiteError

    try:
        tasks = load_tasks([place], dict(arguments))
    except (PrerequisiteError, FileNotFoundError) as error:
        raise UnknownName(f"Inspect finds no task {place}: {getattr(error, 'message', error)}") from None
    except Exception as error:
        raise BadFile(f"The task {place} {raised(error)}") from error
    if len(tasks) != 1:
        found = ", ".join(task.name for task in tasks) or "none"
        raise UnknownName(f"Name one task, as package/task or ./file.py@task; {place} means {found}.")
    _check_arguments(tasks[0], arguments)
    return tasks[0]


def _check_arguments(task: Any, arguments: Mapping[str, Any]) -> None:
    """Refuse what a task does not take; Inspect would only warn."""
    from inspect_ai._util.registry import registry_lookup

    taken = inspect.signature(registry_lookup("task", task.registry_name)).parameters
    if any(one.kind is one.VAR_KEYWORD for one in taken.values()):
        return
    for name in arguments:
        if name not in taken:
            see = f"It has {', '.join(taken) or 'none'}."
            raise unknown(f"argument of {task.name}", name, known=list(taken), see=see)


def why_not(task: Any) -> str:
    """Return why a task cannot be taken here as items, in half a sentence; "" where it can."""
    around = [words for name, words in AROUND.items() if getattr(task, name, None) is not None]
    if around:
        return around[0]
    if any(sample.sandbox or sample.files or sample.setup for sample in task.dataset):
        return "its samples bring files or a sandbox"
    names = [name_of(step) for step in steps(task)]
    odd = next((name for name in names if name not in (*PROMPTING, *ASKING)), "")
    if odd:
        return f"its solver {odd} does more than ask"
    if any(name in ASKING for name in names[:-1]):
        return "its solvers ask more than once"
    return _why_not_scored(task, choosing=chooses(task))


def _why_not_scored(task: Any, *, choosing: bool) -> str:
    scorers = list(task.scorer or ())
    if not scorers:
        return "it has no scorer"
    for scorer in scorers:
        name = name_of(scorer)
        if name not in SCORERS:
            return f"its scorer {name} is not one of {', '.join(SCORERS)}"
        if (name == "choice") != choosing:
            return f"its scorer {name} and its solver do not go together: choice belongs to multiple_choice"
        if other := set(arguments_of(scorer)) - SCORERS[name]:
            return f"its scorer {name} is given {other.pop()}, which is a function"
    asked = steps(task)[-1:]
    if choosing and arguments_of(asked[0]).get("multiple_correct"):
        return "several of its choices may be right at once"
    return ""


def steps(task: Any) -> list[Any]:
    """List the solvers of a task in their order."""
    return list(task.solver) if isinstance(task.solver, Sequence) else [task.solver]


def chooses(task: Any) -> bool:
    """Return whether a task asks for one of several choices."""
    return any(name_of(step) == "multiple_choice" for step in steps(task))


def graders(task: Any) -> tuple[InspectGrader, ...]:
    """List the scorers of a task."""
    return tuple(InspectGrader(name_of(scorer), json.dumps(arguments_of(scorer))) for scorer in task.scorer or ())


def name_of(thing: Any) -> str:
    """Return what a solver or a scorer is called; those of Inspect itself without its name."""
    from inspect_ai.util import registry_info

    try:
        return str(registry_info(thing).name).removeprefix("inspect_ai/")
    except ValueError:
        return str(getattr(thing, "__name__", type(thing).__name__))


def arguments_of(thing: Any) -> dict[str, Any]:
    """Return what a solver or a scorer was made with."""
    from inspect_ai._util.registry import registry_params

    return dict(registry_params(thing))


def prompted(task: Any, samples: Iterable[Any]) -> list[list[Any]]:
    """Return the messages of each sample as the solvers of its task make them, up to the one that asks."""
    from inspect_ai.model import ChatMessageUser, ModelName
    from inspect_ai.solver import TaskState

    before = [step for step in steps(task) if name_of(step) in PROMPTING]

    async def shown(sample: Any) -> list[Any]:
        given = [ChatMessageUser(content=sample.input)] if isinstance(sample.input, str) else sample.input
        messages = [message.model_copy(deep=True) for message in given]
        facts = dict(sample.metadata or {})
        state = TaskState(ModelName("none/none"), sample.id, 1, sample.input, messages, metadata=facts)
        for step in before:
            state = await step(state, None)
        return list(state.messages)

    return [at_once(shown(sample)) for sample in samples]


def at_once(coroutine: Any) -> Any:
    """Return what a coroutine returns that waits for nothing, whether or not a loop is running."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    coroutine.close()
    raise BadFile("A solver or scorer of Inspect waited for something; as part of a test it must not.")
