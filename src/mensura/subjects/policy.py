"""Policy: what maps an observation to an action, as agents of Gymnasium do."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from mensura.dialogue import SUBJECT, Ask, Noted, Outcome, Readings, Refused, Test, Wait
from mensura.errors import BadParameter
from mensura.subjects import subject as parts
from mensura.subjects.naming import Factory, Naming
from mensura.subjects.source import Source


def as_policy(thing: Any, *, options: Mapping[str, Any] | None = None) -> Callable[[Any], Any]:
    """Make a function observation → action of a function, a class, or a trained model with `predict`.

    >>> as_policy(lambda observation: 1)([0.5])
    1
    """
    if isinstance(thing, type):
        thing = thing(**(options or {}))
    if hasattr(thing, "predict"):
        return lambda observation: thing.predict(observation)[0]
    if not callable(thing):
        raise BadParameter(f"A policy is a function observation → action, or has predict; got {thing!r}.")
    return thing  # type: ignore[no-any-return]


def without_sight(test: Test) -> BadParameter:
    """State that a policy cannot take a test."""
    return BadParameter(f"{test.id} declares no arrays that agents see, so a policy cannot take it.")


class Policy:
    """Lets a policy take a test that declares what agents see (`sees`).

    Parameters
    ----------
    policy
        Observation → action; the action is an element of `space.gym()`.
    test
        The test; its `sees.view` makes the observation from the prompt.
    """

    def __init__(self, policy: Any, *, test: Test, name: str = "") -> None:
        if test.sees is None:
            raise without_sight(test)
        self.sees = test.sees
        self.policy = as_policy(policy)
        self.name = name or f"policy:{parts.name_of(policy)}"

    @property
    def recomputes(self) -> bool:
        """What the policy says of itself."""
        return bool(getattr(self.policy, "recomputes", False))

    def begin(self, rng: np.random.Generator, role: str = SUBJECT) -> None:
        """Hand generator and role to a policy that wants them."""
        parts.begin(self.policy, rng, role)

    def feedback(self, told: Ask) -> None:
        """Hand on what is told to a policy that listens."""
        parts.feedback(self.policy, told)

    def end(self, outcome: Outcome) -> None:
        """Hand on the end to a policy that wants it."""
        parts.end(self.policy, outcome)

    def __call__(self, ask: Ask) -> Any:
        observation = np.asarray(self.sees.view(ask.prompt), dtype=self.sees.dtype)
        return self._answer(ask, self.policy(observation))

    def close(self) -> None:
        """Let go of what the policy holds."""
        parts.close(self.policy)

    @staticmethod
    def _answer(ask: Ask, action: Any) -> Any:
        if isinstance(action, (Refused, Wait)):
            return action
        if isinstance(action, Noted):
            return Noted(Policy._answer(ask, action.value), action.notes)
        return ask.space.answer_by(action)  # type: ignore[union-attr]


class HostedPolicy(Policy):
    """A policy in its own process: what it sees is made here, and sent there as numbers."""

    def __call__(self, ask: Ask) -> Any:
        observation = np.asarray(self.sees.view(ask.prompt), dtype=self.sees.dtype)
        seen = Ask(Readings(observation), ask.space, ask.key, ask.role, None, ask.until, ask.reward)
        return self._answer(ask, self.policy(seen))


def named(rest: str, *, naming: Naming) -> Factory:
    """Read a name such as `policy:./mine.py:act`; a policy from a file has its own process."""
    from mensura.subjects.outside.hosted import Hosted

    source = Source.read(rest, folder=naming.folder)
    source.check()
    options = dict(naming.options)
    test, name = naming.test, naming.name
    if test.sees is None:
        raise without_sight(test)
    if options.pop("in_process", False) or not source.is_file:
        return lambda: Policy(as_policy(source.load(), options=options), test=test, name=name)
    kind = np.dtype(test.sees.dtype).name

    def make() -> Policy:
        bounds, confinement = naming.bounds, naming.confinement
        hosted = Hosted(
            source, name=name, bounds=bounds, confinement=confinement, options=options, policy=kind, test=test.id
        )
        return HostedPolicy(hosted, test=test, name=name)

    return make
