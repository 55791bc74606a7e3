"""Replies of solvers: what is asked read into the abstract, and what was found said, or why nothing was."""

from collections.abc import Callable
from typing import Any

from mensura.catalog.puzzles.kinds.answering import said
from mensura.catalog.puzzles.solvers.asked import read_shown
from mensura.dialogue import Abstained, Ask, Choice


def reply(ask: Ask, *, attempts: tuple[str, ...], solve: Callable[[Any], Any]) -> str | Abstained:
    """Answer by a function from what is shown to the answer, None where it finds none; abstain from other kinds."""
    read = read_shown(ask, attempts=attempts)
    if isinstance(read, Abstained):
        return read
    prompt, shown = read
    found = solve(shown)
    if found is None:
        return Abstained("I found no pattern.")
    answer = said(found, prompt, ask.space)
    if isinstance(ask.space, Choice) and answer not in ask.space.options:
        return Abstained("What I found is not among the options.")
    return answer
