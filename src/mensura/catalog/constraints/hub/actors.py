"""Actors: agents of one instance on a cluster, each in an actor of its own; what they answer is the same as here."""

from typing import Any

import numpy as np

from mensura.catalog.constraints.mail.post import Post
from mensura.dialogue import Ask
from mensura.errors import BadParameter, MissingExtra


class ActorAgent:
    """An agent of an algorithm that lives in an actor of Ray.

    With `--concurrency 1` all agents that are woken together work side by side; without it, one after the other.

    Parameters
    ----------
    algorithm
        Which algorithm, by its name: --as actor:awcs.
    address
        The cluster; "" joins the one that `RAY_ADDRESS` names, or starts one on this machine.
    """

    recomputes = True
    learning = False
    complete = False
    """That depends on the algorithm."""

    def __init__(self, algorithm: str, address: str = "") -> None:
        from mensura.catalog.constraints.subjects import SUBJECTS

        if algorithm not in SUBJECTS or algorithm == "actor":
            raise BadParameter(f"An actor is an algorithm by its name, as in actor:awcs; got {algorithm!r}.")
        self.algorithm, self.address = algorithm, address
        self._actor: Any = None

    def refuse_parameters(self, name: str, **parameters: Any) -> None:
        """Raise what its algorithm says against the parameters of a run."""
        from mensura.catalog.constraints.subjects import SUBJECTS

        SUBJECTS[self.algorithm]().refuse_parameters(self.algorithm, **parameters)

    def begin(self, rng: np.random.Generator, role: str) -> None:
        """Begin a session in a role: start the actor."""
        ray = _ray()
        if not ray.is_initialized():
            ray.init(self.address or None, log_to_driver=False, logging_level="error", include_dashboard=False)
        # Actors mostly wait for letters: a machine holds more of them than it has cores.
        self._actor = ray.remote(num_cpus=0)(ActorSeat).remote(self.algorithm, rng, role)

    def __call__(self, ask: Ask) -> Any:
        return _ray().get(self._actor.read.remote(_shown(ask)))

    async def answer(self, ask: Ask) -> Any:
        """Answer beside the others."""
        return await self._actor.read.remote(_shown(ask))

    def end(self, outcome: Any) -> None:
        """Let the actor go."""
        _ray().kill(self._actor)


class ActorSeat:
    """What lives in the actor: one agent."""

    def __init__(self, algorithm: str, rng: np.random.Generator, role: str) -> None:
        from mensura.catalog.constraints.subjects import SUBJECTS

        self._agent, self._role = SUBJECTS[algorithm](), role
        self._agent.begin(rng, role)

    def read(self, data: Any) -> Any:
        """Read a post, and return the calls."""
        return self._agent(Ask(Post.read(data), role=self._role))


def _shown(ask: Ask) -> Any:
    return ask.prompt.data()  # type: ignore[union-attr]


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise MissingExtra("Agents as actors", package="ray", extra="cluster") from None
    return ray
