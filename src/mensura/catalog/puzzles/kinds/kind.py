"""Kind: what every kind of puzzle can do. Puzzle: one problem without any presentation."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from mensura.catalog.puzzles.grammar.derivation import Derivation, Grammar
from mensura.catalog.puzzles.showing.presentation import Presentation
from mensura.catalog.puzzles.showing.prompt import LETTERS, PuzzlePrompt
from mensura.dialogue import Choice, Space, Text
from mensura.dialogue.canonical import canonical

LONGEST = 1000
"""Characters of an answer that is written: figures of many objects take some hundred."""
Change = Callable[[Any], Any]
"""What one wrong or missing rule does to an answer; it can be done to an answer that another has changed."""


@dataclass(frozen=True)
class Puzzle:
    """One problem, in the abstract: what is shown, what follows, and by which rules; all of it JSON, tuples as lists.

    Its values know no presentation: places in an alphabet instead of letters, levels of attributes instead of shapes.
    """

    shown: Any
    answer: Any
    derivation: Derivation
    answers: tuple[tuple[Any, float], ...] = ()
    """Several good answers with what each is worth, where no single one is right; the best is `answer`."""


@dataclass(frozen=True)
class Explanation:
    """A program that gives exactly what is shown, and what follows by it."""

    derivation: Derivation
    answer: Any


@dataclass(frozen=True)
class Explained:
    """All programs up to a length that give what is shown, and how many were compared with it."""

    found: tuple[Explanation, ...]
    checked: int


class Kind(ABC):
    """A kind of puzzles: its grammar, and how its puzzles are drawn, explained, spoiled and shown."""

    name: ClassVar[str]
    about: ClassVar[str]
    """One sentence: what is asked."""
    grammar: ClassVar[Grammar]
    combines: ClassVar[str]
    """What a program is made of, and what it must have seen: with the grammar, enough to list all programs."""
    rules: ClassVar[tuple[int, int]]
    """The fewest and the most rules that its puzzles have."""
    unique: ClassVar[bool] = True
    """Whether one answer is right; otherwise its puzzles have several good `answers`, and no claim to the only one."""
    offered: ClassVar[int] = 4
    """How many options are offered where the answer is chosen."""
    axes: ClassVar[dict[str, tuple[str, ...]]]
    """The ways in which it can be presented, by axis (`form`, `symbols`, `layout`, `direction`, `base`, `wording`);
    the first of each axis is the plain one."""

    def require(self) -> None:  # noqa: B027
        """Raise a sentence that says what to install where something is missing that its puzzles are made from."""

    @abstractmethod
    def draw(self, rng: np.random.Generator, *, rules: int) -> Puzzle | None:
        """Draw a puzzle with this many rules, or None where the draw came to nothing; it may still be ambiguous."""

    @abstractmethod
    def explain(self, shown: Any, *, limit: float) -> Explained:
        """Find every program of at most `limit` bits that gives what is shown: the proof, and the general solver."""

    def changes(self, puzzle: Puzzle, rng: np.random.Generator) -> Sequence[Change]:
        """Return what single wrong or missing rules do to the answer, in random order, as likely up as down.

        A kind that finds its options otherwise gives nothing here: it overrides `offers` or `options`.
        """
        return ()

    def options(self, puzzle: Puzzle, rng: np.random.Generator) -> list[Any] | None:
        """Return what is offered where the answer is chosen, in random order; None where too little differs.

        What is shown and named by `offers` stands in an order of its own, which the draw has made.
        """
        if (named := self.offers(puzzle.shown)) is not None:
            return list(named)
        found = balanced(puzzle.answer, self.changes(puzzle, rng), count=self.offered)
        return None if found is None else [found[place] for place in rng.permutation(len(found))]

    def offers(self, shown: Any) -> Sequence[Any] | None:
        """Return all that may be offered where what is shown names it; None where any answer of the kind may."""
        return None

    def settle(self, presentation: Presentation) -> Presentation:
        """Return a presentation as it shows: an axis that another makes meaningless is plain."""
        return presentation

    def construct(self, presentation: Presentation) -> Space:
        """Return the space of answers that are constructed; what counts as right is written by `write`."""
        return Text(longest=LONGEST, lines=1)

    @abstractmethod
    def show(self, shown: Any, presentation: Presentation, *, options: Sequence[Any] = ()) -> PuzzlePrompt:
        """Present a puzzle: what is shown, the gap, and the options where these are drawn rather than written."""

    @abstractmethod
    def write(self, value: Any, presentation: Presentation) -> str:
        """Write an answer as text, as a person would type it in this presentation."""

    def say(self, value: Any, prompt: PuzzlePrompt, space: Space | None) -> str:
        """Return a value as an answer to a prompt: the letter of a drawn option, "" where none has it; else written."""
        if prompt.options and isinstance(space, Choice):
            options = [canonical(one) for one in self.read_options(prompt, space.options)]
            return LETTERS[options.index(canonical(value))] if canonical(value) in options else ""
        return self.write(value, Presentation(prompt.presentation))

    @abstractmethod
    def read(self, prompt: PuzzlePrompt) -> Any:
        """Read what a prompt shows back into the abstract, for solvers; None where its form cannot be read so."""

    @abstractmethod
    def read_options(self, prompt: PuzzlePrompt, options: Sequence[str]) -> Sequence[Any]:
        """Read the options of an ask back into the abstract, in their order."""


def balanced(answer: Any, changes: Sequence[Change], *, count: int) -> list[Any] | None:
    """Return `count` options, the answer first, or None where the changes give too few different ones.

    With the answer stand those that one change gives and those that several give together (count is a power of two):
    every property of the answer that a change touches is shared by exactly half of the options, so that nobody finds
    the answer as the option most like the others.

    >>> balanced(10, [lambda n: n + 1, lambda n: n - 3], count=4)
    [10, 11, 7, 8]
    """
    width = count.bit_length() - 1
    for chosen in combinations(changes, width):
        options = [answer]
        for change in chosen:
            options += [change(option) for option in options]
        if len({option if isinstance(option, int) else canonical(option) for option in options}) == count:
            return options
    return None
