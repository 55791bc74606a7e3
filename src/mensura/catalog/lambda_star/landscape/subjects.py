"""Reference subjects of landscapes: climbers, wanderers, and those that trade one for the other."""

from mensura.catalog.lambda_star.agents import BUILT_IN, Agent, LocalSearch
from mensura.catalog.lambda_star.agents.choice import toward
from mensura.catalog.lambda_star.environment.observation import Observation
from mensura.catalog.lambda_star.landscape.world import LandscapeWorld


class Explorer(LocalSearch):
    """Climbs, but takes a share of its steps at random."""

    kind = ""

    def __init__(self, rate: float = 0.2) -> None:
        self.rate = rate

    def act(self, observation: Observation) -> int:
        if self.rng.random() < self.rate:
            return 1 + int(self.rng.random() * 9)
        return super().act(observation)


class Annealer(LocalSearch):
    """Wanders at first and climbs at last: the share of random steps falls from one to zero over the episode."""

    kind = ""

    def act(self, observation: Observation) -> int:
        if self.rng.random() < 1 - observation.iteration / observation.terms.iterations:
            return 1 + int(self.rng.random() * 9)
        return super().act(observation)


class Surveyor(Agent):
    """Is told the whole terrain and goes to its highest cell: the ceiling."""

    knows = "truth"

    def act(self, observation: Observation) -> int:
        assert isinstance(self.world, LandscapeWorld)
        return toward(observation, self.world.terrain.best(observation.iteration + 1))


SUBJECTS: dict[str, type[Agent]] = {
    "random": BUILT_IN["random"],
    "local-search": BUILT_IN["local-search"],
    "explorer": Explorer,
    "annealer": Annealer,
    "stigmergy": BUILT_IN["stigmergy"],
    "wisdom-of-crowd": BUILT_IN["wisdom-of-crowd"],
    "bidding": BUILT_IN["bidding"],
    "surveyor": Surveyor,
}
