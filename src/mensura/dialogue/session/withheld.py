"""Withheld: what is right, taken out of asks before any subject sees them."""

from collections.abc import Collection
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from mensura.dialogue.ask import Ask
from mensura.dialogue.canonical import canonical


class Withheld:
    """The truths of a session's asks; roles that are declared to know them keep theirs."""

    def __init__(self, knowing: Collection[str]) -> None:
        self._knowing = knowing
        # Hashes: a long session has many truths, and they are only compared.
        self._known: dict[str, bytes] = {}
        self._new: dict[str, Any] = {}

    def apart(self, ask: Ask, number: int) -> Ask:
        """Copy an ask as its role may see it; without a key its number names it.

        Raises
        ------
        ValueError
            If its key has another truth already.
        """
        seen = replace(ask) if ask.role in self._knowing else ask.without_truth()
        seen.key = ask.key or str(number)
        if ask.truth is not None:
            truth = blake2b(canonical(ask.truth).encode(), digest_size=16).digest()
            if self._known.setdefault(seen.key, truth) != truth:
                raise ValueError(f"gives the key {seen.key!r} two truths; one key has one truth")
            self._new[seen.key] = ask.truth
        return seen

    def drain(self) -> dict[str, Any]:
        """Take the truths since the last time, by key."""
        new, self._new = self._new, {}
        return new
