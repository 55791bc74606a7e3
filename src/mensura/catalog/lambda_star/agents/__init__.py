"""The agents in plain Python, to be read, copied and changed; `batch` holds their compiled twins."""

from mensura.catalog.lambda_star.agents.agent import Agent, Collective
from mensura.catalog.lambda_star.agents.alone import LocalSearch, Oracle, Random
from mensura.catalog.lambda_star.agents.learning import CooperativeQ, CooperativeSarsa, QLearning, Sarsa
from mensura.catalog.lambda_star.agents.orders import Bidding, BinaryTree, Dictatorship, Imitation
from mensura.catalog.lambda_star.agents.signs import Stigmergy, WisdomOfCrowd

KINDS = (
    Random,
    LocalSearch,
    Oracle,
    QLearning,
    Sarsa,
    Stigmergy,
    CooperativeQ,
    CooperativeSarsa,
    Bidding,
    Imitation,
    WisdomOfCrowd,
    Dictatorship,
    BinaryTree,
)
BUILT_IN: dict[str, type[Agent]] = {one.kind: one for one in KINDS}
"""The agents and collectives of the paper and its program, by the names that they go by."""

__all__ = [
    "BUILT_IN",
    "Agent",
    "Bidding",
    "BinaryTree",
    "Collective",
    "CooperativeQ",
    "CooperativeSarsa",
    "Dictatorship",
    "Imitation",
    "LocalSearch",
    "Oracle",
    "QLearning",
    "Random",
    "Sarsa",
    "Stigmergy",
    "WisdomOfCrowd",
]
