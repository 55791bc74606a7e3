"""Phrases: noun phrases with their heads, groups of verbs with their voice, and the words between."""

from dataclasses import dataclass
from typing import Literal

from mensura.catalog.analogy.extraction.shallow.closed import PARTICLES
from mensura.catalog.analogy.extraction.shallow.tagging import NOMINAL, Tagged, readings
from mensura.catalog.analogy.graph.statement import NounPhrase

PhraseKind = Literal[
    "noun", "verb", "preposition", "coordinator", "connective", "subordinator", "relative", "comma", "stop",
    "adjective", "other",
]  # fmt: skip
AUXILIARY = ("modal", "be", "have", "do", "not", "adverb")
INSIDE = ("determiner", "adjective", "number", "noun", "name", "possessive", "adverb")
TITLES = frozenset(["mr", "mrs", "ms", "dr", "prof"])


@dataclass(frozen=True)
class SentencePhrase:
    """A phrase: a noun phrase, or a group of verbs with its voice and form, or a word that joins phrases."""

    kind: PhraseKind
    lemma: str = ""
    noun: NounPhrase | None = None
    passive: bool = False
    negated: bool = False
    form: Literal["finite", "infinitive", "gerund", "participle"] = "finite"
    expletive: bool = False


def phrases(words: list[Tagged]) -> list[SentencePhrase]:
    """Cut a tagged sentence into phrases."""
    found: list[SentencePhrase] = []
    at = 0
    while at < len(words):
        made = _verb_group(words, at) or _noun_phrase(words, at)
        if made is None:
            made = _single(words[at]), at + 1
        phrase, at = made
        if phrase.kind != "other":
            found.append(phrase)
    return found


def _single(one: Tagged) -> SentencePhrase:
    if one.lower in (",", ";", ":", "(", ")", "—", "–", "-"):
        return SentencePhrase("comma", one.lower)
    if one.tag == "to":
        return SentencePhrase("preposition", "to")
    if one.tag in ("preposition", "coordinator", "connective", "subordinator", "relative", "stop", "adjective"):
        return SentencePhrase(one.tag, one.lemma)
    return SentencePhrase("other", one.lower)


def _noun_phrase(words: list[Tagged], start: int) -> tuple[SentencePhrase, int] | None:
    first = words[start]
    if first.tag == "pronoun":
        plural = first.lower in ("they", "them", "these", "those", "we", "us")
        noun = NounPhrase(first.lower, first.word, plural=plural, pronoun=True)
        return SentencePhrase("noun", first.lower, noun), start + 1
    if first.lower == "there" and start + 1 < len(words) and words[start + 1].tag in ("be", "modal"):
        return SentencePhrase("noun", "there", None, expletive=True), start + 1
    if first.tag not in INSIDE or first.tag == "adverb":
        return None
    head, at = -1, start
    while at < len(words) and words[at].tag in INSIDE:
        if words[at].tag in ("noun", "name"):
            head = at
        elif words[at].tag == "determiner" and at > start and words[at - 1].tag in NOMINAL:
            break
        at += 1
    if head < 0:
        # The poor; the first; but an adjective without a determiner is said of something.
        inner = [place for place in range(start, at) if words[place].tag in ("adjective", "number")]
        if first.tag == "determiner" and inner and readings(words[inner[-1]].lower).noun >= 0:
            head = inner[-1]
        else:
            return None
    one = words[head]
    modifiers = tuple(
        word.lower
        for word in words[start:head]
        if word.tag in ("adjective", "noun", "name") and word.lower not in TITLES
    )
    noun = NounPhrase(
        one.lemma, one.word, modifiers, plural=one.tag == "noun" and one.lemma != one.lower, name=one.tag == "name"
    )
    return SentencePhrase("noun", one.lemma, noun), head + 1


def _verb_group(words: list[Tagged], start: int) -> tuple[SentencePhrase, int] | None:
    at, negated, infinitive = start, False, False
    auxiliaries: list[Tagged] = []
    if words[start].tag == "to":
        infinitive = True
        at += 1
    main: Tagged | None = None
    last = at
    while at < len(words):
        one = words[at]
        if one.tag == "verb":
            main, last = one, at + 1
            break
        if one.tag not in AUXILIARY or (one.tag == "be" and any(held.tag == "do" for held in auxiliaries)):
            # "has to go" is "goes", with must.
            has_to = one.tag == "to" and auxiliaries and auxiliaries[-1].tag == "have"
            if has_to and at + 1 < len(words) and words[at + 1].tag in ("verb", "be"):
                at += 1
                continue
            break
        negated |= one.tag == "not"
        if one.tag in ("be", "have", "do", "modal"):
            auxiliaries.append(one)
            last = at + 1
        at += 1
    if main is None and not any(one.tag in ("be", "have", "do") for one in auxiliaries):
        return (SentencePhrase("other", "modal"), last) if auxiliaries else None
    before = auxiliaries[-1] if auxiliaries else None
    if main is None:
        held = auxiliaries[-1]
        lemma = held.tag if held.tag in ("be", "have", "do") else "be"
        form = "infinitive" if infinitive else "gerund" if held.lower in ("being", "having") else "finite"
        return SentencePhrase("verb", lemma, negated=negated, form=form), last  # type: ignore[arg-type]
    known = readings(main.lower)
    ing = main.lower.endswith("ing") and main.lemma != main.lower
    past = known.past or main.lower in ("put", "cut", "set", "hit", "hurt", "let", "read", "shut", "cast", "split")
    passive = before is not None and before.tag == "be" and past and not ing
    form = "finite"
    if infinitive:
        form = "infinitive"
    elif (not auxiliaries and ing) or (
        before is not None and before.lower in ("being", "having") and len(auxiliaries) == 1
    ):
        form = "gerund"
    elif not auxiliaries and past:
        form = "participle"
    if last < len(words) and words[last].lower in PARTICLES and not _phrase_follows(words, last + 1):
        last += 1
    return SentencePhrase("verb", main.lemma, passive=passive, negated=negated, form=form), last  # type: ignore[arg-type]


def _phrase_follows(words: list[Tagged], at: int) -> bool:
    return at < len(words) and words[at].tag in ("determiner", "adjective", "noun", "name", "pronoun", "number")
