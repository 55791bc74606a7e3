"""A kind of puzzles that is small enough to know by heart: arithmetic progressions of four terms."""

from importlib import import_module
from itertools import pairwise

import pytest

from mensura.catalog.puzzles.grammar.derivation import Derivation, Grammar, Use
from mensura.catalog.puzzles.kinds import find
from mensura.catalog.puzzles.kinds.kind import Explained, Explanation, Kind, Puzzle
from mensura.catalog.puzzles.showing.prompt import PuzzlePrompt

STEPS = tuple(range(1, 40))


class Steps(Kind):
    """Each number is so much more than the one before."""

    name = "number-series"
    about = "Which number comes next?"
    grammar = Grammar("number-series", {"same": Use(), "add": Use((STEPS,))})
    rules = (1, 1)
    axes = {"layout": ("row", "column"), "wording": ("plain", "other")}  # noqa: RUF012

    def draw(self, rng, *, rules):
        first, step = int(rng.integers(1, 1000)), int(rng.integers(1, 40))
        shown = [first + step * place for place in range(4)]
        return Puzzle(shown, first + 4 * step, Derivation(self.grammar, (self.grammar.step("add", step),), 1))

    def explain(self, shown, *, limit):
        found = [
            Explanation(Derivation(self.grammar, (self.grammar.step("add", step),), 1), shown[-1] + step)
            for step in STEPS
            if all(b - a == step for a, b in pairwise(shown))
        ]
        return Explained(tuple(found), len(STEPS))

    def changes(self, puzzle, rng):
        sizes = rng.permutation([2, 3, 5, 7])[:2]
        signs = rng.choice([-1, 1], size=2)
        return [lambda n, by=int(size * sign): n + by for size, sign in zip(sizes, signs, strict=True)]

    def show(self, shown, presentation, *, options=()):
        cells = [{"type": "text", "words": str(one)} for one in shown] + [{"type": "gap", "words": "?"}]
        return PuzzlePrompt(self.name, self.about, cells, layout=presentation.of("layout", "row"))

    def write(self, value, presentation):
        return str(value)

    def read(self, prompt):
        return [int(cell["words"]) for cell in prompt.cells[:-1]]

    def read_options(self, prompt, options):
        return [int(option) for option in options]


class Doubles(Steps):
    """The same under another name, with eight options."""

    name = "letter-series"
    grammar = Grammar("letter-series", {"same": Use(), "add": Use((STEPS,)), "multiply": Use(((2, 3),), ("alphabet",))})
    offered = 2

    def draw(self, rng, *, rules):
        drawn = super().draw(rng, rules=rules)
        step = self.grammar.step("add", drawn.derivation.steps[0].arguments[0])
        return Puzzle(drawn.shown, drawn.answer, Derivation(self.grammar, (step,), 1))

    def explain(self, shown, *, limit):
        found = super().explain(shown, limit=limit)
        again = tuple(
            Explanation(
                Derivation(self.grammar, (self.grammar.step("add", one.derivation.steps[0].arguments[0]),), 1),
                one.answer,
            )
            for one in found.found
        )
        return Explained(again, found.checked)


@pytest.fixture
def tiny(monkeypatch):
    """Let these two be all the kinds there are."""
    kinds = {"number-series": Steps(), "letter-series": Doubles()}
    # Imported before any is altered: one that comes later would keep what it found for all tests that follow.
    modules = [import_module(f"mensura.catalog.puzzles.{name}") for name in ("kinds.find", "posing", "dialogue")]
    import_module("mensura.catalog.puzzles.solvers.synthesis")
    for module in modules:
        monkeypatch.setattr(module, "find_kind", kinds.__getitem__)
    monkeypatch.setattr(find, "PLACES", dict.fromkeys(kinds, "none"))
    monkeypatch.setattr("mensura.catalog.puzzles.posing.kinds_at_hand", lambda: tuple(kinds))
    return kinds


@pytest.fixture
def knows():
    """Return a subject that solves these, or only one of the two kinds and abstains otherwise."""
    from mensura.dialogue import Abstained

    def make(*attempted):
        def answer(ask):
            if ask.prompt.puzzle not in attempted:
                return Abstained("not mine")
            cells = [int(cell["words"]) for cell in ask.prompt.cells[:-1]]
            return str(2 * cells[-1] - cells[-2])

        return answer

    return make
