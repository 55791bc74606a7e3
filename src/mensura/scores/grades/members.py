"""Members: a list whose order does not matter, held against the list that is right."""

import re
from collections.abc import Sequence
from typing import Any

from mensura.json_file import loads
from mensura.scores.grades.exact import USUAL, normalised

COUNTS = ("f1", "all")
BULLET = re.compile(r"^\s*(?:[-*•]|\(?\d{1,3}[.)])\s+")
LAST = re.compile(r"^and\s+", re.IGNORECASE)
EMPTY = ("", "none", "nothing", "[]")


def members(answer: str, truth: Sequence[Any], *, count: str = "f1", ignore: Sequence[str] = USUAL) -> dict[str, float]:
    r"""Return how well a list names the members of a set, whatever their order; larger is better.

    With "f1": :math:`2PR/(P + R)`, the precision :math:`P` (the share of what is named that belongs to it) and the
    recall :math:`R` (the share of it that is named). Naming a member twice, or by two of its names, counts once, so
    more that is true never costs; naming what does not belong to it does. With "all": 1 where all members and nothing
    else are named, else 0.

    Parameters
    ----------
    answer : str
        A JSON list; else one member per line, or separated by semicolons or else by commas; "none" is the empty list.
    truth : sequence
        The members; one that has several names is a list of them.
    count : {"f1", "all"}
        What counts.
    ignore : sequence of str
        As in `mensura.scores.grades.exact`.

    Examples
    --------
    >>> members("iron, gold", ["gold", "silver", ["iron", "Fe"]])
    {'set_f1': 0.8, 'set_precision': 1.0, 'set_recall': 0.6666666666666666}
    >>> members("b; a", ["a", "b"], count="all")
    {'accuracy': 1.0}
    """
    known: dict[str, int] = {}
    for place, member in enumerate(truth):
        for name in member if isinstance(member, (list, tuple)) else [member]:
            known.setdefault(normalised(str(name), ignore=ignore), place)
    named = {normalised(one, ignore=ignore) for one in listed(answer)}
    right = {known[one] for one in named if one in known}
    wanted, wrong = len(set(known.values())), sum(one not in known for one in named)
    if count == "all":
        return {"accuracy": float(len(right) == wanted and not wrong)}
    if not wanted or not named:
        same = float(not wanted and not named)
        return {"set_f1": same, "set_precision": same, "set_recall": same}
    precision, recall = len(right) / (len(right) + wrong), len(right) / wanted
    return {"set_f1": 2 * len(right) / (len(right) + wrong + wanted), "set_precision": precision, "set_recall": recall}


def listed(answer: str) -> list[str]:
    """Return the members that a text names.

    >>> listed("1. Rome\\n2. Paris, Texas"), listed("red, green and blue"), listed('["a", 2]')
    (['Rome', 'Paris, Texas'], ['red', 'green and blue'], ['a', '2'])
    """
    text = answer.strip()
    if text.casefold().rstrip(".") in EMPTY:
        return []
    if text.startswith("["):
        try:
            read = loads(text)
        except (ValueError, RecursionError):
            read = None
        if isinstance(read, list):
            return [str(one) for one in read]
    sign = next((sign for sign in ("\n", ";", ",") if sign in text), "\n")
    parts = [LAST.sub("", BULLET.sub("", part)).strip() for part in text.split(sign)]
    return [part for part in parts if part]
