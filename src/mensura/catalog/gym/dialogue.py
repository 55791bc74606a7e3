"""Any Gymnasium environment as a test: `gym:CartPole-v1`."""

import importlib
import re
from collections.abc import Generator
from functools import cache
from typing import Annotated, Any

import numpy as np

from mensura.catalog.gym.actions import as_action, as_space
from mensura.catalog.gym.scoring import score, scores
from mensura.dialogue import Ask, Outcome, Readings, Sees, Test, test
from mensura.errors import MissingExtra, UnknownName, unknown


@cache
def gym_test(name: str) -> Test:
    """Make a test of a Gymnasium environment; one session is one episode.

    Parameters
    ----------
    name
        Id of the environment, newest version if none is given; `package:Env-v0` imports the package first.

    Examples
    --------
    >>> gym_test("CartPole-v1").id
    'gym:CartPole-v1'
    """
    gymnasium = _gymnasium()
    id = _registered_id(gymnasium, name)
    with_version = id if re.search(r"-v\d+$", id) else f"{id}-v0"
    probe = gymnasium.make(id)
    try:
        space, sees = as_space(probe.action_space, id), _sees(gymnasium, probe.observation_space)
    finally:
        probe.close()

    @test(f"gym:{with_version}", score=score, scores=scores, scoring="2", sees=sees, acts=space)
    def episode(
        rng: np.random.Generator,
        *,
        most_steps: Annotated[int, "After how many steps an episode is cut off, 1 or more."] = 10_000,
    ) -> Generator[Ask, Any, Outcome]:
        env = gymnasium.make(id)
        try:
            return (yield from _episode(gymnasium, env, space, rng, most_steps))
        finally:
            env.close()

    episode.function.__doc__ = f"Earn reward in the Gymnasium environment {id}, for one episode."
    return episode


def _episode(
    gymnasium: Any, env: Any, space: Any, rng: np.random.Generator, most_steps: int
) -> Generator[Ask, Any, Outcome]:
    seen, _ = env.reset(seed=int(rng.integers(2**31)))
    reward = None
    for step in range(most_steps):
        answer = yield Ask(Readings(_flat(gymnasium, env.observation_space, seen)), space, "step", reward=reward)
        if answer is None:
            left = _left_to_chance(env, rng, most_steps - step)
            return Outcome("No move was made; the episode is over.", reward=min(0.0, left), truncated=True)
        seen, reward, terminated, truncated, _ = env.step(as_action(env.action_space, answer))
        reward = float(reward)
        if terminated or truncated:
            return Outcome("The episode is over.", reward=reward, truncated=not terminated)
    return Outcome("The steps are used up.", reward=reward, truncated=True)


def _left_to_chance(env: Any, rng: np.random.Generator, steps: int) -> float:
    """Play the rest by chance and return what it earns: where every step costs, giving up must not pay."""
    env.action_space.seed(int(rng.integers(2**31)))
    earned = 0.0
    for _ in range(steps):
        _, reward, terminated, truncated, _ = env.step(env.action_space.sample())
        earned += float(reward)
        if terminated or truncated:
            break
    return earned


def _flat(gymnasium: Any, space: Any, seen: Any) -> Any:
    """Return what is seen as one array; arrays stay as they are, whatever is composed of them is laid end to end."""
    return seen.copy() if isinstance(seen, np.ndarray) else gymnasium.spaces.flatten(space, seen)


def _sees(gymnasium: Any, space: Any) -> Sees:
    if not isinstance(space, gymnasium.spaces.Box):
        space = gymnasium.spaces.flatten_space(space)
    return Sees(space.shape, float(np.min(space.low)), float(np.max(space.high)), space.dtype)


def _registered_id(gymnasium: Any, name: str) -> str:
    package, _, env = name.rpartition(":")
    if package:
        try:
            importlib.import_module(package)
        except ModuleNotFoundError:
            raise UnknownName(f"There is no package {package!r} to take {env} from. Is it installed?") from None
    known: list[str] = list(gymnasium.registry)
    if env in known:
        return env
    versions = [id for id in known if re.fullmatch(re.escape(env) + r"-v\d+", id)]
    if not versions:
        see = "`gymnasium.pprint_registry()` shows all of them."
        raise unknown("Gymnasium environment", env, known=known, see=see)
    return max(versions, key=lambda id: int(id.rpartition("-v")[2]))


def _gymnasium() -> Any:
    try:
        import gymnasium
    except ImportError:
        raise MissingExtra("Gymnasium environments", package="gymnasium", extra="gym") from None
    return gymnasium
