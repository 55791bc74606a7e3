"""Sentences of a text: taken apart, put in another order, split and joined."""

import re
from collections.abc import Sequence

import numpy as np

END = re.compile(r"(?<=[.!?])\s+")
CLAUSE = re.compile(r", (and|but|so) (?=(?:the|a|an|it|he|she|they|we|i|each|nobody|some|its|their|his|her)\b)", re.I)
"""Where a sentence of two clauses can be split: a comma, a conjunction, and what a clause begins with."""


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text.

    >>> sentences_of("The dam broke. Was it old? Yes.")
    ['The dam broke.', 'Was it old?', 'Yes.']
    """
    return [sentence.strip() for sentence in END.split(text.strip()) if sentence.strip()]


def reordered(text: str, *, dose: float, rng: np.random.Generator) -> str:
    """Return the text with a share of its sentences in another order among themselves."""
    sentences = sentences_of(text)
    count = round(dose * len(sentences))
    if count < 2:
        return text
    places = np.sort(rng.permutation(len(sentences))[:count])
    moved = rng.permutation(places)
    while (moved == places).all():
        moved = rng.permutation(places)
    changed = list(sentences)
    for place, source in zip(places, moved, strict=True):
        changed[place] = sentences[source]
    return " ".join(changed)


def split(text: str, *, dose: float, rng: np.random.Generator) -> str:
    """Return the text with a share of its sentences of two clauses made two sentences; no word but `and` is lost.

    >>> split("The dam broke, so the mill flooded.", dose=1, rng=np.random.default_rng(1))
    'The dam broke. So the mill flooded.'
    """
    return " ".join(part for sentence in sentences_of(text) for part in _parts(sentence, dose=dose, rng=rng))


def _parts(sentence: str, *, dose: float, rng: np.random.Generator) -> Sequence[str]:
    found = CLAUSE.search(sentence)
    if found is None or rng.random() >= dose:
        return [sentence]
    word = found[1].lower()
    rest = sentence[found.end() :]
    second = _capital(rest) if word == "and" else f"{word.capitalize()} {rest}"
    return [f"{sentence[: found.start()]}.", second]


def joined(text: str, *, dose: float, rng: np.random.Generator) -> str:
    """Return the text with a share of its neighbouring sentences joined by `and`, each with one neighbour at most.

    >>> joined("The dam broke. The mill flooded.", dose=1, rng=np.random.default_rng(1))
    'The dam broke, and the mill flooded.'
    """
    sentences, made = sentences_of(text), list[str]()
    place = 0
    while place < len(sentences):
        pair = sentences[place : place + 2]
        if len(pair) == 2 and pair[0].endswith(".") and rng.random() < dose:
            made.append(f"{pair[0][:-1]}, and {_small(pair[1])}")
            place += 2
        else:
            made.append(pair[0])
            place += 1
    return " ".join(made)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _small(words: str) -> str:
    first = words.split(maxsplit=1)[0]
    return words if first == "I" or first.isupper() else words[:1].lower() + words[1:]
