"""Measures: what is counted in a room besides whether it is solved, as data, each a few lines."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, floor, hypot
from typing import TYPE_CHECKING, Any

from mensura.catalog.pagi_world.rooms.rules import read_point, read_rule
from mensura.catalog.pagi_world.world.plan import finite
from mensura.dialogue import Score
from mensura.errors import BadParameter

if TYPE_CHECKING:
    from mensura.catalog.pagi_world.play import RoomPlay

Given = Mapping[str, Any]
MEASURES = {
    "share": ("rule",),
    "count": ("rules",),
    "when": ("rule",),
    "distance": ("between",),
    "answered": ("question",),
    "gave": ("question", "answer"),
    "off": ("question",),
    "memory": ("of",),
    "explored": (),
}
"""Kind → what it needs besides: a rule at the end, how many of some rules, when a rule first held, a mean distance, a
right answer, a certain answer, by how many ticks an answer in ticks is off, what a thing remembers, and how many fields
of a grid a body was in."""
OPTIONAL = ("kind", "better", "if", "from", "most", "less", "grid")


def check_measure(name: str, given: Any, keys: list[str], names: list[str]) -> None:
    """Refuse a measure that cannot be taken, in a sentence."""
    if not isinstance(given, Mapping) or given.get("kind") not in list(MEASURES):
        raise BadParameter(f"The measure {name!r} has a kind: {', '.join(MEASURES)}; got {given!r:.80}.")
    needed = MEASURES[given["kind"]]
    for part in needed:
        if part not in given:
            raise BadParameter(f"The measure {name!r} is a {given['kind']} and needs {part!r}.")
    for part in given:
        if part not in (*needed, *OPTIONAL):
            raise BadParameter(f"The measure {name!r} has no {part!r}; it has {', '.join((*needed, *OPTIONAL))}.")
    for part in ("if", "from", "most", "less", "grid"):
        if part in given and finite(given[part], f"The measure {name!r}: {part}") <= 0 and part in ("most", "grid"):
            raise BadParameter(f"The measure {name!r}: {part} is above 0.")
    if "rule" in needed:
        read_rule(given["rule"])
    elif "rules" in needed:
        for rule in _listed(name, "rules", given):
            read_rule(rule)
    elif "between" in needed:
        if len([read_point(one) for one in _listed(name, "between", given)]) != 2:
            raise BadParameter(f"The measure {name!r} is between two places; got {given['between']!r:.80}.")
    elif "question" in needed and given["question"] not in keys:
        raise BadParameter(f"The measure {name!r} needs the question {given['question']!r}, and there is none.")
    elif given["kind"] == "memory" and not (
        len(_listed(name, "of", given)) == 2 and given["of"][0] in names and isinstance(given["of"][1], str)
    ):
        raise BadParameter(f"The measure {name!r} is of a thing and a word of its memory; got {given['of']!r:.80}.")


def _listed(name: str, part: str, given: Given) -> list[Any]:
    found = given[part]
    if not isinstance(found, list | tuple):
        raise BadParameter(f"The measure {name!r}: {part} is a list; got {found!r:.80}.")
    return list(found)


def score_of(name: str, given: Given) -> Score:
    """Declare the score of a measure."""
    kind = given["kind"]
    better = given.get("better", "less" if kind in ("when", "distance", "off") else "more")
    if kind in ("share", "answered", "gave"):
        return Score(name, better=better, proportion=True, unanswered=None)
    high = float(len(given["rules"])) if kind == "count" else given.get("most")
    unit = {"when": "seconds", "distance": "units", "off": "ticks", "explored": "fields"}.get(kind, "")
    return Score(
        name, better=better, low=0, high=high if isinstance(high, int | float) else None, unit=unit, unanswered=None
    )


def watch(play: RoomPlay, name: str, given: Given) -> None:
    """Look at a room once a tick."""
    kind = given["kind"]
    if kind == "distance" and play.seconds >= given.get("from", 0):
        one, two = (play.point(place) for place in given["between"])
        if one is not None and two is not None:
            pair = play.sums.setdefault(name, [0.0, 0.0])
            pair[0] += min(hypot(one[0] - two[0], one[1] - two[1]), float(given.get("most", 1e9)))
            pair[1] += 1
    elif kind == "when" and name not in play.sums and play.watched[name](play):
        play.sums[name] = [play.seconds, 1.0]
    elif kind == "explored":
        side = float(given.get("grid", 2.0))
        for place in play.places.values():
            x, y = place.avatar.body.position
            play.explored.setdefault(name, set()).add((floor(x / side), floor(y / side)))


def measured(play: RoomPlay, name: str, given: Given) -> float | None:
    """Return what a measure came to; None where it says nothing of this room, or never came to pass."""
    if not given.get("if", 1):
        return None
    kind = given["kind"]
    if kind == "distance":
        total, count = play.sums.get(name, [0.0, 0.0])
        return total / count if count else given.get("most")
    if kind == "when":
        return play.sums[name][0] if name in play.sums else None
    if kind == "explored":
        return float(len(play.explored.get(name, ())))
    if kind == "memory":
        thing = play.world.find(given["of"][0])
        return None if thing is None else max(0.0, float(thing.memory.get(given["of"][1], 0)) - given.get("less", 0))
    if kind == "gave":
        return float(any(play.same(answer, given["answer"]) for answer in play.answers(given["question"])))
    if kind == "answered":
        return float(bool(play.is_right(given["question"])))
    if kind == "off":
        return _off(play, given["question"])
    rules = [read_rule(rule) for rule in (given["rules"] if kind == "count" else [given["rule"]])]
    return float(sum(rule(play) for rule in rules))


def _off(play: RoomPlay, key: str) -> float | None:
    """Return by how many ticks an answer misses the truth, which is in seconds; None where none is a number."""
    truth = next(one.truth for one in play.plan.questions if one.key == key)
    try:
        given = [float(answer) for answer in play.answers(key)]
    except (TypeError, ValueError):
        return None
    # The first tick that is not before the truth.
    return abs(given[0] - ceil(float(truth) * play.rate - 1e-9)) if given else None
