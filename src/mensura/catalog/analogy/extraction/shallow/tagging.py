"""Parts of speech: closed classes first, then what WordNet's counts and the neighbours make likeliest."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from mensura.catalog.analogy.extraction.shallow.closed import (
    ADVERBS,
    BE,
    CAUSATIVE,
    CONNECTIVES,
    COORDINATORS,
    DETERMINERS,
    DO,
    HAVE,
    IRREGULAR,
    JOINED,
    MODALS,
    NEGATIONS,
    OBJECTS,
    PHRASES,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVE,
    SUBJECTS,
    SUBORDINATORS,
)  # fmt: skip
from mensura.catalog.analogy.graph.sentence import tokens
from mensura.words.form import base_form, irregular
from mensura.words.taxonomy import Part, taxonomy

Tag = Literal[
    "noun", "name", "pronoun", "verb", "be", "have", "do", "modal", "not", "to", "determiner", "adjective", "adverb",
    "preposition", "coordinator", "subordinator", "relative", "number", "possessive", "stop", "connective",
]  # fmt: skip
NOMINAL = ("noun", "name", "number")
OPENING = ("stop", "coordinator", "noun", "name", "pronoun", "adverb", "connective")
"""After what kinds of words so begins a clause."""


@dataclass
class Tagged:
    """A word with its part of speech and its lemma."""

    word: str
    tag: Tag
    lemma: str

    @property
    def lower(self) -> str:
        """The word in small letters."""
        return self.word.lower()


@dataclass(frozen=True)
class WordReadings:
    """What a word can be: how often it was met as each part of speech (-1: never listed), and its lemmas."""

    noun: float
    verb: float
    adjective: float
    adverb: float
    noun_lemma: str
    verb_lemma: str
    past: bool

    @property
    def known(self) -> bool:
        """Whether WordNet knows it at all."""
        return max(self.noun, self.verb, self.adjective, self.adverb) >= 0


@lru_cache(maxsize=100_000)
def readings(word: str) -> WordReadings:
    """Return what a word in small letters can be."""
    words = taxonomy()

    def met(part: Part) -> tuple[str, float]:
        form = base_form(word, part=part, words=words)
        return (form, words.count(form, part)) if form else ("", -1)

    noun, nouns = met("noun")
    verb, verbs = met("verb")
    if word in IRREGULAR:
        verb = IRREGULAR[word]
        verbs = max(words.count(verb, "verb"), 0)
    past = (word.endswith("ed") and verb != word) or (word in IRREGULAR) or irregular("verb").get(word, word) != word
    adjectives = words.count(word, "adj")
    for ending in ("er", "est"):
        if adjectives < 0 and word.endswith(ending):
            stem = word.removesuffix(ending)
            bare = (
                stem,
                stem + "e",
                stem[:-1] if stem[-2:-1] == stem[-1:] else "",
                stem[:-1] + "y" if stem[-1:] == "i" else "",
            )
            adjectives = max(words.count(one, "adj") for one in bare)
    return WordReadings(nouns, verbs, adjectives, words.count(word, "adv"), noun, verb, past and bool(verb))


def tag_sentence(sentence: str) -> list[Tagged]:
    """Return the words of a sentence with their parts of speech."""
    held = tokens(sentence)
    lower = [one.lower() for one in held]
    found: list[Tagged] = []
    at = 0
    while at < len(held):
        phrase = next((one for one in PHRASES if tuple(lower[at : at + len(one)]) == one), None)
        if phrase:
            found.append(Tagged(" ".join(held[at : at + len(phrase)]), "connective", " ".join(phrase)))
            at += len(phrase)
            continue
        joined = next((one for one in JOINED if tuple(lower[at : at + len(one)]) == one), None)
        if joined:
            word = JOINED[joined]
            found.append(Tagged(word, "coordinator" if word == "and" else "preposition", word))
            at += len(joined)
            continue
        found.append(_tagged(held, lower, at, found))
        at += 1
    return found


def _tagged(held: list[str], lower: list[str], at: int, before: list[Tagged]) -> Tagged:
    word, low = held[at], lower[at]
    following = lower[at + 1] if at + 1 < len(lower) else ""
    closed = _closed(low, following, at, before)
    if closed:
        return Tagged(word, closed, low)
    if not word[0].isalpha():
        return Tagged(word, "number" if word[0].isdigit() else "stop", low)
    known = readings(low)
    unmet = max(known.noun, known.verb, known.adjective, known.adverb) < 1
    begins = not before or before[-1].tag == "stop"
    if word[0].isupper() and not (low.endswith("ly") and not known.known) and (not begins or unmet):
        return Tagged(word, "name", low)
    tag = _open(low, known, following, before)
    lemma = known.verb_lemma if tag == "verb" else known.noun_lemma if tag == "noun" else low
    return Tagged(word, tag, lemma or low)


def _closed(low: str, following: str, at: int, before: list[Tagged]) -> Tag | None:
    last = before[-1] if before else None
    if low == "'s":
        nominal = last is not None and last.tag in NOMINAL
        return "possessive" if nominal and not _verbal(following) else "be"
    if low in ("'", "’"):
        return "possessive"
    for words, tag in ((NEGATIONS, "not"), (BE, "be"), (HAVE, "have"), (DO, "do"), (MODALS, "modal")):
        if low in words and not (
            tag == "modal" and low in ("can", "will", "may") and last and last.tag == "determiner"
        ):
            return tag  # type: ignore[return-value]
    if low == "to":
        return "to"
    if (
        low in RELATIVE
        and last is not None
        and (last.tag in NOMINAL or (low != "that" and last.lower in (",", "those", "one", "in", "of")))
    ):
        return "relative"
    if low in ("this", "that", "these", "those", "all", "both", "each", "some", "any", "many", "most", "few", "her",
               "another", "either", "neither", "several", "more", "such", "one"):  # fmt: skip
        if low == "that" and last is not None and last.tag == "verb":
            return "subordinator"
        nominal = _nominal(following)
        if low == "her" or low in DETERMINERS or low == "one":
            return "determiner" if nominal else "pronoun"
    if low in CONNECTIVES and low not in ("since", "after", "before", "until", "till", "so", "then", "later", "once"):
        return "connective"
    if low in ("since", "after", "before", "until", "till", "once"):
        return "connective"
    if low in ("so", "then", "later"):
        opens = not before or before[-1].tag in OPENING
        return "connective" if low != "so" or opens else "adverb"
    for words, tag in (
        (COORDINATORS, "coordinator"), (SUBORDINATORS, "subordinator"), (DETERMINERS, "determiner"),
        (PRONOUNS, "pronoun"), (PREPOSITIONS, "preposition"), (ADVERBS, "adverb"),
    ):  # fmt: skip
        if low in words:
            return tag  # type: ignore[return-value]
    return None


def _verbal(word: str) -> bool:
    """Return whether a word after 's can only go on with it as a verb."""
    return word in NEGATIONS or word in DETERMINERS or (word.endswith("ing") and readings(word).noun < 1)


def _nominal(word: str) -> bool:
    """Return whether a word can go on with a noun phrase."""
    if not word or not word[0].isalnum() or word in PRONOUNS - {"one", "others"} or word in PREPOSITIONS:
        return False
    if word in BE or word in HAVE or word in DO or word in MODALS or word in COORDINATORS or word in SUBORDINATORS:
        return False
    if word in RELATIVE or word in DETERMINERS:
        return False
    known = readings(word)
    if word in ADVERBS or (known.adverb > max(known.noun, known.adjective)):
        return False
    return known.noun >= known.verb / 4 or known.adjective >= 0 or not known.known or known.past


def _open(low: str, known: WordReadings, following: str, before: list[Tagged]) -> Tag:
    if not known.known:
        if low.endswith("ed"):
            return "adjective" if _nominal(following) else "verb"
        return "adverb" if low.endswith("ly") else "adjective" if low.endswith(("ous", "able", "ible")) else "noun"
    last = next((one for one in reversed(before) if one.tag not in ("adverb", "not")), None)
    near = before[-1].tag if before else "stop"
    tag = last.tag if last else "stop"
    if low.endswith("ing") and tag in ("noun", "name", "adjective") and _ends_phrase(following):
        # Information filtering, word processing: no verb, for nothing follows that it could do.
        return "noun"
    weight: dict[Tag, float] = {
        "noun": known.noun + 1, "verb": known.verb + 1, "adjective": known.adjective + 1, "adverb": known.adverb + 1,
    }  # fmt: skip
    weight["verb"] *= _verb_factor(low, known, tag, near, last, following, before)
    if low.endswith("ly"):
        weight["adverb"] *= 20
    nominal = _nominal(following)
    if nominal and tag not in ("to", "modal"):
        weight["adjective"] *= 3
    else:
        weight["adjective"] *= 0.5 if tag not in ("be",) else 2
        if tag in ("determiner", "possessive", "adjective", "preposition"):
            weight["adjective"] *= 0.1
    if tag == "be" and (low.endswith("ing") or known.past):
        weight["verb"] *= 3
    if known.past and tag in ("determiner", "possessive", "adjective") and nominal:
        return "adjective"
    return max(weight, key=lambda one: (weight[one], one))


def _verb_factor(
    low: str, known: WordReadings, tag: str, near: str, last: Tagged | None, following: str, before: list[Tagged]
) -> float:
    base = known.verb_lemma == low
    if tag == "to" or (last is not None and last.lemma in ("in order to", "so as to")):
        return (60.0 if _begins_phrase(following) else 25.0) if base else 0.02
    if tag in ("modal", "do"):
        return 60.0 if base else 0.05
    if tag in ("have", "be"):
        return 20.0 if known.past or (low.endswith("ing") and tag == "be") else 0.02
    if tag in ("determiner", "possessive"):
        return 0.01
    if tag == "adjective":
        return 0.05
    if near == "verb" and base:
        # Two bare verbs do not stand side by side, but after to make or to let.
        return 0.2
    if tag in ("preposition", "number"):
        return 4.0 if low.endswith("ing") and tag == "preposition" and _begins_phrase(following) else 0.05
    if (tag == "pronoun" and last is not None and last.lower in SUBJECTS) or tag == "relative":
        return 30.0
    if last is not None and last.lower in OBJECTS:
        caused = any(one.tag == "verb" and one.lemma in CAUSATIVE for one in before[-4:])
        return 20.0 if (caused and base) or known.past or low.endswith("ing") else 0.3
    if tag in ("noun", "name", "pronoun"):
        factor = 2.0 if known.past or (low.endswith("s") and known.verb_lemma != low) else 0.5
        if not known.past and _has_verb(before):
            factor *= 0.3
        if _begins_phrase(following):
            factor *= 6
        if low.endswith("ing"):
            factor *= 2
        return factor
    if tag == "coordinator":
        earlier = next((one.tag for one in reversed(before[:-1]) if one.tag in ("verb", "noun", "name")), "")
        return (2.0 if earlier == "verb" or known.past else 1.0) * (4 if _begins_phrase(following) else 1)
    if tag in ("stop", "connective", "subordinator"):
        return 2.0 if low.endswith("ing") or known.past else 0.2
    return 1.0


def _has_verb(before: list[Tagged]) -> bool:
    """Return whether the clause has a verb already, so that the next is less to be expected."""
    for one in reversed(before):
        if one.tag in ("coordinator", "connective", "subordinator", "relative") or one.lower in (",", ";", ":", "that"):
            return False
        if one.tag in ("verb", "be", "have", "do", "modal"):
            return True
    return False


def _ends_phrase(word: str) -> bool:
    """Return whether a word, or the end of the sentence, ends a noun phrase."""
    return not word or word in COORDINATORS or not word[0].isalnum() or word in BE or word in MODALS


def _begins_phrase(word: str) -> bool:
    """Return whether a word begins a noun phrase, as after a verb."""
    return word in DETERMINERS or word in OBJECTS or word in ("it", "him", "her", "that", "to", "into", "by")
