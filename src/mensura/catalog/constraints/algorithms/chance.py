"""Chance: every agent takes a random value and says nothing, the baseline of all algorithms."""

from collections.abc import Iterator

from mensura.catalog.constraints.agent import Agent, Called


class ChanceAgent(Agent):
    """Takes a random value of each of its variables, and never speaks."""

    needs = frozenset()

    def start(self) -> Iterator[Called]:
        """Take random values."""
        for variable in self.variables:
            values = self.domains[variable]
            yield self.assign(variable, values[int(self.rng.integers(len(values)))])
