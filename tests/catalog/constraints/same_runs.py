"""Compare plain and compiled runs: `python -m tests.catalog.constraints.same_runs COUNT`."""

import sys

import numpy as np

from mensura.catalog.constraints.algorithms.abt import Abt
from mensura.catalog.constraints.algorithms.awcs import Awcs
from mensura.catalog.constraints.algorithms.dba import Dba
from mensura.catalog.constraints.algorithms.optimising.dsa import Dsa
from mensura.catalog.constraints.algorithms.optimising.mgm import Mgm
from mensura.catalog.constraints.families.find import find_problem
from mensura.catalog.constraints.mail.ends import RunEnds
from mensura.catalog.constraints.mail.mailman import Mailman
from mensura.catalog.constraints.order.find import ranks_of
from mensura.catalog.constraints.playing import play
from tests.catalog.constraints.runs import carry

PROBLEMS = {
    Abt: ["queens:n=5", "random:n=8,m=4,p1=0.5,p2=0.4", "colouring:n=8,k=3,links=18", "random:n=7,m=5,p1=0.7,p2=0.6"],
    Awcs: ["queens:n=5", "random:n=8,m=4,p1=0.5,p2=0.4", "colouring:n=10,k=3,links=25", "random:n=7,m=5,p1=0.7,p2=0.6"],
    Dba: ["colouring:n=8,k=3,links=14", "colouring:n=9,k=3,links=7", "random:n=8,m=4,p1=0.6,p2=0.3"],
    Dsa: ["colouring:n=8,k=3,links=14", "colouring:n=9,k=3,links=7", "weighted-colouring:n=8,k=3"],
    Mgm: ["colouring:n=8,k=3,links=14", "colouring:n=9,k=3,links=7", "weighted-colouring:n=8,k=3"],
}
MAKERS = [
    Abt,
    Awcs,
    Dba,
    lambda: Dsa("A"),
    lambda: Dsa("B", p=0.9),
    lambda: Dsa("C", steps=11),
    Mgm,
    lambda: Mgm(steps=7),
]


def differences(count):
    """Return what differs between the two forms, and how many pairs of runs were compared."""
    wrong, compared = [], 0
    for seed in range(count):
        for make in MAKERS:
            texts = PROBLEMS[type(make())]
            problem = find_problem(texts[seed % len(texts)], np.random.default_rng(seed))
            terms = {"ends": RunEnds(cycles=60 + seed), "latencies": (0, 100)}
            plain = carry(problem, make, seed=seed, **terms)[0].report()
            mailman = Mailman(problem, rng=np.random.default_rng(0), **terms)
            chance = {name: np.random.default_rng([seed, 2, place]) for place, name in enumerate(mailman.agents)}
            ranks = ranks_of(problem, "lex", np.random.default_rng(0))
            if not play(mailman, ranks, make(), chance.__getitem__):
                continue
            compared += 1
            arrays = mailman.report()
            wrong += [
                (seed, type(make()).__name__, key, plain[key], arrays[key])
                for key in plain
                if plain[key] != arrays[key]
            ]
    return wrong, compared


if __name__ == "__main__":
    found, pairs = differences(int(sys.argv[1]))
    print(pairs, found[:3])
    sys.exit(bool(found) or not pairs)
