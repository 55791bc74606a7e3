"""Kit: a set of tools that come from one place, and what came of a call."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from mensura.subjects.model.request import Function

UNKNOWN, ARGUMENTS, RAISED, SLOW, FLOODED = "unknown", "arguments", "raised", "timed out", "flooded"
REPEATED, REJECTED, ANSWERED = "repeated", "rejected", "answered too"
"""Why a call came to nothing, or only to a part; the notes count each."""
LONGEST_RESULT = 10_000
"""Characters of a result that a model is shown; the record keeps the same."""


@dataclass(frozen=True)
class Came:
    """The result of a call, in words for the model; `fault` says why it failed, and is empty where it did not."""

    words: str
    fault: str = ""

    def bounded(self) -> "Came":
        """Cut off what is too long, and say so.

        >>> Came("x" * 20_000).bounded().words[10_001:]
        '[Cut off here: the result has 20000 characters, and 10000 are shown.]'
        """
        if len(self.words) <= LONGEST_RESULT:
            return self
        cut = f"\n[Cut off here: the result has {len(self.words)} characters, and {LONGEST_RESULT} are shown.]"
        return Came(self.words[:LONGEST_RESULT] + cut, self.fault or FLOODED)


class Kit(Protocol):
    """A set of tools from one place: a file, a sandbox, a server."""

    name: str

    async def offer(self) -> Sequence[Function]:
        """Return its tools; raises `SubjectFailed` where there are none to be had."""

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Came:
        """Carry out a call of one of them."""

    def close(self) -> None:
        """Let go of what it holds; may be called in any thread."""
