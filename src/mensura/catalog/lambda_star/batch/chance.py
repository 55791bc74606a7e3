"""Chance inside compiled loops: one SplitMix64 stream per episode and purpose.

Every episode's streams are a function of the session's key and the episode's number alone, so scores do not depend on
how episodes are divided among threads.
"""

import numpy as np
import numpy.typing as npt

from mensura.catalog.lambda_star.batch.compiled import compiled

Stream = npt.NDArray[np.uint64]

ENVIRONMENT = 1
AGENTS = 2
BOUNDS = 2**32
"""Streams by purpose: the groups of a team have the numbers from AGENTS on."""


@compiled
def mixed(value: np.uint64) -> np.uint64:
    """Scramble 64 bits (the output function of SplitMix64)."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@compiled
def seeded(key: np.uint64, episode: int, purpose: int) -> Stream:
    """Return the stream of one episode and purpose."""
    stream = np.empty(1, dtype=np.uint64)
    # The key is scrambled before the episode is added, else neighbouring keys would share their episodes.
    stream[0] = mixed(mixed(mixed(key) + np.uint64(episode)) ^ np.uint64(purpose))
    return stream


@compiled
def draw(stream: Stream) -> np.uint64:
    """Draw 64 bits."""
    stream[0] += np.uint64(0x9E3779B97F4A7C15)
    return mixed(stream[0])


@compiled
def below(stream: Stream, bound: int) -> int:
    """Draw a whole number from 0 to `bound` - 1; no number is favoured by more than bound / 2³²."""
    return int(np.int64(((draw(stream) >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32)))


@compiled
def uniform(stream: Stream) -> float:
    """Draw a number from [0, 1)."""
    return np.float64(draw(stream) >> np.uint64(11)) * (1.0 / 9007199254740992.0)
