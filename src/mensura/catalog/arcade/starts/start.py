"""A start: the state of a console, with how it was made, by whom, and for what it may be used."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Any

from mensura.errors import BadData

MADE = ("human", "search", "scripted", "demo")
SPLITS = ("train", "test", "")
CORE = b"\x08\x00\x00\x00M6502Low"
"""Where in a state the console itself begins; before it stand counters and the state of a random generator."""


@dataclass(frozen=True)
class Start:
    """The state of a console from which a game can be taken up.

    Parameters
    ----------
    state
        As the emulator writes it.
    memory
        The 128 bytes of the console's memory in that state.
    frame
        How many frames had been played.
    score
        Points at that moment, None where nobody knows.
    lives
        Lives left, as the emulator counts them.
    made
        How: by a `human`, a `search`, a program (`scripted`) or an agent's `demo`.
    by
        By whom, or by which seed.
    session
        Which session of play it was cut from.
    split
        `train`, `test`, or nothing where the set is not split.
    inferred
        Whether the session was inferred from the order of frames, not told.
    """

    state: bytes = field(repr=False)
    memory: bytes = field(repr=False)
    frame: int
    score: int | None
    lives: int
    made: str
    by: str = ""
    session: str = ""
    split: str = ""
    inferred: bool = False

    def __post_init__(self) -> None:
        if self.made not in MADE:
            raise BadData(f"A start is made by one of {', '.join(MADE)}; got {self.made!r}.")
        if self.split not in SPLITS:
            raise BadData(f"A start belongs to train or test; got {self.split!r}.")

    @cached_property
    def id(self) -> str:
        """Return the hash of the console's state: equal states have equal ids, no matter who saved them."""
        return state_id(self.state)

    @cached_property
    def hashes(self) -> frozenset[str]:
        """Return the hashes of state and memory: starts that share one of them are the same place in the game."""
        return frozenset({self.id, sha256(self.memory).hexdigest()[:16]})


def state_id(state: bytes) -> str:
    """Return the hash of the console in a state, without counters and what the emulator adds."""
    place = state.find(CORE)
    return sha256(state[place:] if place >= 0 else state).hexdigest()[:16]


@dataclass(frozen=True)
class StartSet:
    """Starts of one game, in an order that nothing depends on.

    Parameters
    ----------
    game, rom, emulator
        Which game, the MD5 sum of its cartridge, and the version of the emulator that wrote the states.
    starts
        Its states.
    source
        Where they come from, in words.
    """

    game: str
    rom: str
    emulator: str
    starts: tuple[Start, ...]
    source: str = ""

    @property
    def human(self) -> bool:
        """Return whether every state was made by a human: only then may a score speak of human starts."""
        return bool(self.starts) and all(start.made == "human" for start in self.starts)

    @property
    def made(self) -> Mapping[str, int]:
        """Return how many states were made in which way."""
        ways = [start.made for start in self.starts]
        return {way: ways.count(way) for way in MADE if way in ways}

    @property
    def distinct(self) -> int:
        """Return how many states differ."""
        return len({start.id for start in self.starts})

    def of_split(self, split: str) -> "StartSet":
        """Return the starts of one split; `all` for all of them."""
        if split == "all":
            return self
        chosen = tuple(start for start in self.starts if start.split == split)
        if not chosen:
            there = sorted({start.split or "none" for start in self.starts})
            raise BadData(f"The set has no starts of the split {split!r}; its splits are {', '.join(there)}.")
        return replace(self, starts=chosen)

    def as_json(self) -> dict[str, Any]:
        """Return the set without the states themselves, as plain data."""
        return {
            "game": self.game,
            "rom": self.rom,
            "emulator": self.emulator,
            "source": self.source,
            "human": self.human,
            "made": dict(self.made),
            "distinct": self.distinct,
            "states": [start_json(start) for start in self.starts],
        }


def start_json(start: Start) -> dict[str, Any]:
    """Return what is told of a start."""
    return {
        "id": start.id,
        "frame": start.frame,
        "score": start.score,
        "lives": start.lives,
        "made": start.made,
        "by": start.by,
        "session": start.session,
        "inferred": start.inferred,
        "split": start.split,
        "ram": start.memory.hex(),
    }


def sessions_of(starts: Sequence[Start]) -> dict[str, list[Start]]:
    """Return the starts of each session."""
    found: dict[str, list[Start]] = {}
    for start in starts:
        found.setdefault(start.session, []).append(start)
    return found
