"""Association: which candidate the sentence's words are met with most often, without any understanding."""

import re
from dataclasses import dataclass
from math import log
from typing import Any

from mensura.catalog.imitation.winograd.bench.corpus import WordCounts
from mensura.catalog.imitation.winograd.bench.predicate import AUXILIARIES, BREAKS, COPULAS, DETERMINERS, SKIPPED
from mensura.catalog.imitation.winograd.bench.selection import head_of, is_name
from mensura.catalog.imitation.winograd.schema import PRONOUN, Schema, SchemaSentence
from mensura.stats.wording import times

CLEAR = log(3)
"""A candidate is preferred that is met three times as readily as the next."""
LITTLE = BREAKS | AUXILIARIES | COPULAS | SKIPPED | DETERMINERS | frozenset(("so", "him", "them", "she", "they"))


@dataclass(frozen=True, slots=True)
class WordAssociation:
    """Which candidate the words that are said of the pronoun go with, by counts; None where none clearly."""

    candidate: int | None
    strength: float
    """How many times as readily as the next, as a logarithm."""
    rests_on: str

    def as_json(self, right: int) -> dict[str, Any]:
        """Return it for a machine."""
        found = None if self.candidate is None else self.candidate == right
        return {"candidate": self.candidate, "right": found, "strength": self.strength, "rests_on": self.rests_on}


def words_of(sentence: SchemaSentence) -> list[str]:
    """Return the words that are counted with the candidates: the special word, or what follows the pronoun."""
    found = PRONOUN.search(sentence.text)
    said = sentence.word or (sentence.text[found.end() :] if found else sentence.text)
    return [
        word for word in dict.fromkeys(re.findall(r"[a-z']+", said.lower())) if word not in LITTLE and len(word) > 2
    ]


def associate(schema: Schema, sentence: SchemaSentence, counts: WordCounts) -> WordAssociation:
    """Return the candidate that goes best with the words said of the pronoun, each count one half more than met."""
    if any(is_name(one) for one in schema.candidates):
        return WordAssociation(None, 0.0, "names are not counted")
    heads = [head_of(one) for one in schema.candidates]
    words = [word for word in words_of(sentence) if word not in heads]
    met = sum(counts.together(head, word) for head in heads for word in words)
    if not met:
        return WordAssociation(None, 0.0, "the corpus has none of the candidates near what is said")
    strength = [
        sum(log((counts.together(head, word) + 0.5) / (counts.single[head] + 1)) for word in words) for head in heads
    ]
    order = sorted(range(len(heads)), key=lambda place: -strength[place])
    ahead = strength[order[0]] - strength[order[1]]
    said = f"{times(met)} candidates near {', '.join(words)}"
    return WordAssociation(order[0] if ahead >= CLEAR else None, ahead, said)
