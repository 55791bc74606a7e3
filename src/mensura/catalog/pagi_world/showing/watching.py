"""Watching: a room while it is played, as frames: what has moved, been called, been told and fired since the last."""

from collections.abc import Sequence
from typing import Any

from mensura.catalog.pagi_world.arrays import TOUCHED
from mensura.catalog.pagi_world.play import RoomPlay
from mensura.catalog.pagi_world.senses.sensors import PALM
from mensura.catalog.pagi_world.senses.sight import CORNERS, FIELDS, PERIPHERAL
from mensura.catalog.pagi_world.showing.look import room_look
from mensura.catalog.pagi_world.showing.pictures import pictures_of
from mensura.catalog.pagi_world.showing.scene import scene_of
from mensura.catalog.pagi_world.world.behaviour import EIGHTH

MOST_FRAMES = 3000
MOST_PICTURED = 2_000_000
MOST_NUMBERS = 400_000
"""Numbers of water that are kept; where there is more, fewer moments are."""
LONGEST, MOST_WORDS = 160, 10_000


class RoomWatch:
    """Frames of a room that is played; the newest are kept where there would be too many.

    Parameters
    ----------
    every
        How many ticks lie between two frames.
    """

    def __init__(self, *, every: int = 1) -> None:
        self.every = every
        self.frames: list[dict[str, Any]] = []
        self.dropped = 0
        """How many frames at the beginning are kept no more."""
        self.words: list[list[Any]] = []
        """What was called and told: tick, who, whether it came from them or went to them, and what."""
        self.unsaid = 0
        """How many words at the beginning are kept no more."""
        self.play: RoomPlay | None = None
        self._clear()

    def _clear(self) -> None:
        self._things: dict[str, dict[str, Any]] = {}
        self._last: dict[str, Any] = {}

    def begun(self, play: RoomPlay) -> None:
        """Begin anew with another room."""
        self.play = play
        self.dropped += len(self.frames)
        self.frames = []
        self._clear()
        self._frame(play)

    def called(self, play: RoomPlay, role: str, row: tuple[Any, ...]) -> None:
        """Note what a role called."""
        # What a person says goes through a role, and is not its own.
        person = row[0] == "SC"
        self._say(play, "person" if person else role, ">", row[1:] if person else row)

    def told(self, play: RoomPlay, role: str, replies: Sequence[Any]) -> None:
        """Note what a role was told."""
        for reply in replies:
            self._say(play, role, "<", reply)

    def passed(self, play: RoomPlay) -> None:
        """Note a tick."""
        if play.world.tick % self.every == 0 or play.over:
            self._frame(play)

    def _say(self, play: RoomPlay, role: str, way: str, row: Sequence[Any]) -> None:
        text = _words(row)
        self.words.append([play.world.tick, role, way, text if len(text) <= LONGEST else f"{text[:LONGEST]} …"])
        if len(self.words) > 2 * MOST_WORDS:
            del self.words[:MOST_WORDS]
            self.unsaid += MOST_WORDS

    def _frame(self, play: RoomPlay) -> None:
        scene = scene_of(play)
        frame: dict[str, Any] = {"tick": play.world.tick}
        things = {thing["name"]: thing for thing in scene["things"]}
        # What comes or changes its look is told whole, what only moves by its place.
        whole, moved = [], {}
        for name, thing in things.items():
            before = self._things.get(name)
            if before is None or {**before, "at": 0, "angle": 0} != {**thing, "at": 0, "angle": 0}:
                whole.append(thing)
            elif before != thing:
                moved[name] = [*thing["at"], thing["angle"]]
        gone = [name for name in self._things if name not in things]
        self._things = things
        frame |= {name: value for name, value in (("whole", whole), ("moved", moved), ("gone", gone)) if value}
        inner = {role: _inner(play, role) for role in play.places}
        said = [play.succeeded, {role: place.avatar.endorphins for role, place in play.places.items()}]
        rest = {"agents": scene["agents"], "joints": scene["joints"], "bubbles": scene["bubbles"], "inner": inner}
        rest |= {"state": said, "water": scene.get("water")}
        frame |= {name: value for name, value in rest.items() if self._last.get(name) != value}
        self._last |= rest
        self.frames.append(frame)
        pool = play.world.pool
        most = MOST_FRAMES if pool is None or not pool.count else max(60, MOST_NUMBERS // (2 * pool.count))
        if len(self.frames) > 2 * most:
            self._thin()

    def _thin(self) -> None:
        """Put the older half into one frame that tells all of it."""
        half = len(self.frames) // 2
        first: dict[str, Any] = {}
        things: dict[str, dict[str, Any]] = {}
        for frame in self.frames[: half + 1]:
            things = after(things, frame)
            first |= frame
        for name in ("moved", "gone"):
            first.pop(name, None)
        self.frames[: half + 1] = [first | {"whole": list(things.values())}]
        self.dropped += half

    def data(self, since: int = 0, said: int = 0) -> dict[str, Any]:
        """Return frames and words from a number on, with all that does not change where frames begin."""
        start, spoken = max(since, self.dropped), max(said, self.unsaid)
        found: dict[str, Any] = {"from": start, "frames": self.frames[start - self.dropped :]}
        found |= {"said": spoken, "words": self.words[spoken - self.unsaid :]}
        play = self.play
        if play is not None and since <= self.dropped:
            found |= {"room": play.plan.name, "rate": play.rate, "limit": play.limit, "look": room_look()}
            found["pictures"] = pictures_of(play, most=MOST_PICTURED)
            found |= {"spots": {"body": EIGHTH, "hand": PALM}, "instructions": play.plan.instructions}
            found["fields"] = {
                field: {
                    "size": size,
                    "corner": CORNERS[field],
                    "step": play.world.terms.detailed if field == "V" else PERIPHERAL,
                }
                for field, size in FIELDS.items()
            }
        return found


def after(things: dict[str, dict[str, Any]], frame: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the things of a room after a frame, by name."""
    now = dict(things)
    for thing in frame.get("whole", ()):
        now[thing["name"]] = thing
    for name, (x, y, angle) in frame.get("moved", {}).items():
        now[name] = {**now[name], "at": [x, y], "angle": angle}
    for name in frame.get("gone", ()):
        now.pop(name, None)
    return now


def _inner(play: RoomPlay, role: str) -> dict[str, Any]:
    """Return what goes on in an agent: its states, its reflexes and how often one fired, and what it touches."""
    place = play.places[role]
    automaton, senses = place.automaton, place.senses
    felt = {code: senses.touch(code) for code in TOUCHED}
    return {
        "states": list(automaton.states),
        "reflexes": [
            f"{rule.name}: {'; '.join(rule.conditions)} → " + "; ".join(map(_words, rule.actions))
            for rule in automaton.reflexes.values()
        ],
        "firings": place.avatar.firings,
        "touch": {code: [*one.values, one.name or one.kind] for code, one in felt.items() if one.values[0]},
    }


def _words(row: Sequence[Any]) -> str:
    return " ".join(_word(part) for part in row if part is not None)


def _word(part: Any) -> str:
    if isinstance(part, list | tuple):
        return ", ".join(map(_word, part))
    return f"{part:g}" if isinstance(part, float) else str(part)
