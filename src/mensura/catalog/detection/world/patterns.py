"""Event patterns: tasks, the alternative methods to do them, and the steps of each, down to transactions.

The same library drives the simulation and is given to the detector.
"""

from dataclasses import dataclass
from typing import Any, Literal

Role = Literal["", "leader", "holder", "member", "helper", "supplier", "outsider"]

KINDS = (
    *("call", "meeting", "purchase", "transfer", "payment", "visit", "training", "application", "incident"),
    "delivery",
)
CONTEXTS = ("attack", "threat group at work", "harmless group at work")


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


@dataclass(frozen=True, slots=True)
class Activity:
    """Something to be done, in one of several ways."""

    name: str
    methods: tuple[Method, ...]


ALWAYS = (1.0, 1.0, 1.0)
PHASES = ("plan", "acquire-assets", "case-target", "deliver-assets", "apply-assets")

LIBRARY = {
    task.name: task
    for task in (
        Activity(
            "exploit-target",
            (Method("in five phases", ALWAYS, (*(PatternStep(phase) for phase in PHASES), PatternStep("consummate"))),),
        ),
        Activity(
            "plan",
            (
                Method(
                    "by calls", (0.5, 0.4, 0.4), (PatternStep("call", "leader", "member", each="member", times=(1, 3)),)
                ),
                Method(
                    "in cells",
                    (0.4, 0.2, 0.1),
                    (
                        PatternStep("meeting", "member", "member", times=(2, 4)),
                        PatternStep("call", "leader", "member", times=(1, 3)),
                    ),
                    together=True,
                    covert=True,
                ),
                Method("in assembly", (0.1, 0.4, 0.5), (PatternStep("meeting", "leader", "member", each="member"),)),
            ),
        ),
        Activity(
            "acquire-assets",
            (
                Method(
                    "piece by piece",
                    ALWAYS,
                    (
                        PatternStep("acquire-resource", each="resource"),
                        PatternStep("acquire-capability", each="capability"),
                        PatternStep("call", "leader", "member", times=(1, 2)),
                    ),
                    together=True,
                ),
            ),
        ),
        Activity(
            "acquire-resource",
            (
                Method(
                    "buy",
                    (0.3, 0.6, 0.65),
                    (PatternStep("purchase", "holder", "supplier"), PatternStep("payment", "holder", "supplier")),
                    together=True,
                ),
                Method(
                    "through a middleman",
                    (0.45, 0.2, 0.1),
                    (PatternStep("purchase", "helper", "supplier"), PatternStep("transfer", "helper", "holder")),
                    covert=True,
                ),
                Method("borrow", (0.25, 0.2, 0.25), (PatternStep("transfer", "helper", "holder"),)),
                Method("own it", ALWAYS, (), held=True),
            ),
        ),
        Activity(
            "acquire-capability",
            (
                Method("have it", ALWAYS, (), held=True),
                Method(
                    "learn it",
                    (0.5, 0.6, 0.7),
                    (PatternStep("training", "holder", "supplier"), PatternStep("payment", "holder", "supplier")),
                    together=True,
                ),
                Method(
                    "consult",
                    (0.5, 0.4, 0.3),
                    (PatternStep("call", "holder", "outsider", times=(1, 3)),),
                    covert=True,
                ),
            ),
        ),
        Activity(
            "case-target",
            (
                Method("look", (0.5, 0.6, 0.6), (PatternStep("visit", "member", times=(1, 3), place=True),)),
                Method(
                    "ask around",
                    (0.3, 0.1, 0.1),
                    (PatternStep("call", "member", "outsider", times=(1, 2)),),
                    covert=True,
                ),
                Method("know it", (0.2, 0.3, 0.3), ()),
            ),
        ),
        Activity(
            "deliver-assets",
            (
                Method("straight", (0.5, 0.8, 0.85), (PatternStep("visit", "holder", each="resource", place=True),)),
                Method(
                    "by stages",
                    (0.5, 0.2, 0.15),
                    (
                        PatternStep("transfer", "holder", "member", each="resource"),
                        PatternStep("visit", "member", times=(1, 2), place=True),
                    ),
                    covert=True,
                ),
            ),
        ),
        Activity(
            "apply-assets",
            (
                Method(
                    "one by one",
                    (0.7, 0.6, 0.6),
                    (
                        PatternStep("apply-resource", each="resource"),
                        PatternStep("apply-capability", each="capability"),
                    ),
                    together=True,
                ),
                Method(
                    "on command",
                    (0.3, 0.4, 0.4),
                    (
                        PatternStep("call", "leader", "member", each="member"),
                        PatternStep("apply-resource", each="resource"),
                        PatternStep("apply-capability", each="capability"),
                    ),
                ),
            ),
        ),
        Activity("apply-resource", (Method("use", ALWAYS, (PatternStep("application", "holder", place=True),)),)),
        Activity(
            "apply-capability", (Method("exercise", ALWAYS, (PatternStep("application", "holder", place=True),)),)
        ),
        Activity(
            "consummate",
            (
                Method("strike", (1.0, 0.0, 0.0), (PatternStep("incident", place=True),)),
                Method("deliver", (0.0, 1.0, 1.0), (PatternStep("delivery", "leader", place=True),)),
            ),
        ),
    )
}


def as_data(*, left_out: frozenset[tuple[str, str]] = frozenset()) -> dict[str, Any]:
    """Give the library as data for a file; methods in `left_out` (task, method) stay hidden."""
    return {
        "contexts": list(CONTEXTS),
        "transactions": list(KINDS),
        "root": "exploit-target",
        "tasks": {
            name: {
                method.name: {
                    "weights": list(method.weights),
                    "order": "together" if method.together else "sequence",
                    "covert": method.covert,
                    **({"when": "someone in the team has the asset from the start"} if method.held else {}),
                    "steps": [_step(step) for step in method.steps],
                }
                for method in task.methods
                if (name, method.name) not in left_out
            }
            for name, task in LIBRARY.items()
        },
    }


def _step(step: PatternStep) -> dict[str, Any]:
    data: dict[str, Any] = {"do": step.do}
    for key in ("actor", "other", "each"):
        if value := getattr(step, key):
            data[key] = value
    if step.times != (1, 1):
        data["times"] = list(step.times)
    if step.place:
        data["at"] = "target"
    return data
