"""The rules a game is played by: data that travel with every score."""

from dataclasses import asdict, dataclass
from typing import Any

from mensura.errors import BadParameter

ENDS = ("game", "life")
SIGHTS = ("84x84", "84x110-cropped", "ram")
ACTIONS = ("full", "minimal")


@dataclass(frozen=True)
class Rules:
    """What holds while an agent plays.

    Parameters
    ----------
    actions
        `full` for all 18 actions, `minimal` for those the game distinguishes.
    skip
        For how many frames an action is held.
    sticky
        Chance with which a frame repeats the action of the frame before it.
    pooling
        Whether a picture is the brighter of the last two frames, for games that draw some things every other frame.
    cap_frames
        After how many frames from its start an episode is cut.
    ends
        Whether an episode ends with the game or with the first life lost.
    sight
        What an agent sees: four grey pictures of 84 × 84, the same cut from 84 × 110, or the 128 bytes of memory.
    """

    actions: str = "full"
    skip: int = 4
    sticky: float = 0.0
    pooling: bool = True
    cap_frames: int = 108_000
    ends: str = "game"
    sight: str = "84x84"

    def __post_init__(self) -> None:
        for value, allowed, option in (
            (self.actions, ACTIONS, "actions"),
            (self.ends, ENDS, "ends"),
            (self.sight, SIGHTS, "sight"),
        ):
            if value not in allowed:
                raise BadParameter(f"--{option} is one of {', '.join(allowed)}; got {value!r}.")
        if not 0 <= self.sticky < 1:
            raise BadParameter(f"--sticky is a chance from 0 to less than 1; got {self.sticky:g}.")
        if self.skip < 1 or self.cap_frames < self.skip:
            raise BadParameter(
                f"--skip is at least 1 and --cap-frames at least as many frames; got {self.skip} and {self.cap_frames}."
            )

    def as_json(self) -> dict[str, Any]:
        """Return the rules as plain data."""
        return asdict(self)
