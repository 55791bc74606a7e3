"""Policy: what maps an observation to an action, as agents of Gymnasium do."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from mensura.dialogue import SUBJECT, Ask, Noted, Outcome, Readings, Refused, Test, Wait
from mensura.errors import BadParameter
from mensura.subjects import subject as parts
from mensura.subjects.naming import Factory, Naming
from mensura.subjects.outside.abilities import ABILITIES
from mensura.subjects.source import Source

PASSED = (*ABILITIES, "gone", "unasked", "recomputes", "begin", "feedback", "end", "close")


class SeenArray(Readings):
    """The replacement for what a policy would see of a prompt."""

    kind: ClassVar[str] = "seen_array"


class PassingOn:
    """Has what a subject may have besides its call where what is inside has it."""

    def __init__(self, inside: Any) -> None:
        self.inside = inside

    def __getattr__(self, name: str) -> Any:
        if name not in PASSED:
            raise AttributeError(name)
        return getattr(self.inside, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "learning":
            self.inside.learning = value
        else:
            object.__setattr__(self, name, value)


class Predicting(PassingOn):
    """A trained model with `predict` as a policy."""

    def __call__(self, observation: Any) -> Any:
        return self.inside.predict(observation)[0]


def as_policy(thing: Any, *, options: Mapping[str, Any] | None = None) -> Callable[[Any], Any]:
    """Make a function observation → action of a function, a class, or a trained model with `predict`.

    >>> as_policy(lambda observation: 1)([0.5])
    1
    """
    if isinstance(thing, type):
        thing = thing(**(options or {}))
    if hasattr(thing, "predict"):
        return Predicting(thing)
    if not callable(thing):
        raise BadParameter(f"A policy is a function observation → action, or has predict; got {thing!r}.")
    return thing  # type: ignore[no-any-return]


def without_sight(test: Test) -> BadParameter:
    """State that a policy cannot take a test."""
    return BadParameter(f"{test.id} declares no arrays that agents see, so a policy cannot take it.")


class Policy(PassingOn):
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
        super().__init__(as_policy(policy))
        self.name = name or f"policy:{parts.name_of(policy)}"

    @property
    def recomputes(self) -> bool:
        """Return the declarations of the policy."""
        return bool(getattr(self.inside, "recomputes", False))

    def begin(self, rng: np.random.Generator, role: str = SUBJECT) -> None:
        """Hand generator and role to a policy that wants them."""
        parts.begin(self.inside, rng, role)

    def feedback(self, told: Ask) -> None:
        """Pass messages on to a policy that listens."""
        parts.feedback(self.inside, told)

    def end(self, outcome: Outcome) -> None:
        """Hand on the end to a policy that wants it."""
        parts.end(self.inside, outcome)

    def __call__(self, ask: Ask) -> Any:
        observation = self._seen(ask.prompt)
        return self._answer(ask, self.inside(observation))

    def close(self) -> None:
        """Let go of what the policy holds."""
        parts.close(self.inside)

    def _seen(self, prompt: Any) -> Any:
        view = prompt.values if isinstance(prompt, SeenArray) else self.sees.view(prompt)
        return np.asarray(view, dtype=self.sees.dtype)

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
        observation = self._seen(ask.prompt)
        seen = Ask(Readings(observation), ask.space, ask.key, ask.role, None, ask.until, ask.reward)
        return self._answer(ask, self.inside(seen))


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
