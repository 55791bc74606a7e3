"""Terminal: a person who answers by typing."""

import time
from collections.abc import Callable
from threading import Lock
from typing import Any

from mensura.dialogue import Abstained, Ask, Noted, Outcome, Refused, prompt_text
from mensura.dialogue.prompts.base import PromptLike
from mensura.errors import Invalid, SubjectCrashed
from mensura.subjects.lane import OwnLimits

SKIP, PASS = "/skip", "/pass"
MOST_TYPED, MOST_CHANGES = 200, 300
_turn = Lock()
"""Several sessions may ask the one person at the terminal: one question at a time."""


class Terminal:
    """A person who answers by typing; `/skip` refuses, and `/pass` abstains from a question that may be passed.

    What is mistyped is said at once and asked again here, so that nobody is sent out for typing errors; the notes
    keep what was typed.

    Parameters
    ----------
    read
        Gives what is typed; `input` by default.
    write
        Shows Markdown; by default on the terminal.
    """

    name = "terminal"
    recomputes = False

    def __init__(self, *, read: Callable[[str], str] = input, write: Callable[[str], None] | None = None) -> None:
        self._read = read
        self._write = write or _show

    def feedback(self, told: Ask) -> None:
        """Show the message."""
        self._write(prompt_text(told.prompt))
        self._reward(told.reward)

    def rest(self, prompt: PromptLike) -> None:
        """Show what the break is for, and wait until the person goes on."""
        self._write(f"{prompt_text(prompt)}\nPress Enter to go on.")
        with OwnLimits():
            self._typed()

    def end(self, outcome: Outcome) -> None:
        """Show the last words."""
        self._reward(outcome.reward)
        if outcome.prompt:
            self._write(prompt_text(outcome.prompt))

    def __call__(self, ask: Ask) -> Any:
        assert ask.space is not None
        with OwnLimits(), _turn:
            self._reward(ask.reward)
            self._write(prompt_text(ask.prompt))
            self._write(ask.space.hint_for_people())
            if ask.may_pass:
                self._write(f"If you do not know it, type {PASS}.")
            changes: list[list[Any]] = []
            began = time.monotonic()
            while True:
                typed = self._typed()
                if typed.strip().startswith(SKIP):
                    return Refused(typed.strip()[len(SKIP) :].strip())
                if ask.may_pass and typed.strip() == PASS:
                    return Abstained()
                changes.append([round(time.monotonic() - began, 3), "answer", typed[:MOST_TYPED]])
                try:
                    answer = ask.space.check(ask.space.parse({"answer": typed}))
                except Invalid as wrong:
                    self._write(str(wrong))
                    continue
                return _noted(answer, typed, changes)

    def _typed(self) -> str:
        try:
            return self._read("> ")
        except EOFError:
            raise SubjectCrashed("The terminal was closed before the answer was given.") from None

    def _reward(self, reward: Any) -> None:
        if reward is not None:
            self._write(f"Reward: {reward:g}" if isinstance(reward, (int, float)) else f"Reward: {reward}")


def _noted(answer: Any, typed: str, changes: list[list[Any]]) -> Any:
    """Note what was typed where the answer is not that text, and what was typed before it."""
    notes: dict[str, Any] = {}
    if answer != typed and len(typed) <= MOST_TYPED:
        notes["typed"] = {"answer": typed}
    if len(changes) > 1:
        notes |= {"mistyped": len(changes) - 1, "changes": changes[-MOST_CHANGES:]}
    return Noted(answer, notes) if notes else answer


def _show(text: str) -> None:
    from rich.console import Console

    # Words go to stderr: stdout is for data.
    Console(stderr=True, highlight=False, markup=False).print(text)
