"""Solvers of figures: far above chance on their kinds, silent on others, and limited where they say so."""

import numpy as np
import pytest

from mensura.catalog.puzzles.kinds.find import find_kind
from mensura.catalog.puzzles.making.item import ItemOrder, make_item
from mensura.catalog.puzzles.making.wanted import Wanted
from mensura.catalog.puzzles.solvers.evans import Evans
from mensura.catalog.puzzles.solvers.features import Features
from mensura.catalog.puzzles.solvers.raven import Raven
from mensura.dialogue import Abstained, Ask, Text
from tests.proofs import proofs

SOLVERS = {"geometric-analogy": Evans, "matrix": Raven, "odd-one-out": Features, "classification": Features}


def made(name, count, **order):
    kind, streams = find_kind(name), (np.random.default_rng(5), np.random.default_rng(6))
    return [
        make_item(kind, structure=streams[0], presentation=streams[1], order=ItemOrder(**order)) for _ in range(count)
    ]


def accuracy(solver, items):
    return np.mean([solver(Ask(item.prompt, item.space, key="x")) == item.answer for item in items])


@pytest.mark.parametrize("count", [16, *proofs(300)])
@pytest.mark.parametrize(
    ("name", "least"), [("geometric-analogy", 0.8), ("matrix", 0.95), ("odd-one-out", 0.95), ("classification", 0.95)]
)
def test_each_solver_is_right_nearly_always_on_its_kind(name, least, count):
    assert accuracy(SOLVERS[name](), made(name, count)) >= least


@pytest.mark.parametrize("name", SOLVERS)
def test_a_solver_reads_data_and_other_symbols_alike(name):
    solver = SOLVERS[name]()
    for item in made(name, 2, presentation="form=described,symbols=other"):
        live = solver(Ask(item.prompt, item.space, key="x"))
        assert solver(Ask(item.prompt.data(), item.space, key="x")) == live
        assert live in item.space.options


@pytest.mark.parametrize("name", SOLVERS)
def test_a_solver_abstains_from_what_it_does_not_attempt(name):
    item, raster = made(name, 1)[0], made(name, 1, presentation="form=pixels")[0]
    for other in {solver for solver in SOLVERS.values() if name not in solver.attempts}:
        assert isinstance(other()(Ask(item.prompt, item.space, key="x")), Abstained)
    assert isinstance(SOLVERS[name]()(Ask(raster.prompt, raster.space, key="x")), Abstained)
    if SOLVERS[name] is Features:
        assert isinstance(Features()(Ask(item.prompt, Text(), key="x")), Abstained)


@pytest.mark.parametrize(("name", "least"), [("geometric-analogy", 0.4), ("matrix", 0.9)])
def test_figures_are_constructed_in_the_words_that_count_as_right(name, least):
    items = made(name, 12, form="construct")
    assert accuracy(SOLVERS[name](), items) >= least


def test_fewer_goals_solve_fewer_matrices_of_many_rules():
    items = made("matrix", 24, load=Wanted({"rules": (4, 4)}))
    assert accuracy(Raven(goals=1), items) < accuracy(Raven(goals=3), items) < accuracy(Raven(), items)
