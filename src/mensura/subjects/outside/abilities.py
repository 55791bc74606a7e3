"""Abilities: what a subject outside this process can do besides answering, as it says itself."""

import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from mensura.errors import SubjectCrashed, SubjectFailed
from mensura.json_file import check_bounds, loads

ABILITIES = ("learning", "snapshot", "restore", "knowledge", "pause")
"""The abilities that a subject may declare; each is a message of the protocol."""


class AbleSubject(ABC):
    """Has `learning`, `snapshot`, `restore`, `knowledge` and `pause` where the other side says that it has them.

    What comes back is a stranger's: what cannot be read, or is not what was asked for, is the subject's failure.
    """

    name: str
    _may_learn: bool | None = None

    @abstractmethod
    def _able(self) -> Mapping[str, Any]:
        """Return what the other side can do, by name; it is asked once."""

    @abstractmethod
    def _request(self, message: Mapping[str, Any]) -> bytes:
        """Send a message that wants a reply, and return it."""

    @abstractmethod
    def _inform(self, message: Mapping[str, Any]) -> None:
        """Send a message that wants none."""

    @abstractmethod
    def _failed(self, failure: SubjectFailed) -> SubjectFailed:
        """End the conversation, and return the failure with all that is known of it."""

    @property
    def unasked(self) -> bool:
        """Return whether nobody has asked yet what it can do; one that does not know the question is waited for."""
        return False

    @property
    def learning(self) -> bool:
        """Return whether the subject may learn, where it has that switch."""
        offered = bool(self._ability("learning"))
        return offered if self._may_learn is None else self._may_learn

    @learning.setter
    def learning(self, value: bool) -> None:
        self._may_learn = value
        self._inform({"type": "learning", "value": value})

    @property
    def snapshot(self) -> Any:
        """The method that gives what was learned, where the subject has it."""
        self._ability("snapshot")
        return lambda: self._stated("snapshot", "state")

    @property
    def restore(self) -> Any:
        """The method that takes back what was learned, where the subject has it."""
        self._ability("restore")
        return lambda state: self._inform({"type": "restore", "state": state})

    @property
    def knowledge(self) -> Any:
        """The method that says how much it knows, where the subject has it."""
        self._ability("knowledge")
        return self._known

    @property
    def pause(self) -> Any:
        """The method by which time passes, where the subject has it."""
        self._ability("pause")
        return lambda seconds: self._inform({"type": "pause", "seconds": seconds})

    def _ability(self, name: str) -> Any:
        value = self._able().get(name)
        if value is None:
            raise AttributeError(name)
        return value

    def _stated(self, what: str, key: str) -> Any:
        """Ask for something besides an answer."""
        text = self._request({"type": what})
        try:
            # A number that is not finite would come back as null, and restore another subject.
            check_bounds(text.decode(errors="replace"))
            return json.loads(text, parse_constant=_refuse_constant)[key]  # noqa: TID251
        except (ValueError, KeyError, TypeError, RecursionError):
            shown = text[:100].decode(errors="replace")
            words = f'{self.name} gave no {what}: asked for it, it should say {{"{key}": ...}} in JSON; got {shown!r}.'
            raise self._failed(SubjectCrashed(words)) from None

    def _known(self) -> float:
        value = self._stated("knowledge", "knowledge")
        # Whole numbers in JSON have no limit; those of Python that are too large are no number here.
        if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > sys.float_info.max:
            shown = repr(value)[:100]
            raise self._failed(SubjectCrashed(f"{self.name} should say how much it knows as a number; got {shown}."))
        return float(value)


def read_able(text: bytes) -> dict[str, Any] | None:
    """Read what a subject says that it is able to do; None where the line does not say it.

    >>> read_able(b'{"able": ["learning", "flying"]}')
    {'learning': True}
    >>> read_able(b'{"answer": "able"}')
    """
    if b'"able"' not in text:
        return None
    try:
        said = loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict) or "answer" in said or not isinstance(said.get("able"), list):
        return None
    return {name: True for name in ABILITIES if name in said["able"]}


def _refuse_constant(name: str) -> float:
    raise ValueError(name)
