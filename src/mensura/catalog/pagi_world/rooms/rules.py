"""Rules: when a room is solved or lost, as data, and what else is measured in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import hypot
from typing import TYPE_CHECKING, Any

from mensura.catalog.pagi_world.world.plan import finite
from mensura.errors import BadParameter

if TYPE_CHECKING:
    from mensura.catalog.pagi_world.play import RoomPlay

Holds = Callable[["RoomPlay"], bool]
Rule = Mapping[str, Any]
SHAPES: dict[str, tuple[str, ...]] = {
    "all": ("rules",), "any": ("rules",), "not": ("rule",), "for": ("number", "rule"), "at_end": ("rule",),
    "within": ("rule",), "after": ("number",), "eaten": ("thing",), "healed": ("thing",), "burst": ("thing",),
    "gone": ("thing",), "held": ("thing",), "still": ("thing",), "inside": ("place", "box"),
    "above": ("place", "number"), "below": ("place", "number"), "near": ("place", "place", "number"),
    "tilts": ("thing", "side"), "state": ("thing", "word", "flag"), "said": ("role", "text"),
    "said_in_order": ("role", "texts"), "answered": ("question",), "endorphins": ("number",),
    "praised": ("number",), "is": ("value", "value"),
}  # fmt: skip
"""The words of rules, each with what it needs; what needs one thing stands without a list."""
WORDS = tuple(SHAPES)


def read_rule(rule: Any) -> Holds:
    """Return what checks a rule; raises a sentence where it is none.

    The words of a rule: `all`, `any`, `not`, `for` (seconds and a rule), `at_end`, `after` (seconds), `eaten`,
    `healed`, `burst`, `gone`, `held`, `inside` (name and box), `above`, `below`, `near` (two names and a distance),
    `said` (role and text), `answered` (question), `tilts` (name and side), `endorphins` (least sum), `still` (name),
    `said_in_order` (role and texts), `state` (name, word, whether), `within` (a rule that held at some time), `is` (two
    values), `praised` (how often).
    """
    if not isinstance(rule, Mapping) or len(rule) != 1 or next(iter(rule)) not in WORDS:
        raise BadParameter(f"A rule is an object with one of the words {', '.join(WORDS)}; got {rule!r:.100}.")
    word, given = next(iter(rule.items()))
    try:
        return _RULES[word](given)
    except (TypeError, ValueError, KeyError):
        raise BadParameter(f"The rule {word!r} cannot be read: {given!r:.100}.") from None


def names_in(rule: Any) -> set[str]:
    """Return the names of things that a rule needs, so that a room that lacks one is refused at once."""
    word, given = next(iter(rule.items()))
    shape = SHAPES[word]
    found: set[str] = set()
    for sort, one in zip(shape, given if len(shape) > 1 else (given,), strict=False):
        if sort in ("rule", "rules"):
            found = found.union(*map(names_in, one if sort == "rules" else (one,)))
        elif sort in ("thing", "place") and isinstance(one, str):
            found.add(one)
    return found


def _all(given: Any) -> Holds:
    rules = [read_rule(one) for one in given]
    return lambda play: all(rule(play) for rule in rules)


def _any(given: Any) -> Holds:
    rules = [read_rule(one) for one in given]
    return lambda play: any(rule(play) for rule in rules)


def _not(given: Any) -> Holds:
    rule = read_rule(given)
    return lambda play: not rule(play)


def _for(given: Any) -> Holds:
    seconds, rule, name = finite(given[0], "for"), read_rule(given[1]), f"for {given!r}"

    def holds(play: RoomPlay) -> bool:
        if not rule(play):
            play.kept.pop(name, None)
            return False
        since = play.kept.setdefault(name, play.world.tick)
        return (play.world.tick - since) / play.rate >= seconds

    return holds


def _at_end(given: Any) -> Holds:
    rule = read_rule(given)
    return lambda play: play.at_limit and rule(play)


def _after(given: Any) -> Holds:
    seconds = finite(given, "after")
    return lambda play: play.seconds >= seconds


def _happened(word: str) -> Callable[[Any], Holds]:
    return lambda given: lambda play: f"{word} {given}" in play.world.happened


def _gone(given: Any) -> Holds:
    name = str(given)
    return lambda play: play.world.find(name) is None


def _held(given: Any) -> Holds:
    def holds(play: RoomPlay) -> bool:
        thing = play.world.find(given)
        return thing is not None and bool(play.world.held_by(thing))

    return holds


def _inside(given: Any) -> Holds:
    name, (left, low, right, high) = given[0], [finite(one, "inside") for one in given[1]]

    def holds(play: RoomPlay) -> bool:
        place = play.world.place_of(name)
        return place is not None and left <= place[0] <= right and low <= place[1] <= high

    return holds


def _level(sign: int) -> Callable[[Any], Holds]:
    def read(given: Any) -> Holds:
        name, level = given[0], finite(given[1], "level")

        def holds(play: RoomPlay) -> bool:
            place = play.world.place_of(name)
            return place is not None and (place[1] - level) * sign > 0

        return holds

    return read


def _near(given: Any) -> Holds:
    first, other, distance = given[0], given[1], finite(given[2], "near")

    def holds(play: RoomPlay) -> bool:
        one, two = play.point(first), play.point(other)
        return one is not None and two is not None and hypot(one[0] - two[0], one[1] - two[1]) <= distance

    return holds


def _said(given: Any) -> Holds:
    role, text = given[0], plain(given[1])
    return lambda play: any(who == role and plain(words) == text for _, who, words in play.spoken)


def _said_after(given: Any) -> Holds:
    """Check that a role said one thing and then another, with nothing else said by it before, between or after."""
    role, texts = given[0], [plain(one) for one in given[1]]
    return lambda play: [plain(words) for _, who, words in play.spoken if who == role] == texts


def _answered(given: Any) -> Holds:
    return lambda play: play.is_right(given) is True


def _tilts(given: Any) -> Holds:
    from math import degrees

    name, side = given[0], given[1]

    def holds(play: RoomPlay) -> bool:
        thing = play.world.find(name)
        if thing is None:
            return False
        angle = degrees(thing.body.angle)
        return (abs(angle) < 0.5) if side == "balance" else (angle > 0.5) if side == "left" else (angle < -0.5)

    return holds


def _endorphins(given: Any) -> Holds:
    least = finite(given, "endorphins")
    return lambda play: sum(avatar.endorphins for avatar in play.world.avatars.values()) >= least


def _still(given: Any) -> Holds:
    def holds(play: RoomPlay) -> bool:
        thing = play.world.find(given)
        return thing is not None and thing.body.velocity.length < 0.1

    return holds


def _state(given: Any) -> Holds:
    name, word, wanted = given

    def holds(play: RoomPlay) -> bool:
        thing = play.world.find(name)
        return thing is not None and bool(thing.memory.get(word)) is bool(wanted)

    return holds


def _within(given: Any) -> Holds:
    """Check that a rule held at some time."""
    rule, name = read_rule(given), f"within {given!r}"

    def holds(play: RoomPlay) -> bool:
        if name not in play.kept and rule(play):
            play.kept[name] = play.world.tick
        return name in play.kept

    return holds


def _is(given: Any) -> Holds:
    one, other = given
    return lambda play: bool(one == other)


def _praised(given: Any) -> Holds:
    wanted = int(given)
    return lambda play: play.praised >= wanted


def plain(text: Any) -> str:
    """Return words as they are compared: small letters, without signs.

    >>> plain("I don't know!")
    'i dont know'
    """
    return " ".join("".join(sign for sign in str(text).lower() if sign.isalnum() or sign == " ").split())


_RULES: dict[str, Callable[[Any], Holds]] = {
    "all": _all,
    "any": _any,
    "not": _not,
    "for": _for,
    "at_end": _at_end,
    "after": _after,
    "eaten": _happened("eaten"),
    "healed": _happened("healed"),
    "burst": _happened("burst"),
    "gone": _gone,
    "held": _held,
    "inside": _inside,
    "above": _level(1),
    "below": _level(-1),
    "near": _near,
    "said": _said,
    "said_in_order": _said_after,
    "answered": _answered,
    "tilts": _tilts,
    "endorphins": _endorphins,
    "still": _still,
    "state": _state,
    "within": _within,
    "is": _is,
    "praised": _praised,
}
