"""The predicate of a pronoun: the word that says something of it."""

import re
from dataclasses import dataclass
from typing import Literal

from mensura.catalog.imitation.winograd.schema import PRONOUN, SchemaSentence


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


Kind = Literal["adjective", "noun", "verb", "passive"]
SUBJECTS = _set("he she it they we i you _ who which that")
ALSO_OBJECTS = frozenset(("it", "_", "you"))
COPULAS = _set(
    "is are was were be been being am isn't aren't wasn't weren't seem seems seemed look looks looked feel feels felt "
    "become becomes became get gets got remain remained stay stayed"
)
AUXILIARIES = _set(
    "do does did have has had will would can could may might shall should must don't doesn't didn't haven't hasn't "
    "hadn't won't wouldn't can't cannot couldn't shouldn't"
)
SKIPPED = _set(
    "too so very not never always often quite still just also already almost really far much more most less least only "
    "even both all always once again now then soon rather such going about able to"
)
CONJUNCTIONS = _set(
    "because and but so that when while until as since although though if before after or whether for than"
)
DETERMINERS = _set("the a an his her its their our my your one another any some no plenty")
BREAKS = _set(
    "of in on at by for with from to than that when while because but and or as if until after before although though "
    "who which off out up down away back"
)


@dataclass(frozen=True, slots=True)
class PronounPredicate:
    """The word that says something of the pronoun, and as what."""

    word: str
    kind: Kind


def predicate_of(sentence: SchemaSentence) -> PronounPredicate | str:
    """Return the predicate of a sentence's pronoun, or in words why there is none to be tried.

    >>> predicate_of(SchemaSentence("It did not fit the case because [it] was too big.", 0))
    PronounPredicate(word='big', kind='adjective')
    >>> predicate_of(SchemaSentence("Ann helped Eve, so Ann's mother thanked [her].", 0))
    'its pronoun is not a subject'
    """
    found = PRONOUN.search(sentence.text)
    if found is None or found[1].lower() not in SUBJECTS:
        return "its pronoun is not a subject"
    rest = re.split(r"[.,;:!?]", sentence.text[found.end() :])[0]
    words = re.findall(r"[a-z']+", rest.lower().replace("’", "'"))
    before = re.search(r"([a-z']+)?([.,;:!?]?)\s*$", sentence.text[: found.start()].lower())
    after = before is None or not before[1] or bool(before[2]) or before[1] in CONJUNCTIONS
    if not words or (found[1].lower() in ALSO_OBJECTS and (words[0] in BREAKS | DETERMINERS or not after)):
        return "its pronoun is not a subject"
    copula = auxiliary = False
    for place, word in enumerate(words):
        if word in COPULAS and not (auxiliary and word in ("been", "be") and copula):
            copula = True
        elif word in AUXILIARIES and not copula:
            auxiliary = True
        elif word in SKIPPED or word.endswith("ly"):
            continue
        elif word in DETERMINERS and copula:
            nouns = [one for one in _until_break(words[place + 1 :]) if one not in SKIPPED]
            return PronounPredicate(nouns[-1], "noun") if nouns else "it says nothing of its pronoun"
        elif word in BREAKS | DETERMINERS:
            break
        elif copula:
            return PronounPredicate(word, _kind(word))
        else:
            return PronounPredicate(word, "verb")
    # "had plenty to spare": what somebody has is no predicate that could be tried.
    return PronounPredicate("have", "verb") if auxiliary else "it says nothing of its pronoun that can be tried"


def _kind(word: str) -> Kind:
    if word.endswith("ing"):
        return "verb"
    return "passive" if word.endswith("ed") else "adjective"


def _until_break(words: list[str]) -> list[str]:
    for place, word in enumerate(words):
        if word in BREAKS:
            return words[:place]
    return words
