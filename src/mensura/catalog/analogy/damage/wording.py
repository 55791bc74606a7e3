"""Words of a text: replaced by synonyms or by what they are kinds of, left out, or exchanged for one another."""

import csv
import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache

import numpy as np

from mensura.catalog.analogy.damage.sentences import sentences_of
from mensura.catalog.analogy.extraction.shallow.closed import word_set
from mensura.catalog.analogy.own.texts import FOLDER

WORD = re.compile(r"[A-Za-z]+")
IRREGULAR = {
    "geese": "goose", "wolves": "wolf", "thieves": "thief", "stood": "stand", "built": "build", "broke": "break",
    "kept": "keep", "grew": "grow", "stole": "steal", "sold": "sell", "took": "take", "sent": "send", "bought": "buy",
    "paid": "pay", "began": "begin", "threw": "throw", "tore": "tear", "cut": "cut", "ate": "eat", "left": "leave",
    "gave": "give", "chose": "choose", "found": "find", "hid": "hide", "drew": "draw", "lost": "lose", "saw": "see",
}  # fmt: skip
PAST = {
    "burst": "burst", "shed": "shed", "split": "split", "cut": "cut", "keep": "kept", "feel": "felt", "take": "took",
    "get": "got", "tell": "told", "give": "gave", "hold": "held", "rise": "rose", "draw": "drew", "make": "made",
    "come": "came", "become": "became", "arise": "arose", "see": "saw", "lose": "lost", "hear": "heard", "shrink":
    "shrank", "bear": "bore", "say": "said", "meet": "met", "forget": "forgot",
}  # fmt: skip
"""Pasts that are not formed by an ending, of words that stand in for others."""
KEPT = word_set("because so but therefore when then after before if until although since while not no nobody")
"""Words that say how what is told hangs together: deletions spare them, as a lost `not` is another kind of damage."""


@cache
def thesaurus() -> Mapping[str, tuple[str, str]]:
    """Return our list: a word → one that means about the same, and one for what it is a kind of."""
    lines = (FOLDER / "synonyms.csv").read_text(encoding="utf-8").splitlines()
    return {row["word"]: (row["synonym"], row["hypernym"]) for row in csv.DictReader(lines)}


def base(word: str) -> tuple[str, str]:
    """Return the form of a word that our list has, and the ending it bears; the word itself where there is none.

    >>> base("Walls"), base("stored"), base("the")
    (('wall', 's'), ('store', 'ed'), ('the', ''))
    """
    low, known = word.lower(), thesaurus()
    if low in IRREGULAR:
        return IRREGULAR[low], "ed" if not low.endswith("s") and low != "geese" else "s"
    if low in known:
        return low, ""
    for ending, instead in (("ies", "y"), ("es", ""), ("s", ""), ("ied", "y"), ("ed", ""), ("ed", "e"), ("d", "")):
        stem = low[: -len(ending)] + instead
        if low.endswith(ending) and stem in known:
            return stem, "ed" if ending.endswith("d") else "s"
    return low, ""


def reworded(text: str, *, dose: float, rng: np.random.Generator, hypernyms: float = 0.0) -> str:
    """Return the text with a share of the words in our list replaced, the same word always by the same.

    A word that is replaced becomes what it is a kind of with the chance `hypernyms`, else a synonym.
    """
    known = thesaurus()
    met = list(dict.fromkeys(stem for found in WORD.finditer(text) if (stem := base(found[0])[0]) in known))
    chosen = [met[place] for place in rng.permutation(len(met))[: round(dose * len(met))]]
    instead = {word: known[word][int(rng.random() < hypernyms)] for word in chosen}

    def replaced(found: re.Match[str]) -> str:
        stem, ending = base(found[0])
        if stem not in instead:
            return found[0]
        word = inflected(instead[stem], ending)
        return word.capitalize() if found[0][0].isupper() else word

    return WORD.sub(replaced, text)


def inflected(word: str, ending: str) -> str:
    """Return a regular form of a word.

    >>> inflected("glacier", "s"), inflected("carry", "s"), inflected("change", "ed")
    ('glaciers', 'carries', 'changed')
    """
    if not ending or (ending == "s" and word.endswith("s")):
        return word
    if ending == "ed" and word in PAST:
        return PAST[word]
    if word.endswith("y") and word[-2] not in "aeiou":
        return f"{word[:-1]}i{'es' if ending == 's' else ending}"
    if ending == "s":
        return f"{word}{'es' if word.endswith(('sh', 'ch', 'x', 'z')) else 's'}"
    return f"{word}{'d' if word.endswith('e') else ending}"


def thinned(text: str, *, dose: float, rng: np.random.Generator) -> str:
    """Return the text without a share of its words, but with all that say how it hangs together."""
    sentences = []
    for sentence in sentences_of(text):
        words = sentence.split()
        free = [place for place, word in enumerate(words) if word.strip(".,;:!?").lower() not in KEPT]
        gone = {free[place] for place in rng.permutation(len(free))[: round(0.5 * dose * len(free))]}
        left = [word for place, word in enumerate(words) if place not in gone]
        if left:
            ended = " ".join(left).rstrip(".,;:!?") + (sentence[-1] if sentence[-1] in ".!?" else "")
            sentences.append(ended[:1].upper() + ended[1:])
    return " ".join(sentences)


def exchanged(text: str, *, dose: float, rng: np.random.Generator, concepts: Collection[str]) -> str:
    """Return the text with the first and the last concept exchanged in a share of the sentences that name two.

    Every word stays; who does what to whom does not.

    >>> exchanged("The moon pulls the sea.", dose=1, rng=np.random.default_rng(1), concepts=["moon", "sea"])
    'The sea pulls the moon.'
    """
    sentences = sentences_of(text)
    spans = [_ends(sentence, concepts) for sentence in sentences]
    able = [place for place, ends in enumerate(spans) if ends is not None]
    chosen = [able[place] for place in rng.permutation(len(able))[: round(dose * len(able))]]
    for place in chosen:
        ends = spans[place]
        assert ends is not None
        sentences[place] = _exchange(sentences[place], ends)
    return " ".join(sentences)


def _ends(sentence: str, concepts: Collection[str]) -> tuple[re.Match[str], re.Match[str]] | None:
    held = [found for found in WORD.finditer(sentence) if _names(found[0].lower(), concepts)]
    two = len(held) > 1 and held[0][0].lower() != held[-1][0].lower()
    return (held[0], held[-1]) if two else None


def _names(word: str, concepts: Collection[str]) -> bool:
    return any(form in concepts for form in (word, IRREGULAR.get(word, ""), word.removesuffix("s"), word[:-3] + "y"))


def _exchange(sentence: str, ends: Sequence[re.Match[str]]) -> str:
    first, last = ends
    one, other = first[0], last[0]
    if one[0].isupper():
        one, other = one.lower(), other.capitalize()
    between = sentence[first.end() : last.start()]
    return f"{sentence[: first.start()]}{other}{between}{one}{sentence[last.end() :]}"
