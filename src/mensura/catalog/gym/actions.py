"""Actions of Gymnasium environments as spaces of ours, and answers as actions."""

from typing import Any

import numpy as np

from mensura.dialogue import Action, Space, Vector
from mensura.errors import BadParameter


def as_space(space: Any, env: str) -> Space:
    """Return where an answer must lie so that an environment can take it."""
    from gymnasium import spaces

    if isinstance(space, spaces.Discrete):
        return Action(tuple(str(number) for number in range(space.start, space.start + space.n)))
    if isinstance(space, spaces.MultiDiscrete):
        low = np.asarray(space.start).ravel()
        return Vector(_bounds(low), _bounds(low + space.nvec.ravel() - 1), integer=True)
    if isinstance(space, spaces.MultiBinary):
        size = int(np.prod(space.shape))
        return Vector((0.0,) * size, (1.0,) * size, integer=True)
    if isinstance(space, spaces.Box):
        return Vector(_bounds(space.low), _bounds(space.high), integer=bool(np.issubdtype(space.dtype, np.integer)))
    raise BadParameter(
        f"The actions of {env} are of kind {type(space).__name__}, which cannot be asked for; "
        "Discrete, MultiDiscrete, MultiBinary and Box can. Wrap the environment and register it."
    )


def as_action(space: Any, answer: Any) -> Any:
    """Turn a checked answer into an action."""
    if isinstance(answer, int):
        return answer + int(space.start)
    return np.array(answer, dtype=space.dtype).reshape(space.shape)


def _bounds(bounds: Any) -> tuple[float, ...]:
    return tuple(float(bound) for bound in np.asarray(bounds).ravel())
