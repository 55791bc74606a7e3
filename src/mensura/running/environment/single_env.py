"""SingleEnv: a test with one role as a Gymnasium environment."""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np

from mensura.dialogue import Outcome, Test, prompt_text
from mensura.errors import BrokenTest
from mensura.running.environment.environment import look, observation_space
from mensura.running.environment.episode import Episodes


class SingleEnv(gymnasium.Env[Any, Any]):
    """A test with one role as a Gymnasium environment; made by `mensura.running.environment.environment.as_env`."""

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 - Gymnasium declares it so.

    def __init__(self, test: Test, seed: int | None, render_mode: str | None, parameters: Mapping[str, Any]) -> None:
        assert test.sees is not None
        self.test = test
        self.render_mode = render_mode
        self.sees = test.sees.under(parameters)
        self.role = test.cast_roles(parameters)[0]
        self.acts = test.acts_of(self.role, parameters)
        self.observation_space = observation_space(self.sees)
        self.action_space = self.acts.gym()
        self._answer_by = self.acts.answer_by
        self._episodes = Episodes(test, parameters, seed)
        self.parameters = self._episodes.parameters
        self._prompt: Any = ""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a session: the first of a seed that is given, else the next of the same seed."""
        super().reset(seed=seed)
        episode = self._episodes.begin(seed)
        if self.role not in episode.session.open:
            raise BrokenTest(f"{self.test.id} asks nothing of {self.role}, so it cannot be an environment.")
        self._prompt = episode.session.open[self.role].prompt
        seen = look(self.sees, self._prompt)
        if seen.shape != self.sees.shape:
            raise BrokenTest(f"{self.test.id} shows an array of shape {seen.shape}; it declares {self.sees.shape}.")
        return seen, self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Answer by an action, and see what comes of it."""
        episode = self._episodes.going
        role = self.role
        episode.step({role: self._answer_by(action)})
        reward = episode.rewards.get(role, 0.0)
        outcome = episode.outcome
        if outcome is None:
            self._prompt = prompt = episode.session.open[role].prompt
            return np.array(self.sees.view(prompt), dtype=self.sees.dtype), reward, False, False, self._info()
        return self._last(outcome), reward, not outcome.truncated, outcome.truncated, self._info()

    def render(self) -> Any:
        """Return what a person would read."""
        return prompt_text(self._prompt) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Let the session go."""
        self._episodes.close()

    def _info(self) -> dict[str, Any]:
        told = self._episodes.now.told
        return {"told": [prompt_text(ask.prompt) for ask in told]} if told else {}

    def _last(self, outcome: Outcome) -> Any:
        """See the end, where the outcome shows the same kind of thing as the asks; else what was seen last."""
        if type(outcome.prompt) is type(self._prompt):
            self._prompt = outcome.prompt
        return look(self.sees, self._prompt)
