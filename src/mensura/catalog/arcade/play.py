"""A person's play: a stretch of frames on the screen, and what is done in the next, in one answer."""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.arcade.screen import GameScreen, png
from mensura.catalog.arcade.world.episode import GameEpisode
from mensura.dialogue import Choice, Vector
from mensura.errors import BadParameter

HERTZ = 60
"""Frames a second, as the console shows them."""
LONGEST_PAUSE = 86_400
KEEP = Choice(("yes", "no"))
MAY_KEEP = (
    "May moments of your play be kept, so that others can play on from them? A moment holds the state of the game, "
    "your points and how it was made, and nothing about you."
)


@dataclass(frozen=True)
class GamePlay(GameScreen):
    """A game that a person plays: the frames since the last answer, drawn one by one at the console's own pace.

    What is logged is what is logged of any screen. The page answers by itself, with what was held in every act of the
    next stretch, so that the record of a person is one of actions as any other, and replays as any other does.
    """

    kind: ClassVar[str] = "arcade-play"
    page: ClassVar[dict[str, str]] = {
        "package": __package__,
        "template": "play.html",
        "script": "play.js",
        "style": "play.css",
        "title": "Playing",
        "alone": "yes",
    }
    number: int = 1
    games: int = 1
    earned: float = 0.0
    before: float | None = None
    left: int = 0
    stretch: "PlayStretch | None" = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, screen: GameScreen, stretch: "PlayStretch", **told: Any) -> "GamePlay":
        """Return what is shown of a screen to a person, with the frames of a stretch."""
        return cls(**vars(screen), **told, left=stretch.episode.left, stretch=stretch)

    def data(self) -> dict[str, Any]:
        """Return what is logged."""
        own = ("number", "games", "earned", "before", "left")
        return super().data() | {name: getattr(self, name) for name in own}

    def page_data(self) -> dict[str, Any]:
        """Return what is logged, and the frames."""
        return self.data() if self.stretch is None else self.data() | self.stretch.shown()

    def __reduce__(self) -> tuple[Any, ...]:
        # Frames never leave this process; they are recomputed from what was done.
        return GamePlay.read, (self.data(),)


class PlayStretch:
    """The frames since the last answer.

    Parameters
    ----------
    episode
        The game.
    acts
        How many acts the next answer holds.
    """

    def __init__(self, episode: GameEpisode, acts: int) -> None:
        self.episode, self.acts = episode, acts
        self.frames: list[NDArray[np.uint8]] = []

    def look(self) -> None:
        """Keep the frame that is shown now."""
        self.frames.append(self.episode.indexed())

    def shown(self) -> dict[str, Any]:
        """Return the frames, side by side in one picture, and at which pace they are shown."""
        height, width = self.frames[0].shape
        # A person waits for it.
        strip = png(np.concatenate(self.frames, axis=1), self.episode.palette, level=1)
        return {
            "strip": f"data:image/png;base64,{b64encode(strip).decode()}",
            "size": [width, height],
            "pictures": len(self.frames),
            "acts": self.acts,
            "hertz": HERTZ / self.episode.rules.skip,
            "actions": self.episode.names,
        }


def play_space(actions: Sequence[str], acts: int) -> Vector:
    """Return what answers a stretch: the action of each act, and for how many seconds play was paused before."""
    return Vector((0,) * (acts + 1), (*[len(actions) - 1] * acts, LONGEST_PAUSE), integer=True)


def check_acts(acts: int, show: str) -> None:
    """Refuse stretches that nobody can play by."""
    if not 1 <= acts <= HERTZ:
        raise BadParameter(f"--acts-per-answer is from 1 to {HERTZ}; got {acts}.")
    if acts > 1 and show != "play":
        raise BadParameter("Several acts in one answer are for play in the browser: add --show play.")
