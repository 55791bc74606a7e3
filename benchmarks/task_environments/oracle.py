"""How long the oracle takes for a curve of 100 points: closed form wanted within 50 ms, numerical within 20 s.

The original program has nothing to set beside it: its curve ignores friction while it accelerates, so nobody can reach
it. Figures are this process's own processor time, the median over rounds in which all cases take turns.
"""

import statistics
import time

from mensura.catalog.task_environments.oracle.body import BodyProblem
from mensura.catalog.task_environments.oracle.solve import solve

ROUNDS, POINTS = 5, 100
CAR = {"mass": 5.0, "friction": 0.2, "gravity": 10.0, "power": 200.0, "distance": 75.0}
CASES = {
    "race": ({}, 0.05),
    "parking": ({"stop": True}, 0.05),
    "race, friction 1e-6": ({"friction": 1e-6}, 0.05),
    "race uphill": ({"slope": 0.1}, 0.05),
    "race with fuel": ({"loss": 1 / 3000, "dry": 4.0}, 20.0),
    "race with drag": ({"drag": 0.05}, 20.0),
    "parking with drag": ({"drag": 0.05, "stop": True}, 20.0),
    "moving away": ({"velocity": -3.0}, 20.0),
}


def main() -> None:
    """Measure every case and print a table."""
    spent: dict[str, list[float]] = {name: [] for name in CASES}
    for _ in range(ROUNDS):
        for name, (changes, _wanted) in CASES.items():
            begun = time.process_time()
            solve(BodyProblem(**(CAR | changes))).curve(POINTS)  # type: ignore[arg-type]
            spent[name].append(time.process_time() - begun)
    print(f"{'curve of 100 points':24} {'kind':12} {'ms':>9} {'wanted ms':>10}")
    for name, (changes, wanted) in CASES.items():
        kind = solve(BodyProblem(**(CAR | changes))).kind  # type: ignore[arg-type]
        print(f"{name:24} {kind:12} {1e3 * statistics.median(spent[name]):9.1f} {1e3 * wanted:10,.0f}")
