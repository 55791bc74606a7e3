"""Space: where an answer must lie. Declared once, it serves every kind of subject."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import fields
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from mensura.dialogue.canonical import canonical
from mensura.errors import Invalid, MissingExtra

Json = dict[str, Any]


class Space(ABC):
    """Where an answer must lie: the check, the form, the JSON schema, the Gymnasium space, the random answer.

    Subclasses are frozen dataclasses. `check` gives the answer back in its one canonical JSON form or raises
    `Invalid` with a sentence for whoever answered.
    """

    kind: ClassVar[str]

    @abstractmethod
    def check(self, answer: Any) -> Any:
        """Give the answer in canonical form, or raise `Invalid` with what is wrong."""

    @abstractmethod
    def schema(self) -> Json:
        """Describe valid answers as JSON schema, for models and programs."""

    @abstractmethod
    def draw(self, rng: np.random.Generator) -> Any:
        """Draw a valid answer at random: the chance baseline."""

    @abstractmethod
    def parse(self, form: Mapping[str, str]) -> Any:
        """Read an answer from the fields of an HTML form or from what was typed (field "answer")."""

    def hint(self) -> str:
        """Say in words what a valid answer is, for people at a terminal and language models."""
        return f"Answer with JSON that fits {canonical(self.schema())}."

    def gym(self) -> Any:
        """Give the Gymnasium space whose elements `from_gym` turns into answers."""
        raise Invalid(f"A {self.kind} answer has no fixed-size array form, so agents cannot give it.")

    def from_gym(self, action: Any) -> Any:
        """Turn an element of the Gymnasium space into an answer."""
        return action.item() if isinstance(action, np.generic) else action

    def data(self) -> Json:
        """Describe the space itself as JSON, for records and pages."""
        return {"kind": self.kind, **{field.name: getattr(self, field.name) for field in fields(self)}}  # type: ignore[arg-type]

    def described(self) -> Json:
        """Describe all of it, for pages and for subjects in other processes.

        A space too large to be logged at every ask gives only names in `data`, and the rest here.
        """
        return self.data()

    @cached_property
    def fingerprint(self) -> str:
        """One text for one space, for digests."""
        return canonical(self.data())


def typed(form: Mapping[str, str], name: str = "answer") -> str:
    """Give a field of a form, or raise `Invalid` where it is missing."""
    text = form.get(name, "").strip()
    if not text:
        raise Invalid("Nothing was answered.")
    return text


def fields_under(form: Mapping[str, str], prefix: str) -> dict[str, str]:
    """Give the fields of one part of a form as if the part were the whole answer.

    >>> fields_under({"answer.0.age": "7", "answer.0.age.unit": "years", "answer.0.ages": "x"}, "answer.0.age")
    {'answer': '7', 'answer.unit': 'years'}
    """
    size = len(prefix)
    return {"answer" + key[size:]: text for key, text in form.items() if key == prefix or key.startswith(f"{prefix}.")}


def as_number(value: Any, what: str) -> float:
    """Read a number that JSON, numpy or Python may have given; booleans and texts are not numbers."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise Invalid(f"{what} must be a number; got {shown(value)}.")
    try:
        number = float(value)
    except OverflowError:
        raise Invalid(f"{what} is too large; got a number of {len(str(value))} digits.") from None
    if number != number or number in (float("inf"), float("-inf")):
        raise Invalid(f"{what} must be finite; got {value}.")
    return number


def read_number(text: str, what: str) -> float:
    """Read a number that a person typed."""
    try:
        return float(text.replace(",", ".")) if text.count(",") == 1 and "." not in text else float(text)
    except ValueError:
        raise Invalid(f"{what} must be a number; got {shown(text)}.") from None


def shown(value: Any) -> str:
    """Show a wrong value in a sentence without letting it fill the page."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def gymnasium_spaces() -> Any:
    """Import gymnasium.spaces, or say what to install."""
    try:
        from gymnasium import spaces
    except ImportError:
        raise MissingExtra("Array forms of answers", package="gymnasium", extra="gym") from None
    return spaces
