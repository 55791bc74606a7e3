"""Answering: how a value is said where a puzzle is asked: by the letter of an option that is drawn, or in writing."""

from typing import Any

from mensura.catalog.puzzles.kinds.find import find_kind
from mensura.catalog.puzzles.showing.presentation import Presentation
from mensura.catalog.puzzles.showing.prompt import LETTERS, PuzzlePrompt
from mensura.dialogue import Choice, Space
from mensura.dialogue.canonical import canonical


def said(value: Any, prompt: PuzzlePrompt, space: Space | None) -> str:
    """Return a value as an answer to a prompt; "" where none of the drawn options has it."""
    kind = find_kind(prompt.puzzle)
    if prompt.options and isinstance(space, Choice):
        options = [canonical(one) for one in kind.read_options(prompt, space.options)]
        return LETTERS[options.index(canonical(value))] if canonical(value) in options else ""
    return kind.write(value, Presentation(prompt.presentation))
