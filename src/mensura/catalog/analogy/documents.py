"""Documents: a question about texts that stand side by side, as data from which pages draw and programs read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from mensura.dialogue.prompts.base import Prompt


@dataclass(frozen=True)
class Documents(Prompt):
    """A question about texts, each with a title; pages show them side by side, on a phone one below the other.

    Parameters
    ----------
    question
        What is asked.
    documents
        Each a mapping with `title` and `text`, in the order in which the question names them.
    """

    kind: ClassVar[str] = "documents"
    page: ClassVar[Mapping[str, Any]] = {
        "package": "mensura.catalog.analogy",
        "template": "documents.html",
        "style": "documents.css",
    }
    question: str
    documents: Sequence[Mapping[str, str]]

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Documents":
        """Make the prompt again from its data."""
        return cls(data["question"], data["documents"])

    @property
    def texts(self) -> list[str]:
        """The texts without their titles."""
        return [document["text"] for document in self.documents]

    def text(self) -> str:
        """Say it in words: every text under its title, and then the question."""
        parts = [f"{document['title']}:\n{document['text']}" for document in self.documents]
        return "\n\n".join([*parts, self.question])


@dataclass(frozen=True)
class StoryOpening(Prompt):
    """What is told at the start; `engine` holds what structure mapping may use, for the engine alone.

    It is told apart from the items, so that runs with other settings of the engine meet the same items.
    """

    kind: ClassVar[str] = "analogy-opening"
    page: ClassVar[Mapping[str, Any]] = {"package": "mensura.catalog.analogy", "template": "opening.html"}
    words: str
    engine: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "StoryOpening":
        """Make the prompt again from its data."""
        return cls(data["words"], data["engine"])

    def text(self) -> str:
        """Return the words."""
        return self.words
