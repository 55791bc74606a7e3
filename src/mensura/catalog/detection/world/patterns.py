"""Event patterns: tasks, the alternative methods to do them, and the steps of each, down to transactions."""

from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal

from mensura.yaml_file import parse_yaml

Role = Literal["", "leader", "holder", "member", "helper", "supplier", "outsider"]


@dataclass(frozen=True, slots=True)
class PatternStep:
    """One step of a method: a subtask, or a transaction with its roles.

    Parameters
    ----------
    do : str
        Name of a task or kind of transaction.
    actor, other : str
        Who does it, and with whom: leader, the holder of the asset, any member of the team, a helper from the same
        group, a supplier, an outsider.
    each : {"", "resource", "capability", "member"}
        Repeat for each resource type or capability that the mode needs, or for each member of the team.
    times : tuple of int
        Fewest and most repetitions.
    place : bool
        Whether it happens at the target.
    """

    do: str
    actor: Role = ""
    other: Role = ""
    each: Literal["", "resource", "capability", "member"] = ""
    times: tuple[int, int] = (1, 1)
    place: bool = False


@dataclass(frozen=True, slots=True)
class Method:
    """One way to do a task, with its weight in each of the `CONTEXTS`; steps follow one another or go together.

    A method that needs the asset to be `held` is taken whenever someone in the team has it from the start, and never
    otherwise; its weights do not matter.
    """

    name: str
    weights: tuple[float, float, float]
    steps: tuple[PatternStep, ...]
    together: bool = False
    covert: bool = False
    held: bool = False


def _step(said: dict[str, Any]) -> PatternStep:
    roles = {key: said[key] for key in ("actor", "other", "each") if key in said}
    return PatternStep(said["do"], **roles, times=tuple(said.get("times", (1, 1))), place="at" in said)


def _method(name: str, said: dict[str, Any]) -> Method:
    steps = tuple(_step(step) for step in said["steps"])
    together = said["order"] == "together"
    return Method(name, tuple(said["weights"]), steps, together, said["covert"], held="when" in said)


_DATA: dict[str, Any] = parse_yaml((files(__package__) / "patterns.yaml").read_text(encoding="utf-8"), "patterns.yaml")
KINDS: tuple[str, ...] = tuple(_DATA["transactions"])
CONTEXTS: tuple[str, ...] = tuple(_DATA["contexts"])
LIBRARY = {task: tuple(_method(*each) for each in methods.items()) for task, methods in _DATA["tasks"].items()}


def as_data(*, left_out: frozenset[tuple[str, str]] = frozenset()) -> dict[str, Any]:
    """Return the library as data for a file; methods in `left_out` (task, method) stay hidden."""
    tasks = {
        task: {name: method for name, method in methods.items() if (task, name) not in left_out}
        for task, methods in _DATA["tasks"].items()
    }
    return {**_DATA, "tasks": tasks}
