"""The demands of a predicate on its subject by WordNet: somebody, a thing, or nothing that WordNet says."""

from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np

from mensura.words.form import base_form, base_forms
from mensura.words.place import Arrays, kept
from mensura.words.taxonomy import taxonomy
from mensura.words.wordnet import find_wordnet, read_lines

Demand = Literal["somebody", "thing"]
SOMEBODY_FRAMES = frozenset((2, 7, 8, 9, *range(13, 34)))
"""Numbers of the frames of verbs in WordNet that begin with somebody; 3 and 34 begin with "it" and say nothing."""
THING_FRAMES = frozenset((1, 4, 5, 6, 10, 11, 12, 35))
SENSES = {"adj": 1, "verb": None}
"""How many senses of an adjective are looked at, the most frequent first; of a verb all, as none can be told apart."""
STATES_OF_LIVING = frozenset(("feeling", "physical condition", "pathological state", "psychological state"))
MATTER = frozenset(("substance", "artifact"))
LIVING = frozenset(("living thing", "person", "animal", "social group", "people"))


def demand_of(word: str) -> tuple[Demand, str] | None:
    """Return what a predicate demands of its subject and by what, None where WordNet says nothing.

    A verb demands what all frames of its senses begin with. An adjective demands somebody if what is derived
    from it is a feeling or a state of a body (pregnant: pregnancy), a thing if that is a substance or an artifact
    (carcinogenic: carcinogen). A noun that is a person demands somebody.
    """
    words = taxonomy()
    read = _read()
    if word in read["adjectives"]:
        states = [words.kinds_at(int(place), part="noun") for place in read["adjectives"][word]]
        if states and all(state & STATES_OF_LIVING for state in states):
            return "somebody", f"being {word} is a feeling or a state of a body"
        if states and all(state & MATTER and not state & LIVING for state in states):
            return "thing", f"what is {word} is a substance or an artifact"
        return None
    for form in base_forms(word, part="verb", words=words):
        frames = read["verbs"].get(form)
        if frames and frames <= SOMEBODY_FRAMES:
            return "somebody", f"all frames of {form} in WordNet begin with somebody"
        if frames and frames <= THING_FRAMES:
            return "thing", f"all frames of {form} in WordNet begin with something"
        if frames:
            return None
    return None


def demand_of_noun(word: str) -> tuple[Demand, str] | None:
    """Return what being a noun demands: who is a winner is somebody."""
    words = taxonomy()
    form = base_form(word, part="noun", words=words)
    kinds = words.kinds(form, part="noun") if form else []
    if kinds and all("person" in kind for kind in kinds):
        return "somebody", f"a {form} is a person"
    return None


def meets(word: str, demand: Demand) -> bool | None:
    """Return whether a noun can be what is demanded, by any of its familiar senses; None where it is unknown."""
    words = taxonomy()
    form = base_form(word, part="noun", words=words)
    if form is None:
        return None
    living = [bool(kind & LIVING) for kind in words.kinds(form, part="noun")]
    return any(living) if demand == "somebody" else not all(living)


@cache
def _read() -> dict[str, dict[str, frozenset[int]]]:
    arrays = kept(find_wordnet(), "demands-3", _read_files)
    found: dict[str, dict[str, frozenset[int]]] = {}
    for name in ("adjectives", "verbs"):
        rows: dict[str, set[int]] = defaultdict(set)
        for word, number in zip(arrays[f"{name}_words"].tolist(), arrays[f"{name}_numbers"].tolist(), strict=True):
            rows[word].add(number)
        found[name] = {word: frozenset(numbers) for word, numbers in rows.items()}
    return found


def _read_files(data_noun: Path) -> Arrays:
    folder = data_noun.parent
    nouns = {line.split(maxsplit=1)[0]: place for place, line in enumerate(read_lines(folder / "data.noun"))}
    adjectives: list[tuple[str, int]] = []
    for word, lines in _senses(folder, "adj").items():
        places = {
            nouns[offset]
            for line in lines
            for symbol, offset, part, ends in _pointers(line)
            if symbol == "+" and part == "n" and _spelled(line, int(ends[:2], 16)) == word
        }
        adjectives += [(word, place) for place in places]
    verbs: list[tuple[str, int]] = []
    for word, lines in _senses(folder, "verb").items():
        verbs += [(word, frame) for line in lines for frame in _frames(line, word)]
    return {
        "adjectives_words": np.array([word for word, _ in adjectives]),
        "adjectives_numbers": np.array([place for _, place in adjectives]),
        "verbs_words": np.array([word for word, _ in verbs]),
        "verbs_numbers": np.array([frame for _, frame in verbs]),
    }


def _senses(folder: Path, part: str) -> dict[str, list[list[str]]]:
    """Return for every single word the lines of its first senses, in fields."""
    lines = {
        fields[0]: fields for fields in (line.split(" | ")[0].split() for line in read_lines(folder / f"data.{part}"))
    }
    found = {}
    for line in read_lines(folder / f"index.{part}"):
        fields = line.split()
        if "_" not in fields[0]:
            found[fields[0]] = [lines[offset] for offset in fields[-int(fields[2]) :][: SENSES[part]]]
    return found


def _pointers(fields: list[str]) -> list[tuple[str, str, str, str]]:
    start = 4 + 2 * int(fields[3], 16)
    rest = fields[start + 1 : start + 1 + 4 * int(fields[start])]
    return list(zip(rest[0::4], rest[1::4], rest[2::4], rest[3::4], strict=True))


def _spelled(fields: list[str], number: int) -> str:
    return fields[4 + 2 * (number - 1)].partition("(")[0].lower() if number else ""


def _frames(fields: list[str], word: str) -> list[int]:
    start = 4 + 2 * int(fields[3], 16)
    after = start + 1 + 4 * int(fields[start])
    rest = fields[after + 1 :]
    return [
        int(frame)
        for _, frame, which in zip(rest[0::3], rest[1::3], rest[2::3], strict=True)
        if which == "00" or _spelled(fields, int(which, 16)) == word
    ]
