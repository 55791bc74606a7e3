"""Chains: problems that follow from one another, the next from how the last was solved."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from mensura.catalog.constraints.problem.problem import Problem


class Chain(ABC):
    """A problem, and what becomes of it when it has been solved or given up."""

    problem: Problem
    """What is to be solved now; its agents are the same in all of them."""

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether no problem is left."""

    @abstractmethod
    def advance(self, assignment: Mapping[str, Any] | None) -> None:
        """Go on to the next problem; None where the agents found no assignment."""

    def report(self) -> dict[str, Any]:
        """Return what the chain has come to, for scores of its own."""
        return {}


class Single(Chain):
    """One problem."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._over = False

    @property
    def over(self) -> bool:
        """Whether it has been solved or given up."""
        return self._over

    def advance(self, assignment: Mapping[str, Any] | None) -> None:
        """End: nothing follows."""
        self._over = True
