"""Asynchronous backtracking: the checked small numbers, and what the forms have in common."""

import numpy as np
import pytest

from mensura.catalog.constraints.algorithms.abt import Abt
from tests.catalog.constraints.runs import carry, problem_of, run

# Counts of an independent program: cycles, ok, nogood, checks, non-concurrent checks.
QUEENS = {
    3: ("unsolvable", None, 9, 12, 8, 48, 37),
    4: ("solved", [1, 3, 0, 2], 11, 25, 8, 120, 77),
    5: ("solved", [0, 2, 4, 1, 3], 3, 19, 2, 81, 41),
    6: ("solved", [1, 3, 5, 0, 2, 4], 41, 154, 45, 1028, 485),
    8: ("solved", [0, 4, 7, 5, 2, 6, 1, 3], 127, 598, 172, 5520, 2354),
}


@pytest.mark.parametrize("n", QUEENS)
def test_queens_read_as_packets_cost_what_another_program_counted(n):
    verdict, values, *counts = QUEENS[n]
    found = run("abt", f"queens:n={n}")
    kinds = found["messages"]["by_kind"]
    assert found["verdict"] == verdict
    assert [found["cycles"], kinds["ok"], kinds["nogood"], found["checks"], found["nccc"]["0"]] == counts
    assert values is None or list(found["assignment"].values()) == values


@pytest.mark.parametrize(("n", "counts"), [(4, (10, 27, 11, 113)), (8, (129, 679, 228, 4061))])
def test_queens_read_message_by_message_cost_what_another_program_counted(n, counts):
    found = run("abt", f"queens:n={n}", reading="each")
    kinds = found["messages"]["by_kind"]
    assert (found["cycles"], kinds["ok"], kinds["nogood"], found["nccc"]["0"]) == counts


def test_four_nodes_all_linked_cannot_have_three_colours():
    pairs = {(i, j): ~np.eye(3, dtype=bool) for j in range(4) for i in range(j)}
    report = carry(problem_of(pairs, size=3), Abt)[0].report()
    assert report["claims"] == [["x0", "unsolvable"]]
    assert (report["cycles"], report["messages"]["by_kind"], report["nccc"]) == (
        25,
        {"ok": 41, "nogood": 18},
        {"0": 125},
    )
