"""What a learner is told: every number of deep Q-learning, and the presets of the settings."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from mensura.errors import BadParameter, unknown

METHODS = ("dqn", "hcr", "her", "er-search")


@dataclass(frozen=True)
class Options:
    """The numbers of deep Q-learning; the defaults are those of Nature 2015 with the source's change.

    Parameters
    ----------
    method
        `dqn`; `hcr`, whose episodes begin at random starts; `her`, half of whose batches are human transitions;
        `er-search`, the same with transitions found by search.
    batch
        Transitions in a minibatch.
    acts_per_update
        How many acts of the agent one update is made for.
    discount, rate
        Of future reward, and of learning.
    target_acts
        After how many acts the target network is copied (Nature: 10 000 updates of 4 acts each).
    memory_acts
        How many transitions the replay memory holds.
    warm_up_acts
        How many acts are made by chance before the first update.
    epsilon_last, epsilon_frames
        The chance of a random action falls to the first over the second, counted in frames of the game.
    cap_frames
        After how many frames an episode of training is cut.
    life_ends
        Whether a lost life is an end for the learner, though the game goes on.
    life_penalty
        What a lost life costs, in clipped rewards.
    no_ops
        For how many frames at most nothing is done at the beginning of a game.
    double, prioritised
        Whether double Q-learning, and replay by the size of errors, are used.
    """

    method: str = "dqn"
    batch: int = 32
    acts_per_update: int = 4
    discount: float = 0.99
    rate: float = 0.00025
    target_acts: int = 40_000
    memory_acts: int = 1_000_000
    warm_up_acts: int = 50_000
    epsilon_last: float = 0.1
    epsilon_frames: int = 4_000_000
    cap_frames: int = 108_000
    life_ends: bool = True
    life_penalty: float = 0.0
    no_ops: int = 30
    double: bool = False
    prioritised: bool = False

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise unknown("method", self.method, known=list(METHODS), see=f"There are {', '.join(METHODS)}.")
        for name in ("batch", "acts_per_update", "target_acts", "memory_acts", "epsilon_frames", "cap_frames"):
            if getattr(self, name) < 1:
                raise BadParameter(f"--{name.replace('_', '-')} is at least 1; got {getattr(self, name)}.")
        if not 0 <= self.epsilon_last <= 1 or not 0 <= self.discount < 1:
            raise BadParameter(
                f"--epsilon-last lies from 0 to 1 and --discount from 0 to less than 1; got {self.epsilon_last:g} "
                f"and {self.discount:g}."
            )

    @property
    def shares_batches(self) -> bool:
        """Return whether half of every minibatch comes from a second memory."""
        return self.method in ("her", "er-search")

    def epsilon(self, frames: float) -> float:
        """Return the chance of a random action after so many frames.

        >>> Options().epsilon(2_000_000)
        0.55
        """
        return 1.0 + (self.epsilon_last - 1.0) * min(1.0, frames / self.epsilon_frames)

    def as_json(self) -> dict[str, Any]:
        """Return the options as plain data."""
        return asdict(self)


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "paper": {"epsilon_frames": 4_000_000},
    # 4 million acts: the authors' program counts acts where their paper says frames.
    "program": {"epsilon_frames": 16_000_000, "cap_frames": 1_800, "life_ends": False},
    "modern": {"epsilon_frames": 4_000_000, "cap_frames": 18_000, "life_ends": False},
}
"""What a setting changes in the options."""

HCR_CAP = 1_800
"""Frames after which an episode that began at a human's checkpoint is cut while training."""


def options_for(setting: str, method: str, **changes: Any) -> Options:
    """Return the options of a setting and a method, with changes; None changes nothing."""
    if setting not in PRESETS:
        raise unknown("setting", setting, known=list(PRESETS), see=f"There are {', '.join(PRESETS)}.")
    told = {"method": method, **PRESETS[setting]}
    if method == "hcr":
        told["cap_frames"] = HCR_CAP
    known = {field.name for field in fields(Options)}
    chosen = {name: value for name, value in changes.items() if value is not None}
    strange = set(chosen) - known
    if strange:
        raise BadParameter(f"Learners have no option {sorted(strange)[0]!r}.")
    return replace(Options(**told), **chosen)
