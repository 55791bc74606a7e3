"""Act: something that is done in the office, written as data; subjects, assistant and training write it alike."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from mensura.catalog.crisis.planning.supply import Errand
from mensura.catalog.crisis.world.time import DAYS, block_of, day_of

Act = dict[str, Any]


def call(name: str, **arguments: Any) -> Act:
    """Write an act.

    >>> call("wait", seconds=5)
    {'call': 'wait', 'arguments': {'seconds': 5}}
    """
    return {"call": name, "arguments": arguments}


def when(slot: int) -> dict[str, int]:
    """Return day and block as people count them.

    >>> when(7)
    {'day': 2, 'block': 3}
    """
    return {"day": day_of(slot) + 1, "block": block_of(slot) + 1}


def vendor_act(errand: Errand) -> Act:
    """Write an errand as an act."""
    if errand.do == "order":
        return call("order", vendor=errand.vendor, item=errand.item, quantity=errand.quantity, event=errand.event)
    if errand.do == "change":
        return call("change_order", order=errand.order, quantity=errand.quantity)
    return call("cancel_order", order=errand.order)


def same(one: Act, other: Act) -> bool:
    """Return whether two acts do the same, whatever the order and case of lists and words.

    >>> same(call("set_room_fact", value="a, B"), call("set_room_fact", value="b a"))
    True
    """
    return one["call"] == other["call"] and _plain(one["arguments"]) == _plain(other["arguments"])


def spoiled(one: Act, rng: np.random.Generator) -> Act:
    """Return an act with a wrong number, day or word; as it was where it has none of these.

    >>> spoiled(call("constrain", kind="away", slots="2.1 4"), np.random.default_rng(1))["arguments"]["slots"]
    '3.1 1'
    """
    given = dict(one["arguments"])
    value = str(given.get("value", ""))
    if value.isdecimal():
        wrong = int(value) + int(rng.choice([-20, -10, 10, 20]))
        given["value"] = str(wrong if wrong > 0 else int(value) + 10)
    elif "quantity" in given:
        given["quantity"] = int(given["quantity"]) + int(rng.choice([1, 2, 5, 10]))
    elif given.get("slots"):
        given["slots"] = re.sub(r"(?<![.\d])\d", lambda day: str(int(day[0]) % DAYS + 1), str(given["slots"]))
    elif one["call"] == "edit_entry" and len(value) > 3:
        at = int(rng.integers(1, len(value) - 2))
        given["value"] = value[:at] + value[at + 1] + value[at] + value[at + 2 :]
    return {**one, "arguments": given}


def words(value: Any) -> str:
    """Write a value as one types it."""
    return ", ".join(map(str, value)) if isinstance(value, Sequence) and not isinstance(value, str) else str(value)


def _plain(arguments: dict[str, Any]) -> dict[str, list[str]]:
    return {name: sorted(words(value).lower().replace(",", " ").split()) for name, value in arguments.items() if value}
