"""The shallow extractor, the default: it needs nothing but WordNet."""

from collections.abc import Sequence
from itertools import product

from mensura.catalog.analogy.extraction.shallow.clauses import ClauseReader, Verb
from mensura.catalog.analogy.extraction.shallow.phrases import phrases
from mensura.catalog.analogy.extraction.shallow.tagging import tag_sentence
from mensura.catalog.analogy.graph.statement import Connection, NounPhrase, ReadStatements, Statement

MOST = 3
"""How many of an enumeration are taken on either side of a verb."""

FURTHER = 2
"""How many prepositional objects beside an object."""


class ShallowExtractor:
    """Read sentences by rules on parts of speech."""

    name = "shallow"
    version: str | None = "3"
    """Raised whenever it would make another graph of the same text."""

    def read(self, sentences: Sequence[str]) -> ReadStatements:
        """Return what the sentences state."""
        reader = ClauseReader()
        for number, sentence in enumerate(sentences):
            reader.read(phrases(tag_sentence(sentence)), number)
        statements: list[Statement] = []
        where: dict[int, int] = {}
        for number, verb in reader.verbs:
            made = _statements(verb, number)
            if made:
                where[id(verb)] = len(statements)
                statements += made
        connections = [
            Connection(tie.kind, where[id(tie.first)], where[id(tie.second)], tie.by)
            for tie in reader.ties
            if id(tie.first) in where and id(tie.second) in where
        ]
        return ReadStatements(tuple(statements), tuple(connections))


def _statements(verb: Verb, sentence: int) -> list[Statement]:
    if verb.lemma == "be" and not verb.passive and not verb.expletive and not (verb.subjects and verb.objects):
        return []
    subjects: list[NounPhrase | None] = [*verb.subjects[:MOST]] or [None]
    objects: list[NounPhrase | None] = [*verb.objects[:MOST]] or [None]
    return [
        Statement(verb.lemma, subject, other, sentence, verb.negated, verb.preposition)
        for subject, other in product(subjects, objects)
        if subject is not None or other is not None
    ] + [
        # Who puts a book on a table: the book is put there.
        Statement(verb.lemma, verb.objects[0], noun, sentence, verb.negated, preposition, oblique=True)
        for preposition, noun in verb.further[:FURTHER]
        if verb.objects
    ]
