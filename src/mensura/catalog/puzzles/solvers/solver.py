"""Solver: an ask read into the abstract, and what was found said, or why nothing was."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from mensura.catalog.puzzles.kinds.find import find_kind
from mensura.catalog.puzzles.kinds.kind import Kind
from mensura.catalog.puzzles.showing.prompt import PuzzlePrompt
from mensura.dialogue import Abstained, Ask, Choice


def read_prompt(ask: Ask) -> PuzzlePrompt:
    """Return the prompt of an ask, from its data where the subject is elsewhere."""
    given: Any = ask.prompt
    return given if isinstance(given, PuzzlePrompt) else PuzzlePrompt.read(given)


class PuzzleSolver(ABC):
    """Says what `solve` finds; abstains from kinds that it does not attempt, and from what it cannot read."""

    attempts: ClassVar[tuple[str, ...]]
    recomputes = True

    def __call__(self, ask: Ask) -> Any:
        prompt = read_prompt(ask)
        if prompt.puzzle not in self.attempts:
            return Abstained(f"I attempt {' and '.join(self.attempts)} only.")
        kind = find_kind(prompt.puzzle)
        shown = kind.read(prompt)
        return Abstained("I cannot read this presentation.") if shown is None else self.answer(ask, kind, shown)

    def answer(self, ask: Ask, kind: Kind, shown: Any) -> Any:
        """Answer an ask that was read."""
        found = self.solve(kind, shown)
        if found is None:
            return Abstained("I found no pattern.")
        answer = found if isinstance(found, Abstained) else kind.say(found, read_prompt(ask), ask.space)
        if isinstance(answer, str) and isinstance(ask.space, Choice) and answer not in ask.space.options:
            return Abstained("What I found is not among the options.")
        return answer

    @abstractmethod
    def solve(self, kind: Kind, shown: Any) -> Any:
        """Return the answer to what is shown; None, or an abstention that says why, where it finds none."""


class OptionSolver(PuzzleSolver):
    """Compares the options with one another where some are offered."""

    def answer(self, ask: Ask, kind: Kind, shown: Any) -> Any:
        """Choose one of the options; without any, say what `solve` finds."""
        if not isinstance(ask.space, Choice):
            return super().answer(ask, kind, shown)
        answers = [str(option) for option in ask.space.options]
        return answers[self.choose(kind, shown, kind.read_options(read_prompt(ask), answers))]

    @abstractmethod
    def choose(self, kind: Kind, shown: Any, options: Sequence[Any]) -> int:
        """Return the place of the best option."""
