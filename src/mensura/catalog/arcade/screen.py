"""What is shown of a game: facts and memory as data, and the picture for those who see."""

import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.arcade.world.episode import GameEpisode
from mensura.catalog.arcade.world.games import room_in, score_in
from mensura.catalog.arcade.world.sight import SIDE, shrink
from mensura.dialogue.prompts.base import Prompt

PLACES: Mapping[str, Mapping[str, int]] = {"montezuma_revenge": {"x": 42, "y": 43, "items": 65}}
"""At which bytes of memory a game keeps where one is and what one holds, where that is known."""


@dataclass(frozen=True)
class GameScreen(Prompt):
    """A moment of a game.

    What is logged are the facts and the memory, not the picture: playing the same start, seed and actions again gives
    the same pictures.

    Parameters
    ----------
    game, frame, score, lives, ram
        The game, frames since the start, points if known, lives, and the memory as hexadecimal digits.
    stack
        The last four pictures, for agents that see; not logged.
    colours
        The picture for people, as PNG; not logged.
    """

    kind: ClassVar[str] = "arcade-screen"
    game: str
    frame: int
    score: int | None
    lives: int
    ram: str
    stack: NDArray[np.uint8] | None = field(default=None, repr=False, compare=False)

    def data(self) -> dict[str, Any]:
        """Return what is logged."""
        return {
            "kind": self.kind,
            "game": self.game,
            "frame": self.frame,
            "score": self.score,
            "lives": self.lives,
            "ram": self.ram,
        }

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "GameScreen":
        """Make the screen again from its data; the picture is not among them."""
        return cls(**{name: value for name, value in data.items() if name != "kind"})

    def text(self) -> str:
        """Say it in words: the game, the facts that memory holds, and the memory."""
        memory = bytes.fromhex(self.ram)
        facts = {"frame": self.frame, "score": self.score, "lives": self.lives, "room": room_in(self.game, memory)}
        facts |= {name: memory[place] for name, place in PLACES.get(self.game, {}).items()}
        said = ", ".join(f"{name} {value}" for name, value in facts.items() if value is not None)
        return f"{self.game.replace('_', ' ')}: {said}. Memory: {self.ram}"

    @cached_property
    def values(self) -> NDArray[np.uint8]:
        """Return what an agent sees: the stack of pictures, or the memory where there are none."""
        return np.frombuffer(bytes.fromhex(self.ram), dtype=np.uint8) if self.stack is None else self.stack


class ScreenWatcher:
    """Keeps the last four pictures of an episode.

    Parameters
    ----------
    episode
        The game that is watched.
    """

    def __init__(self, episode: GameEpisode) -> None:
        self.episode = episode
        self.stack = np.zeros((4, SIDE, SIDE), dtype=np.uint8)

    def begin(self) -> None:
        """Forget, and look."""
        self.stack = np.zeros_like(self.stack)
        self.look()

    def look(self) -> None:
        """Take the next picture in."""
        small = shrink(self.episode.picture(), self.episode.rules.sight)
        # A new array each time: an agent may keep what it saw.
        self.stack = np.concatenate([self.stack[1:], small[None]])

    def screen(self) -> GameScreen:
        """Return what is shown now."""
        episode = self.episode
        memory = episode.memory()
        stack = None if episode.rules.sight == "ram" else self.stack
        score = score_in(episode.game, memory)
        return GameScreen(episode.game, episode.frames, score, episode.lives, memory.hex(), stack)


def png(picture: NDArray[np.uint8], palette: NDArray[np.uint8] | None = None, *, level: int = 6) -> bytes:
    """Return a picture as PNG: grey (height, width), coloured (height, width, 3), or numbers of a palette's colours.

    `level` says how long to look for what is alike, from 1 to 9.
    """
    height, width = picture.shape[:2]
    kind = 2 if picture.ndim == 3 else 0 if palette is None else 3
    rows = picture.reshape(height, -1)
    lines = np.concatenate([np.zeros((height, 1), dtype=np.uint8), rows], axis=1)
    head = struct.pack(">2I5B", width, height, 8, kind, 0, 0, 0)
    colours = [] if palette is None else [(b"PLTE", palette.tobytes())]
    parts = [(b"IHDR", head), *colours, (b"IDAT", zlib.compress(lines.tobytes(), level)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in parts
    )
