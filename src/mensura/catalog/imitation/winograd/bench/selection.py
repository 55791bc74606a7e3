"""Selectional restriction: whether what is said of the pronoun fits one candidate alone, whatever the sentence says."""

import re
from dataclasses import dataclass
from typing import Any, Literal

from mensura.catalog.imitation.winograd.bench.corpus import WordCounts
from mensura.catalog.imitation.winograd.bench.predicate import PronounPredicate, predicate_of
from mensura.catalog.imitation.winograd.schema import Schema, SchemaSentence

Verdict = Literal["passes", "flagged", "not checked"]
SEEN = 5
"""A candidate goes with a predicate that was met near it so often; one does not that should have been and never was."""
PERSONS = frozenset(("i", "me", "we", "you", "someone", "somebody", "people"))


@dataclass(frozen=True, slots=True)
class SelectionCheck:
    """Whether a sentence is solved by trying the predicate with each candidate alone, and what that rests on."""

    verdict: Verdict
    predicate: str
    fits: tuple[str, ...]
    """Candidates that it fits; where flagged exactly one."""
    rests_on: str

    def as_json(self) -> dict[str, Any]:
        """Return it for a machine."""
        return {
            "verdict": self.verdict,
            "predicate": self.predicate,
            "fits": list(self.fits),
            "rests_on": self.rests_on,
        }


def head_of(candidate: str) -> str:
    """Return the noun that a candidate is, as far as its place tells.

    >>> head_of("the sack of potatoes"), head_of("The brown suitcase")
    ('sack', 'suitcase')
    """
    before = re.split(r"\b(?:of|in|on|with|from|at|who|that)\b", candidate.lower())[0]
    words = re.findall(r"[a-z']+", before) or re.findall(r"[a-z']+", candidate.lower())
    return words[-1].removesuffix("'s") if words else ""


def is_name(candidate: str) -> bool:
    """Return whether a candidate is written like a person's name: a capital and no article."""
    return not re.match(r"(?i:the|a|an|his|her|their|my)\b", candidate) and candidate[:1].isupper()


def check_selection(
    schema: Schema, sentence: SchemaSentence, *, wordnet: bool, counts: WordCounts | None
) -> SelectionCheck:
    """Try what is said of the pronoun with each candidate alone, by WordNet and by counts, as far as there are any."""
    predicate = predicate_of(sentence)
    if isinstance(predicate, str):
        return SelectionCheck("not checked", "", (), predicate)
    if not wordnet and counts is None:
        return SelectionCheck("not checked", predicate.word, (), "neither WordNet nor a corpus")
    names = schema.candidates
    if all(is_name(one) for one in names):
        return SelectionCheck("passes", predicate.word, names, "all candidates are names of persons")
    reasons = []
    if wordnet:
        found = _by_wordnet(predicate, names)
        if found.verdict == "flagged":
            return found
        reasons.append(found)
    if counts is not None:
        found = _by_counts(predicate, names, counts)
        if found.verdict == "flagged":
            return found
        reasons.append(found)
    said = "; ".join(dict.fromkeys(one.rests_on for one in reasons))
    passes = any(one.verdict == "passes" for one in reasons)
    return SelectionCheck("passes" if passes else "not checked", predicate.word, names if passes else (), said)


def _by_wordnet(predicate: PronounPredicate, names: tuple[str, ...]) -> SelectionCheck:
    from mensura.words.demands import demand_of, demand_of_noun, meets
    from mensura.words.taxonomy import PARTS, taxonomy

    if predicate.kind == "passive":
        return SelectionCheck(
            "not checked", predicate.word, (), "WordNet's frames say nothing of what is done to a thing"
        )
    demand = demand_of_noun(predicate.word) if predicate.kind == "noun" else demand_of(predicate.word)
    if demand is None:
        words = taxonomy()
        from mensura.words.form import base_form

        known = words.count(predicate.word, "adj") >= 0 or any(
            base_form(predicate.word, part=part, words=words) for part in PARTS
        )
        verdict: Verdict = "passes" if known else "not checked"
        what = f"WordNet demands nothing of what is said ({predicate.word})"
        return SelectionCheck(
            verdict, predicate.word, names, what if known else f"WordNet does not know {predicate.word}"
        )
    wanted, why = demand
    fits = {}
    for one in names:
        person = is_name(one) or one.lower() in PERSONS
        fits[one] = (wanted == "somebody") if person else meets(head_of(one), wanted)
    if unknown := [one for one, fit in fits.items() if fit is None]:
        return SelectionCheck("not checked", predicate.word, (), f"WordNet does not know {unknown[0]}")
    fitting = tuple(one for one, fit in fits.items() if fit)
    flagged = len(fitting) == 1
    ending = f"only {fitting[0]} can be" if flagged else f"{len(fitting)} candidates can be"
    return SelectionCheck("flagged" if flagged else "passes", predicate.word, fitting, f"WordNet: {why}; {ending}")


def _by_counts(predicate: PronounPredicate, names: tuple[str, ...], counts: WordCounts) -> SelectionCheck:
    if any(is_name(one) for one in names):
        return SelectionCheck("not checked", predicate.word, (), "names are not counted")
    heads = {one: head_of(one) for one in names}
    met = {one: counts.together(head, predicate.word) for one, head in heads.items()}
    rates = {one: met[one] / counts.single[head] for one, head in heads.items() if counts.single[head]}
    best = max(met, key=lambda one: met[one])
    others = [one for one in names if one != best]
    expected = [rates.get(best, 0.0) * counts.single[heads[one]] for one in others]
    said = ", ".join(f"{one} {met[one]}" for one in names)
    if met[best] >= SEEN and not any(met[one] for one in others) and min(expected) >= SEEN:
        why = f"corpus: near {predicate.word} were met {said}; {min(expected):.0f} or more were expected of each"
        return SelectionCheck("flagged", predicate.word, (best,), why)
    if max(met.values()) < SEEN:
        return SelectionCheck("not checked", predicate.word, (), f"corpus: too few near {predicate.word} ({said})")
    return SelectionCheck("passes", predicate.word, names, f"corpus: near {predicate.word} were met {said}")
