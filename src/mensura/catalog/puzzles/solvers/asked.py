"""What a solver reads of an ask: the puzzle, and where it chooses the options, in the abstract."""

from dataclasses import dataclass
from typing import Any

from mensura.catalog.puzzles.kinds.find import find_kind
from mensura.catalog.puzzles.showing.prompt import PuzzlePrompt
from mensura.dialogue import Abstained, Ask, Choice


@dataclass(frozen=True)
class OfferedPuzzle:
    """A puzzle as a solver sees it."""

    prompt: PuzzlePrompt
    shown: Any
    options: tuple[Any, ...]
    answers: tuple[str, ...]
    """What is said to choose each option."""


def read_prompt(ask: Ask) -> PuzzlePrompt:
    """Return the prompt of an ask, from its data where the subject is elsewhere."""
    given: Any = ask.prompt
    return given if isinstance(given, PuzzlePrompt) else PuzzlePrompt.read(given)


def read_shown(ask: Ask, *, attempts: tuple[str, ...]) -> tuple[PuzzlePrompt, Any] | Abstained:
    """Return the prompt of an ask and what it shows, or say why this solver does not attempt it."""
    prompt = read_prompt(ask)
    if prompt.puzzle not in attempts:
        return Abstained(f"I attempt {' and '.join(attempts)} only.")
    shown = find_kind(prompt.puzzle).read(prompt)
    return Abstained("I cannot read this presentation.") if shown is None else (prompt, shown)


def read_ask(ask: Ask, *, attempts: tuple[str, ...]) -> OfferedPuzzle | Abstained:
    """Read an ask with its options, or say why this solver does not attempt it."""
    read = read_shown(ask, attempts=attempts)
    if isinstance(read, Abstained):
        return read
    if not isinstance(ask.space, Choice):
        return Abstained("I choose among options, and none are offered.")
    prompt, shown = read
    answers = tuple(str(option) for option in ask.space.options)
    return OfferedPuzzle(prompt, shown, tuple(find_kind(prompt.puzzle).read_options(prompt, answers)), answers)
