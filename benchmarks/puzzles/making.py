"""Items per second of every kind on this machine, with proof, load and options: `python -m benchmarks puzzles`.

Figures are per second of this process's own processor time on one thread; medians over rounds in which all kinds take
turns, so that whatever else the machine does falls on all alike. The second column makes whole items, prompt included.
"""

import statistics
import time
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np

from mensura.catalog.puzzles.grammar.load import load_of
from mensura.catalog.puzzles.kinds.find import PLACES, find_kind
from mensura.catalog.puzzles.kinds.kind import Kind
from mensura.catalog.puzzles.making.item import make_item
from mensura.catalog.puzzles.making.proof import prove

ROUNDS = 7
WANTED = {"number-series": 10_000}
LEAST = 100


def main() -> None:
    """Measure every kind that is there, and print a table."""
    names = [one for one, at in PLACES.items() if find_spec("mensura.catalog.puzzles.kinds." + at.partition(":")[0])]
    counts = {name: 2_000 if name in WANTED else 100 for name in names}
    proven: dict[str, list[float]] = {name: [] for name in names}
    made: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(ROUNDS):
        for name in names:
            kind = find_kind(name)
            proven[name].append(_rate(_proven, kind, counts[name], turn))
            made[name].append(_rate(_made, kind, counts[name] // 4, turn))
    print(f"{'kind':20} {'proven/s':>10} {'items/s':>10} {'wanted':>10}")
    for name in names:
        rates = [statistics.median(one[name]) for one in (proven, made)]
        print(f"{name:20} {rates[0]:10,.0f} {rates[1]:10,.0f} {WANTED.get(name, LEAST):10,}")


def _rate(make: Callable[[Kind, int, np.random.Generator], None], kind: Kind, count: int, turn: int) -> float:
    rng = np.random.default_rng(turn)
    begun = time.process_time()
    make(kind, count, rng)
    return count / (time.process_time() - begun)


def _proven(kind: Kind, count: int, rng: np.random.Generator) -> None:
    """Draw, prove, measure and offer options until so many are good."""
    low, high = kind.rules
    while count:
        drawn = kind.draw(rng, rules=int(rng.integers(low, high + 1)))
        proof = None if drawn is None else prove(kind, drawn)
        if proof is not None and low <= load_of(proof[0].derivation).rules <= high:
            count -= kind.options(proof[0], rng) is not None


def _made(kind: Kind, count: int, rng: np.random.Generator) -> None:
    for _ in range(count):
        make_item(kind, structure=rng, presentation=rng)
