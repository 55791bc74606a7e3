"""Skeleton graphs: concepts once each, relations as often as they occur, and relations between relations."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["cause", "condition", "purpose", "time"]
KINDS: tuple[Kind, ...] = ("cause", "condition", "purpose", "time")
"""Second-order edges lead from cause to effect, condition to consequence, means to end, earlier to later."""


@dataclass(frozen=True)
class ConceptNode:
    """A concept: its lemma, how it is written, the sentences it occurs in, and the words that modify it."""

    lemma: str
    written: tuple[str, ...] = ()
    sentences: tuple[int, ...] = ()
    modifiers: tuple[str, ...] = ()
    category: str = ""


@dataclass(frozen=True)
class RelationNode:
    """One occurrence of a verb; subject and object are places of concepts, None where none is stated."""

    lemma: str
    subject: int | None = None
    object: int | None = None
    sentence: int = 0
    negated: bool = False
    preposition: str = ""
    category: str = ""

    @property
    def places(self) -> tuple[int | None, int | None]:
        """Subject and object."""
        return self.subject, self.object


@dataclass(frozen=True)
class SecondOrder:
    """A relation between two relations, given by their places; `by` is the connective that states it."""

    kind: Kind
    first: int
    second: int
    by: str = ""


@dataclass(frozen=True)
class SkeletonGraph:
    """What a text says, as concepts, relations between them, and relations between relations."""

    concepts: tuple[ConceptNode, ...]
    relations: tuple[RelationNode, ...]
    second_order: tuple[SecondOrder, ...] = ()
    sentences: tuple[str, ...] = ()
    extractor: str = "shallow"

    def __len__(self) -> int:
        return len(self.concepts) + len(self.relations)

    def without_second_order(self) -> "SkeletonGraph":
        """Return it without relations between relations."""
        return SkeletonGraph(self.concepts, self.relations, (), self.sentences, self.extractor)

    def said(self, at: int) -> str:
        """Return what a relation states, in base forms: `hawk not see hunter`."""
        one = self.relations[at]
        subject, other = ("" if place is None else self.concepts[place].lemma for place in one.places)
        return " ".join(word for word in (subject, "not" if one.negated else "", one.lemma, other) if word)

    def edges(self) -> Iterator[tuple[int, str, int]]:
        """Yield every edge: the relation's place, subject or object, the concept's place."""
        for at, one in enumerate(self.relations):
            for role, place in zip(("subject", "object"), one.places, strict=True):
                if place is not None:
                    yield at, role, place

    def as_json(self) -> dict[str, Any]:
        """Return nodes, edges and second-order edges for a machine; c0, r0 ... name the nodes."""
        nouns = [
            {"id": f"c{at}", "type": "noun", "lemma": one.lemma, "written": one.written, "sentences": one.sentences,
             "modifiers": one.modifiers, "category": one.category or None}
            for at, one in enumerate(self.concepts)
        ]  # fmt: skip
        verbs = [
            {"id": f"r{at}", "type": "verb", "lemma": one.lemma, "sentence": one.sentence, "negated": one.negated,
             "preposition": one.preposition or None, "category": one.category or None}
            for at, one in enumerate(self.relations)
        ]  # fmt: skip
        return {
            "extractor": self.extractor,
            "sentences": self.sentences,
            "nodes": [*nouns, *verbs],
            "edges": [{"from": f"r{one}", "role": role, "to": f"c{other}"} for one, role, other in self.edges()],
            "second_order": [
                {"kind": one.kind, "from": f"r{one.first}", "to": f"r{one.second}", "by": one.by or None}
                for one in self.second_order
            ],
        }


def graph_from_json(data: dict[str, Any]) -> SkeletonGraph:
    """Return the graph that `as_json` wrote."""
    held: dict[str, dict[str, int]] = {}
    for edge in data["edges"]:
        held.setdefault(edge["from"], {})[edge["role"]] = int(edge["to"][1:])
    nouns = [one for one in data["nodes"] if one["type"] == "noun"]
    verbs = [one for one in data["nodes"] if one["type"] == "verb"]
    return SkeletonGraph(
        tuple(
            ConceptNode(
                one["lemma"], tuple(one["written"]), tuple(one["sentences"]), tuple(one["modifiers"]),
                one["category"] or "",
            )
            for one in nouns
        ),
        tuple(
            RelationNode(
                one["lemma"], held.get(one["id"], {}).get("subject"), held.get(one["id"], {}).get("object"),
                one["sentence"], one["negated"], one["preposition"] or "", one["category"] or "",
            )
            for one in verbs
        ),
        tuple(
            SecondOrder(one["kind"], int(one["from"][1:]), int(one["to"][1:]), one["by"] or "")
            for one in data["second_order"]
        ),
        tuple(data["sentences"]),
        data["extractor"],
    )  # fmt: skip
