"""Environments: a test as a Gymnasium environment, or as a PettingZoo one where it has several roles."""

from typing import Any

import numpy as np

from mensura.catalog.find import TestLike, find_test
from mensura.dialogue import Sees, Space, Test
from mensura.errors import BadParameter, MissingExtra


def as_env(test: TestLike, *, seed: int | None = None, render_mode: str | None = None, **parameters: Any) -> Any:
    """Make a `gymnasium.Env` of a test that declares what agents see and do; one session is one episode.

    Parameters
    ----------
    test
        A test with `sees` and `acts` and one role, or what it is called.
    seed
        Where chance begins until `reset` is given another; None: a secret one. Without a new seed every `reset`
        begins the next session of the same seed.
    render_mode
        "ansi" to have `render` give what a person would read; None: no rendering.
    **parameters
        Parameters of the test.

    Returns
    -------
    gymnasium.Env
        `step` raises `Invalid` for an action outside its space. `info["told"]` holds what the test told in words.

    Examples
    --------
    >>> env = as_env("corridor", seed=1, slip=0.0)
    >>> seen, info = env.reset()
    >>> seen, reward, terminated, truncated, info = env.step(1)
    >>> reward, terminated, truncated
    (-0.01, False, False)
    """
    found = find_test(test)
    roles = found.cast_roles(found.fill(parameters))
    if len(roles) > 1:
        raise BadParameter(f"{found.id} has the roles {', '.join(roles)}; use as_parallel_env for it.")
    _check_arrays(found)
    try:
        from mensura.running.environment.single_env import SingleEnv
    except ImportError:
        raise MissingExtra("Environments for agents", package="gymnasium", extra="gym") from None
    return SingleEnv(found, seed, render_mode, found.fill(parameters))


def as_parallel_env(
    test: TestLike, *, seed: int | None = None, render_mode: str | None = None, **parameters: Any
) -> Any:
    """Make a PettingZoo `ParallelEnv` of a test that declares what agents see and do; its roles are the agents.

    Parameters are those of `as_env`. Where a test asks only some roles, the actions of the others count for nothing;
    `infos[agent]["asked"]` says who is asked.

    Examples
    --------
    >>> env = as_parallel_env("dilemma", seed=1)
    >>> seen, infos = env.reset()
    >>> seen, rewards, terminated, truncated, infos = env.step({"first": 0, "second": 1})
    >>> rewards
    {'first': 0.0, 'second': 5.0}
    """
    found = find_test(test)
    _check_arrays(found)
    try:
        from mensura.running.environment.parallel_env import ManyEnv
    except ImportError:
        raise MissingExtra("Environments for several agents", package="pettingzoo", extra="gym") from None
    return ManyEnv(found, seed, render_mode, found.fill(parameters))


def observation_space(sees: Sees) -> Any:
    """Return the Gymnasium space of what an agent sees."""
    from gymnasium.spaces import Box

    return Box(sees.low, sees.high, sees.shape, sees.dtype)


def look(sees: Sees, prompt: Any) -> Any:
    """Return what an agent sees of a prompt as a separate array."""
    return np.array(sees.view(prompt), dtype=sees.dtype)


def _check_arrays(test: Test) -> None:
    if test.sees is None or not (isinstance(test.acts, Space) or callable(test.acts)):
        raise BadParameter(f"{test.id} does not say what agents see and do; add sees=Sees(...), acts=SPACE to @test.")
