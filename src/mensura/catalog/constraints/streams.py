"""Streams: the chance of a run, in parts of its own for what is drawn, ordered and carried."""

import numpy as np


def streams_of(rng: np.random.Generator) -> tuple[np.random.Generator, np.random.Generator, np.random.Generator]:
    """Return the generators of the problem, of the order and of the network.

    The instance is the same, whatever network it is solved over and by whatever means.
    """
    drawn, ordered, carried = (np.random.default_rng(rng.integers(2**63)) for _ in range(3))
    return drawn, ordered, carried
