"""What every extractor hands over: statements as they are written, and which states what of which."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from mensura.catalog.analogy.graph.skeleton import Kind


@dataclass(frozen=True)
class NounPhrase:
    """A noun phrase: the lemma of its head, as written, its modifiers, and whether it is plural or a name."""

    lemma: str
    written: str = ""
    modifiers: tuple[str, ...] = ()
    plural: bool = False
    name: bool = False
    pronoun: bool = False


@dataclass(frozen=True)
class Statement:
    """Somebody does something to something, in the sentence of a number; what is not stated is None."""

    relation: str
    subject: NounPhrase | None = None
    object: NounPhrase | None = None
    sentence: int = 0
    negated: bool = False
    preposition: str = ""
    oblique: bool = False
    """It relates the object of a verb, as subject here, to what a preposition after it names."""

    @property
    def triple(self) -> tuple[str, str, str]:
        """The lemmas of subject, relation and object; "" for what is not stated."""
        return (
            self.subject.lemma if self.subject else "",
            self.relation,
            self.object.lemma if self.object else "",
        )


@dataclass(frozen=True)
class Connection:
    """One statement is the cause, condition, means or the earlier of another; both by their places."""

    kind: Kind
    first: int
    second: int
    by: str = ""


@dataclass(frozen=True)
class ReadStatements:
    """All that an extractor found in a text."""

    statements: tuple[Statement, ...]
    connections: tuple[Connection, ...] = ()


class GraphSource(Protocol):
    """An extractor: it reads the sentences of a text and returns what they state."""

    name: str
    version: str | None
    """What changes whenever it reads otherwise; None where that cannot be known, so that nothing it made is kept."""

    def read(self, sentences: Sequence[str]) -> ReadStatements:
        """Return what the sentences state."""
        ...
