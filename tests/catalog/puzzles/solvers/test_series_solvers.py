"""Solvers of series and strings: what they find, what they abstain from, and that they read only the prompt."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from mensura.catalog.puzzles.kinds.find import find_kind
from mensura.catalog.puzzles.making.item import ItemOrder, make_item
from mensura.catalog.puzzles.making.wanted import Wanted
from mensura.catalog.puzzles.solvers.copycat import Copycat, analogous
from mensura.catalog.puzzles.solvers.letters import Letters
from mensura.catalog.puzzles.solvers.series import Series, extrapolated
from mensura.dialogue import Abstained, Ask
from mensura.dialogue.canonical import canonical
from mensura.stats.intervals.proportion import proportion_estimate

OEIS = Path(__file__).parents[5] / "shared" / "data" / "puzzles" / "oeis_sample" / "oeis_sample.csv"
SHOWN = 10
BANDS = [(Series, 0.60, 0.95), (Letters, 0.20, 0.60), (Copycat, 0.25, 0.55)]
"""Above chance over all items asked, and below what it would take to know the grammar."""


def taken(solver, count, order):
    """Let a solver take items of its kind; right, wrong or abstained, with the number of rules."""
    kind = find_kind(solver.attempts[0])
    for number in range(count):
        structure, look = np.random.default_rng([number, 11]), np.random.default_rng([number, 12])
        item = make_item(kind, structure=structure, presentation=look, order=order)
        answer = solver(Ask(item.prompt, item.space))
        yield item, answer, None if isinstance(answer, Abstained) else answer == item.answer


@pytest.mark.parametrize(("solver", "low", "high"), BANDS)
def test_a_specialist_solves_part_of_its_kind_in_any_presentation(solver, low, high):
    results = [right for _, _, right in taken(solver(), 80, ItemOrder(presentation="mixed"))]
    assert low < sum(right is True for right in results) / len(results) < high
    answered = [right for right in results if right is not None]
    assert np.mean(answered) > 0.85


@pytest.mark.parametrize("solver", [Series, Letters, Copycat])
def test_a_solver_reads_data_as_it_reads_prompts_and_abstains_from_other_kinds(solver):
    for item, answer, _ in taken(solver(), 5, ItemOrder(presentation="mixed")):
        assert solver()(Ask(json.loads(canonical(item.prompt.data())), item.space)) == answer
    other = find_kind("letter-string" if solver is not Copycat else "number-series")
    rng = np.random.default_rng(1)
    item = make_item(other, structure=rng, presentation=rng)
    assert isinstance(solver()(Ask(item.prompt, item.space)), Abstained)


def test_answers_are_constructed_as_they_are_written():
    found = [right for _, _, right in taken(Series(), 30, ItemOrder(presentation="symbols=roman", form="construct"))]
    assert found.count(True) > 15


def test_more_memory_continues_more_letter_series():
    kind = find_kind("letter-series")
    shown = []
    for number in range(60):
        rng = np.random.default_rng([number, 13])
        item = make_item(kind, structure=rng, presentation=rng, order=ItemOrder(load=Wanted({"rules": (3, 4)})))
        shown.append((item.puzzle.shown, item.puzzle.answer))
    right = [sum(Letters(memory=memory).continued(one) == answer for one, answer in shown) for memory in (0, 1, 2, 4)]
    assert right == sorted(right)
    assert right[0] < right[2] < right[3]


@pytest.mark.parametrize(
    ("source", "changed", "target", "answer"),
    [
        ("abc", "abd", "ijk", "ijl"),
        ("abc", "abd", "iijjkk", "iijjll"),
        ("abc", "abd", "xyz", "xyd"),
        ("abc", "cba", "mnop", "ponm"),
        ("aabbcc", "aabb", "pqrs", "pqr"),
        ("abc", "aabbcc", "ijk", "iijjkk"),
        ("abc", "dba", "ijk", None),
    ],
)
def test_copycats_problems(source, changed, target, answer):
    found = analogous(*([ord(one) - 97 for one in word] for word in (source, changed, target)))
    assert (found and "".join(chr(97 + one) for one in found)) == answer


@pytest.mark.skipif(not OEIS.exists(), reason="the sample of OEIS lies beside the repository")
def test_how_many_sequences_of_oeis_are_extrapolated():
    """Ten terms are shown of each; the solver believes what fits first, the grammar its shortest program."""
    with OEIS.open(newline="") as file:
        rows = [[int(term) for term in row["terms"].split()] for row in csv.DictReader(file)]
    rows = [row for row in rows if len(row) > SHOWN]
    kind = find_kind("number-series")
    right = {"solver": 0, "grammar": 0}
    for row in rows:
        found = kind.explain(row[:SHOWN], limit=40).found
        best = min(found, key=lambda one: one.derivation.length).answer if found else None
        right["grammar"] += best == row[SHOWN]
        right["solver"] += extrapolated(row[:SHOWN]) == row[SHOWN]
    told = {name: str(proportion_estimate(count, n=len(rows))) for name, count in right.items()}
    assert told == {
        "solver": "0.404 [0.346, 0.465] (n=255, Wilson)",
        "grammar": "0.208 [0.163, 0.262] (n=255, Wilson)",
    }
