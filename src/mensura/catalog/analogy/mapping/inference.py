"""Candidate inferences: what the first text says of mapped concepts that the second does not say yet."""

from dataclasses import dataclass
from typing import Any

from mensura.catalog.analogy.graph.skeleton import SkeletonGraph
from mensura.catalog.analogy.mapping.objective import SolvedMapping


@dataclass(frozen=True)
class Inference:
    """A statement carried over: concepts that correspond stand in it; what has no counterpart keeps its name."""

    subject: str
    relation: str
    object: str
    source: str
    assumed: tuple[str, ...]
    """Places that name something of which the second text says nothing."""

    def as_json(self) -> dict[str, Any]:
        """Return it for a machine."""
        return {
            "subject": self.subject or None, "relation": self.relation, "object": self.object or None,
            "source": self.source, "assumed": list(self.assumed),
        }  # fmt: skip


def candidate_inferences(first: SkeletonGraph, second: SkeletonGraph, solved: SolvedMapping) -> tuple[Inference, ...]:
    """Return what the first says and the second not: unmapped relations with at least one mapped concept.

    Those bound by a second-order edge to a mapped relation come first, then those with both ends mapped.
    """
    bound = {
        end
        for link in first.second_order
        for end, other in ((link.first, link.second), (link.second, link.first))
        if solved.relations[other] >= 0
    }
    found: list[tuple[tuple[bool, int, int], Inference]] = []
    for at, one in enumerate(first.relations):
        if solved.relations[at] >= 0:
            continue
        names, assumed, mapped = [], [], 0
        for role, place in zip(("subject", "object"), one.places, strict=True):
            if place is None:
                names.append("")
                continue
            to = int(solved.concepts[place])
            if to >= 0:
                names.append(second.concepts[to].lemma)
                mapped += 1
            else:
                names.append(first.concepts[place].lemma)
                assumed.append(role)
        if mapped or at in bound:
            made = Inference(names[0], one.lemma, names[1], first.said(at), tuple(assumed))
            found.append(((at not in bound, -mapped, at), made))
    return tuple(made for _, made in sorted(found, key=lambda row: row[0]))
