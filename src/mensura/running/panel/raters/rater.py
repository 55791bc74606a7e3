"""Rater: a person, a program or a language model that rates artefacts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from mensura.errors import BadParameter
from mensura.subjects import SubjectSpec, name_of

Nature = Literal["person", "program", "model"]
PEOPLE = ("human", "terminal")
MODEL = "llm:"


@dataclass(frozen=True)
class Rater:
    """A rater: a name, and the subject that rates.

    A language model is always an additional rater: its ratings are kept and reported apart. Say `nature="model"` of a
    program that asks one. A simulated rater is a program.

    >>> Rater("ann").nature_of, Rater("gpt", "llm:some-model@http://localhost/v1").nature_of
    ('person', 'model')
    """

    name: str
    subject: str | SubjectSpec | Callable[..., Any] = "human"
    nature: Nature | None = None

    def __post_init__(self) -> None:
        if not self.name.strip() or "/" in self.name:
            raise BadParameter(f"A rater needs a name without a slash; got {self.name!r}.")
        if self.nature is not None and self.nature not in ("person", "program", "model"):
            raise BadParameter(f"A rater is a person, a program or a model; got {self.nature!r}.")
        if self.nature not in (None, "model") and MODEL in self.subject_name:
            raise BadParameter(f"{self.name} answers by {self.subject_name}, a language model, and must be a model.")

    @property
    def spec(self) -> SubjectSpec:
        """The subject."""
        return SubjectSpec.of(self.subject)

    @property
    def subject_name(self) -> str:
        """Return the name of the subject in the record."""
        return self.subject if isinstance(self.subject, str) else self._named()

    @property
    def nature_of(self) -> Nature:
        """Return whether it is a person, a program or a language model."""
        if self.nature is not None:
            return self.nature
        if self.subject_name in PEOPLE:
            return "person"
        # Also inside a team or behind an assistant.
        return "model" if MODEL in self.subject_name else "program"

    def _named(self) -> str:
        return self.subject.name if isinstance(self.subject, SubjectSpec) else name_of(self.subject)
