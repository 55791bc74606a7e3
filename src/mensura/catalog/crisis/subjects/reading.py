"""Reading: what a simulated participant makes of a message they have opened."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mensura.catalog.crisis.act import Act, call
from mensura.catalog.crisis.office.slots import slots_text
from mensura.catalog.crisis.subjects.traits import Traits
from mensura.catalog.crisis.world.mail import Letter, Task
from mensura.catalog.crisis.world.world import World


def understand(letter: Letter, *, traits: Traits, rng: np.random.Generator) -> list[Task]:
    """Say which of a message's tasks a reader of this skill sees.

    Understanding is simulated from the message's key, which no subject is ever shown: each task is seen with the
    chance ½ + ½ skill. Nothing of a message that was not opened is used, and nothing else of the key.
    """
    return [task for task in letter.tasks if rng.random() < 0.5 + 0.5 * traits.skill]


def misread(task: Task, *, traits: Traits, rng: np.random.Generator) -> Task:
    """Spoil a number or a word with the chance 0.15 (1 − skill), as a slip of the eye or the hand would."""
    if "value" not in task.target or rng.random() >= 0.15 * (1 - traits.skill):
        return task
    value = task.target["value"]
    if isinstance(value, (int, float)):
        wrong: Any = int(value) + int(rng.choice([-20, -10, 10, 20]))
    elif isinstance(value, str) and len(value) > 3:
        at = int(rng.integers(1, len(value) - 2))
        wrong = value[:at] + value[at + 1] + value[at] + value[at + 2 :]
    else:
        return task
    return task.model_copy(update={"target": {**task.target, "value": wrong}})


def acts_for(task: Task, *, message: str, world: World, constraints: bool) -> list[Act]:
    """Say by which acts a task is settled; constraints are entered only where there is a tool for them."""
    target = task.target
    if task.kind == "room_fact":
        return [call("set_room_fact", room=target["room"], fact=target["fact"], value=words(target["value"]))]
    if task.kind == "event_fact":
        return [call("set_event_fact", event=target["event"], fact=target["fact"], value=words(target["value"]))]
    if task.kind == "web":
        return [call("edit_entry", entry=target["entry"], field=target["field"], value=words(target["value"]))]
    if task.kind == "query" and target.get("answer"):
        answer = target["answer"]
        said = answer if isinstance(answer, str) else str(answer[0])
        return [call("reply", message=message, text=f"Thank you for asking. {said}")]
    if task.kind == "order" and target.get("cancel"):
        return [call("cancel_order", order=target["order"])]
    if task.kind == "order" and {"order", "quantity"} <= set(target):
        return [call("change_order", order=target["order"], quantity=target["quantity"])]
    if task.kind == "order" and {"vendor", "item", "quantity", "event"} <= set(target):
        return [call("order", **{name: target[name] for name in ("vendor", "item", "quantity", "event")})]
    if constraints and task.kind in ("availability", "preference"):
        return [_constrain(world, rule) for rule in task.rules]
    return []


def same(one: Act, other: Act) -> bool:
    """Say whether two acts do the same, whatever the order and case of lists and words.

    >>> same(call("set_room_fact", value="a, B"), call("set_room_fact", value="b a"))
    True
    """
    return one["call"] == other["call"] and _plain(one["arguments"]) == _plain(other["arguments"])


def words(value: Any) -> str:
    """Write a value as one types it."""
    return ", ".join(map(str, value)) if isinstance(value, Sequence) and not isinstance(value, str) else str(value)


def _constrain(world: World, name: str) -> Act:
    rule = world.rule[name]
    said = {part: getattr(rule, part) for part in ("event", "other", "person", "place", "item")}
    filled = {part: value for part, value in said.items() if value}
    if rule.slots:
        filled["slots"] = slots_text(rule.slots)
    return call("constrain", kind=rule.kind, **filled)


def _plain(arguments: dict[str, Any]) -> dict[str, list[str]]:
    return {name: sorted(words(value).lower().replace(",", " ").split()) for name, value in arguments.items() if value}
