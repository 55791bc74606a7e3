"""Geometric analogies in Evans's form: A is to B as C is to which figure?"""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from mensura.catalog.puzzles.grammar.derivation import Derivation, Grammar, RuleStep
from mensura.catalog.puzzles.grammar.figure import FILL, FLIP, LEVELS, PLACE, SHAPE, SIZE, TURN, Figure, figure_of
from mensura.catalog.puzzles.grammar.figure_change import programs_between
from mensura.catalog.puzzles.grammar.transformation import (
    GRAMMAR,
    MEANT,
    changed,
    effect,
    effects_of,
    roles_of,
    transform,
)
from mensura.catalog.puzzles.kinds.kind import Explained, Explanation, Kind, Puzzle
from mensura.catalog.puzzles.kinds.palette import listed, read_figures
from mensura.catalog.puzzles.showing.figure_cell import FORMS, SYMBOLS, figure_cell, note, read_cell, words
from mensura.catalog.puzzles.showing.presentation import Presentation
from mensura.catalog.puzzles.showing.prompt import GAP, PuzzlePrompt
from mensura.dialogue.canonical import canonical

TRIES = 400
VARIED = LEVELS[SIZE:PLACE]
SLACK = 1e-9
"""Lengths are sums of logarithms."""


class GeometricAnalogy(Kind):
    """Figures of two or three objects, changed by one to three rules that say which object they mean."""

    name = "geometric-analogy"
    about = "A figure becomes another; what does a third become in the same way?"
    combines: ClassVar[str] = (
        "A program is a set of rules that are carried out at once, each on the object that its role means; no two "
        "may change the same attribute of the same object, and a role that means none or several there says "
        "nothing. Elements are objects of a figure."
    )
    grammar: ClassVar[Grammar] = GRAMMAR
    rules = (1, 3)
    axes: ClassVar = {"form": FORMS, "symbols": SYMBOLS, "layout": ("analogy", "row")}

    def draw(self, rng: np.random.Generator, *, rules: int) -> Puzzle | None:
        """Draw A, then rules and C together until all rules change something in both.

        Another C alone, or one other rule, would make what seldom fits likelier than the others of its options.
        """
        count = int(rng.integers(2, 4))
        first = _figure(rng, count)
        # Which rules can be said of A, by operation: those with many constants are not drawn more often.
        said = [[one for role in roles_of(first) for one in same[role]] for same in MEANT.values()]
        for _ in range(TRIES):
            chosen = zip(rng.integers(len(said), size=rules).tolist(), rng.random(rules).tolist(), strict=True)
            steps = [said[place][int(share * len(said[place]))] for place, share in chosen]
            second = _acted(first, steps)
            puzzle = None if second is None else self._posed(first, second, _figure(rng, count), steps)
            if puzzle is not None:
                return puzzle
        return None

    def _posed(self, first: Figure, second: Figure | None, third: Figure, steps: Sequence[RuleStep]) -> Puzzle | None:
        """Return the puzzle of three figures and rules, or None where a rule does nothing in one of them."""
        fourth = None if second is None or third == first else _acted(third, steps)
        if second is None or fourth is None:
            return None
        shown = [listed(figure) for figure in (first, second, third)]
        return Puzzle(shown, listed(fourth), Derivation(GRAMMAR, tuple(steps), size=len(first)))

    def explain(self, shown: Any, *, limit: float) -> Explained:
        """Find all programs that make B of A, and what each makes of C."""
        first, second, third = (tuple(tuple(one) for one in figure) for figure in shown)
        programs, checked = programs_between(first, second, limit)
        answers = ((steps, transform(third, steps)) for steps in programs)
        found = [
            Explanation(Derivation(GRAMMAR, steps, size=len(first)), listed(answer))
            for steps, answer in answers
            if answer is not None
        ]
        return Explained(tuple(found), checked)

    def options(self, puzzle: Puzzle, rng: np.random.Generator) -> list[Any] | None:
        """Return the answers to this puzzle, to it with a rule changed, to it with C changed, and with both.

        Each of the four leads to the same four options, has but one answer at the same length, and is drawn as often
        as the others: rules are drawn together, one of other constants as likely as itself, and so are figures.
        """
        first, second, third = (tuple(tuple(one) for one in figure) for figure in puzzle.shown)
        steps, other = puzzle.derivation.steps, _other_figure(rng, third)
        ruled = _other_steps(rng, (first, third), steps)
        if other is None or ruled is None:
            return None
        made = ((steps, second), (ruled, _acted(first, ruled)))
        posed = [self._posed(first, became, figure, program) for program, became in made for figure in (third, other)]
        found = [one for one in posed if one is not None]
        answers = {canonical(one.answer): one.answer for one in found}
        if len(answers) < self.offered or not all(self._settled(one) for one in found):
            return None
        ordered = sorted(answers.values())
        return [ordered[place] for place in rng.permutation(len(ordered))]

    def _settled(self, puzzle: Puzzle) -> bool:
        """Return whether every program as short differs in the names of objects alone, and has the same answer."""
        done = sorted(step.operation for step in puzzle.derivation.steps)
        found = self.explain(puzzle.shown, limit=puzzle.derivation.length + SLACK).found
        return all(
            one.answer == puzzle.answer and sorted(step.operation for step in one.derivation.steps) == done
            for one in found
        )

    def show(self, shown: Any, presentation: Presentation, *, options: Sequence[Any] = ()) -> PuzzlePrompt:
        """Show A, B, C and the gap."""
        cells = [figure_cell(figure, presentation) for figure in shown]
        question = (
            "A is to B as C is to which figure?" if options else "A is to B as C is to what? Describe the figure."
        )
        layout, drawn = presentation.of("layout", "analogy"), [figure_cell(one, presentation) for one in options]
        return PuzzlePrompt(self.name, question + note(presentation), [*cells, GAP], layout, drawn)

    def write(self, value: Any, presentation: Presentation) -> str:
        """Write a figure in words."""
        return words(value, presentation.of("symbols"))

    def read(self, prompt: PuzzlePrompt) -> Any:
        """Read A, B and C back."""
        return read_figures(prompt.cells[:3])

    def read_options(self, prompt: PuzzlePrompt, options: Sequence[str]) -> Sequence[Any]:
        """Read the drawn options back."""
        return [listed(read[0]) if (read := read_cell(cell)) else None for cell in prompt.options]


def _acted(figure: Figure, steps: Sequence[RuleStep]) -> Figure | None:
    """Return what rules make of a figure, or None where one of them does nothing, alone or beside the others."""
    effects = effects_of(figure, steps)
    if effects is None or any(changed(figure, [done]) in (None, figure) for done in effects):
        return None
    made = changed(figure, effects)
    rest = ([*effects[:place], *effects[place + 1 :]] for place in range(len(effects)))
    return None if len(effects) > 1 and any(changed(figure, others) == made for others in rest) else made


def _one(rng: np.random.Generator, values: Sequence[Any]) -> Any:
    return values[int(rng.integers(len(values)))]


def _figure(rng: np.random.Generator, count: int) -> Figure:
    while True:
        chance = rng.random(4 * count + 1).tolist()
        # Whatever draws the least numbers comes first: so shapes and places are drawn without being put back.
        shapes = sorted(range(LEVELS[SHAPE]), key=rng.random(LEVELS[SHAPE]).tolist().__getitem__)[:count]
        places = sorted(range(LEVELS[PLACE]), key=rng.random(LEVELS[PLACE]).tolist().__getitem__)[:count]
        # In half of the figures the second object is inside the first.
        if chance[-1] < 0.5:
            places[1] = places[0]
        rest = [
            [int(high * one) for high, one in zip(VARIED, chance[4 * n : 4 * n + 4], strict=True)] for n in range(count)
        ]
        found = figure_of((shape, *one, place) for shape, one, place in zip(shapes, rest, places, strict=True))
        if found is not None:
            return found


def _alike(shape: int) -> range:
    """Return the shapes that have the same symmetry as one."""
    return range(4) if shape < 4 else range(4, 8) if shape < 8 else range(8, LEVELS[SHAPE])


def _other_figure(rng: np.random.Generator, figure: Figure) -> Figure | None:
    """Change one visible attribute of one object; a shape becomes one of the same symmetry that no other object has."""
    place = int(rng.integers(len(figure)))
    one = figure[place]
    seen = (SHAPE, FILL, *((TURN,) if one[SHAPE] >= 4 else ()), *((FLIP,) if one[SHAPE] >= 8 else ()))
    attribute = _one(rng, seen)
    taken = {other[SHAPE] for other in figure} if attribute == SHAPE else {one[attribute]}
    values = [n for n in (_alike(one[SHAPE]) if attribute == SHAPE else range(LEVELS[attribute])) if n not in taken]
    if not values:
        return None
    value = _one(rng, values)
    return figure_of((*figure[:place], (*one[:attribute], value, *one[attribute + 1 :]), *figure[place + 1 :]))


def _other_steps(
    rng: np.random.Generator, figures: Sequence[Figure], steps: Sequence[RuleStep]
) -> list[RuleStep] | None:
    """Give one rule another constant or let it mean another object; what it does must be possible in all figures."""
    place, placed = int(rng.integers(len(steps))), [(figure, roles_of(figure)) for figure in figures]
    old = steps[place]
    many = len(placed[0][1][old.on])
    same = [
        one
        for held in MEANT[old.operation].values()
        for one in held
        if one != old
        and all(len(roles.get(one.on, ())) == many and effect(figure, one, roles) for figure, roles in placed)
    ]
    return [*steps[:place], _one(rng, same), *steps[place + 1 :]] if same else None
