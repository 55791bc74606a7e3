"""Who is meant by he, she, it and they: the likeliest of the nouns before, by number and by what they are."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from mensura.catalog.analogy.extraction.shallow.closed import word_set
from mensura.catalog.analogy.graph.statement import NounPhrase, Statement
from mensura.words.taxonomy import taxonomy

PERSON = word_set("he him she her himself herself who whom")
THING = word_set("it itself which")
SEVERAL = word_set("they them themselves")
FEMALE = word_set("she her herself")
MALE = word_set("he him himself")
VAGUE = (
    SEVERAL
    | THING
    | word_set(
        "this that these those all both each any some most many few much more several another other others such what "
        "none either neither one nothing something anything everything"
    )
)
"""Words that are no concept of their own where it is not known what they mean."""
SPEAKER = word_set("i me we us you myself ourselves yourself")
REACH = 3
"""How many sentences back somebody is looked for."""


def resolve(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """Put nouns in the place of pronouns where one fits; a pronoun that fits nothing stays as it is written."""
    before: list[tuple[int, int, NounPhrase]] = []
    meant: dict[tuple[int, str], NounPhrase] = {}
    genders: dict[str, str] = {}
    found = []
    for one in statements:
        subject = _resolved(one.subject, one.sentence, before, meant, genders)
        # Nobody is the object of their own act but by -self.
        taken = subject.lemma if subject else ""
        other = _resolved(one.object, one.sentence, before, meant, genders, but=taken)
        found.append(replace(one, subject=_concept(subject), object=_concept(other)))
        for rank, phrase in ((0, subject), (1, other)):
            if phrase is not None and not phrase.pronoun:
                before.append((one.sentence, rank, phrase))
    return tuple(found)


def _concept(one: NounPhrase | None) -> NounPhrase | None:
    return None if one is not None and one.pronoun and one.lemma in VAGUE else one


def _resolved(
    one: NounPhrase | None,
    sentence: int,
    before: Sequence[tuple[int, int, NounPhrase]],
    meant: dict[tuple[int, str], NounPhrase],
    genders: dict[str, str],
    *,
    but: str = "",
) -> NounPhrase | None:
    if one is None or not one.pronoun or one.lemma in SPEAKER:
        return one
    word = one.lemma
    own = word.endswith(("self", "selves"))
    # He is the same he as before in a sentence, and so are him and he.
    key = (sentence, _group(word))
    if key in meant and (own or meant[key].lemma != but):
        return meant[key]
    gender = _group(word)
    for _, _, phrase in sorted(
        (row for row in before if row[0] >= sentence - REACH), key=lambda row: (-row[0], row[1])
    ):
        if not own and phrase.lemma == but:
            continue
        if not _fits(phrase, gender):
            continue
        if gender in ("she", "he") and genders.get(phrase.lemma, gender) != gender:
            continue
        if gender in ("she", "he"):
            genders[phrase.lemma] = gender
        meant[key] = phrase
        return phrase
    return one


def _group(word: str) -> str:
    if word in FEMALE:
        return "she"
    if word in MALE:
        return "he"
    return "they" if word in SEVERAL else "it" if word in THING else word


def _fits(phrase: NounPhrase, group: str) -> bool:
    if group in ("she", "he"):
        return not phrase.plural and (is_animate(phrase.lemma.lower()) or phrase.name)
    if group == "it":
        return not phrase.plural and not (phrase.name or is_person(phrase.lemma.lower()))
    return phrase.plural if group == "they" else False


@cache
def is_person(lemma: str) -> bool:
    """Return whether a noun is a person in its commonest sense."""
    return "person" in _commonest(lemma)


@cache
def is_animate(lemma: str) -> bool:
    """Return whether a noun is a person or an animal in its commonest sense."""
    return bool({"person", "animal"} & _commonest(lemma))


def _commonest(lemma: str) -> frozenset[str]:
    kinds = taxonomy().kinds(lemma, part="noun")
    return kinds[0] if kinds else frozenset()
