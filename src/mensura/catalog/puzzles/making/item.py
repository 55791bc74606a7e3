"""Made items: a puzzle with its presentation, options, load and proof, as one line of a file."""

from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from mensura.catalog.puzzles.grammar.load import Load, load_of
from mensura.catalog.puzzles.kinds.kind import Kind, Puzzle
from mensura.catalog.puzzles.making.proof import Uniqueness, prove
from mensura.catalog.puzzles.making.wanted import Wanted
from mensura.catalog.puzzles.showing.presentation import Presentation, choose
from mensura.catalog.puzzles.showing.prompt import LETTERS, PuzzlePrompt
from mensura.dialogue import Choice, Space
from mensura.dialogue.canonical import short_hash
from mensura.errors import BrokenTest

AnswerForm = Literal["choice", "construct"]
TRIES = 1000
"""Draws after which a kind that gives no unique puzzle is broken, not unlucky."""


@dataclass(frozen=True)
class MadeItem:
    """One puzzle as it is asked."""

    kind: str
    prompt: PuzzlePrompt
    space: Space
    answer: str
    puzzle: Puzzle
    load: Load
    presentation: Presentation
    proof: Uniqueness

    @property
    def structure(self) -> str:
        """Hash of what is asked, without its presentation and options."""
        return short_hash([self.kind, self.puzzle.shown, self.puzzle.answer])


@dataclass(frozen=True)
class ItemOrder:
    """What is wanted of an item."""

    load: Wanted = field(default_factory=Wanted)
    presentation: str = "plain"
    form: AnswerForm = "choice"


def make_item(
    kind: Kind, *, structure: np.random.Generator, presentation: np.random.Generator, order: ItemOrder = ItemOrder()
) -> MadeItem:
    """Make one item whose answer is proven to be the only one.

    Parameters
    ----------
    structure, presentation
        Streams of chance of their own: how an item looks says nothing about what it is.
    """
    low, high = order.load.rules(kind)
    refused: list[Load] = []
    for _ in range(TRIES):
        drawn = kind.draw(structure, rules=int(structure.integers(low, high + 1)))
        proven = None if drawn is None else prove(kind, drawn)
        if proven is None:
            continue
        puzzle, proof = proven
        load = load_of(puzzle.derivation)
        # The shortest derivation may have fewer rules than the one that was drawn.
        if not low <= load.rules <= high or not order.load.admits(load):
            refused.append(load)
            continue
        options: list[Any] = []
        if order.form == "choice":
            offered = kind.options(puzzle, structure)
            if offered is None:
                continue
            options = offered
        look = kind.settle(choose(kind.axes, order.presentation, presentation))
        return _asked(kind, puzzle, load, proof, options, look)
    if refused and set(order.load.spans) - {"rules"}:
        raise order.load.unreached(kind.name, refused)
    raise BrokenTest(f"{kind.name} gave no unique puzzle with {low} to {high} rules in {TRIES} draws.")


def _asked(
    kind: Kind, puzzle: Puzzle, load: Load, proof: Uniqueness, options: list[Any], look: Presentation
) -> MadeItem:
    prompt = replace(kind.show(puzzle.shown, look, options=options), presentation=look.as_json())
    answer, written = kind.write(puzzle.answer, look), [kind.write(option, look) for option in options]
    space: Space = Choice(tuple(written)) if options else kind.construct(look)
    if prompt.options:
        # Drawn options go by letters.
        space = Choice(tuple(LETTERS[: len(options)]))
        answer = LETTERS[written.index(answer)]
    return MadeItem(kind.name, prompt, space, answer, puzzle, load, look, proof)
