"""From statements to a graph: pronouns are resolved, and the same noun is the same concept."""

from collections.abc import Mapping, Sequence

from mensura.catalog.analogy.graph.coreference import resolve
from mensura.catalog.analogy.graph.skeleton import ConceptNode, RelationNode, SecondOrder, SkeletonGraph
from mensura.catalog.analogy.graph.statement import NounPhrase, ReadStatements


def build_graph(
    stated: ReadStatements, sentences: Sequence[str], *, extractor: str, categories: Mapping[int, str] | None = None
) -> SkeletonGraph:
    """Join statements into a graph; those that name no concept at all are left out.

    Parameters
    ----------
    stated
        What an extractor found.
    sentences
        The sentences it read.
    extractor
        Its name.
    categories
        The rhetorical category of each sentence that has one.
    """
    categories = categories or {}
    statements = resolve(stated.statements)
    place: dict[str, int] = {}
    held: list[list[tuple[NounPhrase, int]]] = []

    def concept(one: NounPhrase | None, sentence: int) -> int | None:
        if one is None:
            return None
        at = place.setdefault(one.lemma.lower(), len(held))
        if at == len(held):
            held.append([])
        held[at].append((one, sentence))
        return at

    relations: list[RelationNode] = []
    where: dict[int, int] = {}
    for at, one in enumerate(statements):
        if one.subject is None and one.object is None:
            continue
        where[at] = len(relations)
        subject, other = concept(one.subject, one.sentence), concept(one.object, one.sentence)
        category = categories.get(one.sentence, "")
        relations.append(
            RelationNode(one.relation, subject, other, one.sentence, one.negated, one.preposition, category)
        )
    # What is stated twice, by `so` and by `because`, is one edge.
    links: dict[tuple[str, int, int], SecondOrder] = {}
    for tie in stated.connections:
        if tie.first in where and tie.second in where and tie.first != tie.second:
            edge = SecondOrder(tie.kind, where[tie.first], where[tie.second], tie.by)
            links.setdefault((edge.kind, edge.first, edge.second), edge)
    return SkeletonGraph(
        tuple(_concept(lemma, mentions, categories) for lemma, mentions in zip(place, held, strict=True)),
        tuple(relations),
        tuple(links.values()),
        tuple(sentences),
        extractor,
    )


def _concept(lemma: str, mentions: Sequence[tuple[NounPhrase, int]], categories: Mapping[int, str]) -> ConceptNode:
    sentences = tuple(dict.fromkeys(sentence for _, sentence in mentions))
    return ConceptNode(
        lemma,
        tuple(dict.fromkeys(one.written for one, _ in mentions if one.written)),
        sentences,
        tuple(dict.fromkeys(word for one, _ in mentions for word in one.modifiers)),
        next((categories[at] for at in sentences if at in categories), ""),
    )
