"""ManyEnv: a test with several roles as a PettingZoo environment."""

from collections.abc import Mapping
from typing import Any

from pettingzoo import ParallelEnv

from mensura.dialogue import Test, prompt_text
from mensura.errors import MensuraError
from mensura.running.environment.environment import look, observation_space
from mensura.running.environment.episode import Episodes


class ManyEnv(ParallelEnv[str, Any, Any]):  # type: ignore[misc]
    """A test with roles as a PettingZoo environment; made by `as_parallel_env`."""

    def __init__(self, test: Test, seed: int | None, render_mode: str | None, parameters: Mapping[str, Any]) -> None:
        assert test.sees is not None
        self.metadata = {"render_modes": ["ansi"], "name": test.id}
        self.test = test
        self.render_mode = render_mode
        self.sees = test.sees.under(parameters)
        self.possible_agents = list(test.cast_roles(parameters))
        self.acts = {agent: test.acts_of(agent, parameters) for agent in self.possible_agents}
        self.agents: list[str] = []
        # One object per agent: each has its own generator, which users seed.
        self.observation_spaces = {agent: observation_space(self.sees) for agent in self.possible_agents}
        self.action_spaces = {agent: acts.gym() for agent, acts in self.acts.items()}
        self._episodes = Episodes(test, parameters, seed)
        self.parameters = self._episodes.parameters
        self._prompts: dict[str, Any] = {}

    def observation_space(self, agent: str) -> Any:
        """Return the space of what an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of what an agent can do."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begin a session: the first of a seed that is given, else the next of the same seed."""
        self._episodes.begin(seed)
        self.agents = list(self.possible_agents)
        self._prompts = {}
        return self._look(), self._infos()

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Answer by the actions of those who are asked, and see what comes of it."""
        episode = self._episodes.going
        asked = episode.asked
        if missing := [role for role in asked if role not in actions]:
            raise MensuraError(f"There is no action for {missing[0]}, who is asked.")
        episode.step({role: self.acts[role].answer_by(actions[role]) for role in asked})
        agents, outcome = self.agents, episode.outcome
        over, cut = outcome is not None, outcome is not None and outcome.truncated
        seen, infos = self._look(), self._infos()
        if over:
            self.agents = []
        rewards = {agent: episode.rewards.get(agent, 0.0) for agent in agents}
        return seen, rewards, dict.fromkeys(agents, over and not cut), dict.fromkeys(agents, cut), infos

    def render(self) -> Any:
        """Return what people would read, role by role."""
        if self.render_mode != "ansi":
            return None
        return "\n\n".join(f"[{role}]\n{prompt_text(prompt)}" for role, prompt in self._prompts.items())

    def close(self) -> None:
        """Let the session go."""
        self._episodes.close()

    def _look(self) -> dict[str, Any]:
        """Let every agent see its own ask, or what it saw last; zeros where it has seen nothing yet."""
        import numpy as np

        episode = self._episodes.now
        self._prompts.update({role: ask.prompt for role, ask in episode.session.open.items()})
        nothing = np.zeros(self.sees.shape, dtype=self.sees.dtype)
        return {
            agent: look(self.sees, self._prompts[agent]) if agent in self._prompts else nothing.copy()
            for agent in self.agents
        }

    def _infos(self) -> dict[str, dict[str, Any]]:
        episode = self._episodes.now
        asked = episode.asked
        infos: dict[str, dict[str, Any]] = {agent: {"asked": agent in asked} for agent in self.agents}
        for ask in episode.told:
            infos[ask.role].setdefault("told", []).append(prompt_text(ask.prompt))
        return infos
