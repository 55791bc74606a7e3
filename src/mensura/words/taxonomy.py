"""Lin's similarity: how alike two nouns or two verbs are by what WordNet says both are, and how often it is met."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal

import numpy as np

from mensura.errors import BadParameter
from mensura.words.place import Arrays, kept
from mensura.words.wordnet import FILES, find_wordnet, read_lines, read_version

Part = Literal["noun", "verb"]
PARTS: tuple[Part, ...] = ("noun", "verb")
ENTIRE = "anything"
"""The name of what all senses have in common where the files name nothing: verbs have many roots."""


@dataclass(frozen=True)
class CommonGround:
    """The common part of two words: the nearest common ancestor, the senses that lead to it, and Lin's similarity."""

    name: str
    senses: tuple[str, str]
    similarity: float

    def as_json(self) -> dict[str, Any]:
        """Return it for a machine."""
        return {"generic": self.name, "senses": list(self.senses), "lin": self.similarity}


@cache
def taxonomy(counts: str = "") -> "Taxonomy":
    """Return the installed WordNet as a taxonomy; information from the counts of its senses, or from another file.

    Parameters
    ----------
    counts
        A file of lines `word part count` (part: noun or verb); each count is shared by the senses of its word.
    """
    found = find_wordnet()
    read = kept(found, "taxonomy-2", read_taxonomy)
    return Taxonomy(read, counts=read_counts(Path(counts)) if counts else None)


class Taxonomy:
    r"""Nouns and verbs under what they are kinds of.

    Lin's similarity of two words is the greatest over their senses of
    :math:`2\,IC(c) / (IC(s) + IC(t))`, where c is the most informative sense above both and
    :math:`IC = -\log p`, p the share of all counted words at or under it; each sense counts once more than it was met.
    """

    def __init__(self, arrays: Arrays, *, counts: Mapping[tuple[str, str], float] | None = None) -> None:
        self.version = f"WordNet {arrays['version']}"
        self.hash = str(arrays["hash"])
        self.met = str(arrays["met"])
        self._names = arrays["names"]
        self._parts = {part: _Part(arrays, part, counts) for part in PARTS}
        self._counts: dict[str, dict[str, int]] = {
            part: dict(zip(arrays[f"{part}_listed"].tolist(), arrays[f"{part}_met"].tolist(), strict=True))
            for part, _ in FILES
        }
        if counts is not None:
            self.met = "another count file"

    def knows(self, word: str, part: Part) -> bool:
        """Return whether a word is in WordNet as this part of speech."""
        return word in self._parts[part].places

    def count(self, word: str, part: str) -> int:
        """Return how often a word was met as noun, verb, adj or adv; -1 if it is not known as such."""
        return self._counts[part].get(word, -1)

    def similarities(self, first: Sequence[str], second: Sequence[str], *, part: Part) -> Any:
        """Return Lin's similarity of every word of one list with every word of another; NaN where one is unknown."""
        from mensura.words.lin import lin_matrix

        held = self._parts[part]
        one, other = held.lists(first), held.lists(second)
        found = lin_matrix(*one, *other, held.information)
        rows = np.array([word in held.places for word in first], dtype=bool)
        columns = np.array([word in held.places for word in second], dtype=bool)
        found[~rows] = np.nan
        found[:, ~columns] = np.nan
        for place, word in enumerate(first):
            if rows[place]:
                found[place, [at for at, other in enumerate(second) if other == word]] = 1.0
        return found

    def common(self, one: str, other: str, *, part: Part) -> CommonGround | None:
        """Return the common ground of two words in the senses that are most alike, None where a word is unknown."""
        found = self.readings(one, other, part=part)
        return found[0] if found else None

    def readings(self, one: str, other: str, *, part: Part) -> list[CommonGround]:
        """Return the common ground of every pair of senses of two words, the most alike first."""
        held = self._parts[part]
        found: list[tuple[float, int, int, CommonGround]] = []
        for place, left in enumerate(held.senses_of(one)):
            for at, right in enumerate(held.senses_of(other)):
                above = np.intersect1d(held.above(left), held.above(right), assume_unique=True)
                information = held.information[above]
                best = float(information.max()) if above.size else 0.0
                whole = float(held.information[left] + held.information[right])
                alike = 1.0 if left == right else (2 * best / whole if whole else 0.0)
                name = self._name(held, int(above[information.argmax()])) if above.size else ENTIRE
                senses = (self._name(held, left), self._name(held, right))
                found.append((-alike, place, at, CommonGround(name, senses, alike)))
        return [ground for *_, ground in sorted(found, key=lambda row: row[:3])]

    def kinds(self, word: str, *, part: Part) -> list[frozenset[str]]:
        """Return for each familiar sense of a word the names of all that it is; the first sense where none was met."""
        held = self._parts[part]
        senses = held.senses_of(word)
        met = [sense for sense in senses if held.tally[sense] > 0] or senses[:1]
        return [frozenset(self._name(held, int(above)) for above in held.above(sense)) for sense in met]

    def kinds_at(self, place: int, *, part: Part) -> frozenset[str]:
        """Return the names of all that one sense is, by its place in the files."""
        held = self._parts[part]
        return frozenset(self._name(held, int(above)) for above in held.above(place))

    def _name(self, held: "_Part", sense: int) -> str:
        return str(self._names[held.first + sense])


class _Part:
    """The senses of one part of speech: ancestors in sorted runs, information, and the senses of every word."""

    def __init__(self, arrays: Arrays, part: Part, counts: Mapping[tuple[str, str], float] | None) -> None:
        self.part = part
        self.first = int(arrays[f"{part}_first"])
        self.words: list[str] = arrays[f"{part}_words"].tolist()
        self.senses, self.sense_start = arrays[f"{part}_senses"], arrays[f"{part}_sense_start"]
        self.ancestors, self.ancestor_start = arrays[f"{part}_ancestors"], arrays[f"{part}_ancestor_start"]
        self.tally = arrays[f"{part}_tally"]
        own = self.tally.astype(float) + 1 if counts is None else self._shared(counts) + 1
        total = np.zeros(len(own))
        run = np.repeat(np.arange(len(own)), np.diff(self.ancestor_start))
        np.add.at(total, self.ancestors, own[run])
        self.information = -np.log(total / own.sum())
        # A root that is above everything says nothing: rounding must not make it say less.
        self.information[self.information < 0] = 0.0
        self._lists: dict[str, tuple[Any, Any]] = {}

    @cached_property
    def places(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.words)}

    def senses_of(self, word: str) -> list[int]:
        place = self.places.get(word)
        if place is None:
            return []
        found: list[int] = self.senses[self.sense_start[place] : self.sense_start[place + 1]].tolist()
        return found

    def above(self, sense: int) -> Any:
        """Return a sense and all above it, sorted."""
        return self.ancestors[self.ancestor_start[sense] : self.ancestor_start[sense + 1]]

    def lists(self, words: Sequence[str]) -> tuple[Any, Any, Any]:
        """Return for each word all that its senses are, sorted, with the least information of a sense under each."""
        runs = [self._list(word) for word in words]
        start = np.cumsum([0, *(len(one) for one, _ in runs)]).astype(np.int64)
        if not runs:
            return np.zeros(0, np.int32), np.zeros(0), start
        return np.concatenate([one for one, _ in runs]), np.concatenate([least for _, least in runs]), start

    def _list(self, word: str) -> tuple[Any, Any]:
        if word not in self._lists:
            least: dict[int, float] = {}
            for sense in self.senses_of(word):
                held = float(self.information[sense])
                for above in self.above(sense).tolist():
                    least[above] = min(held, least.get(above, held))
            order = sorted(least)
            self._lists[word] = (np.array(order, dtype=np.int32), np.array([least[one] for one in order], dtype=float))
        return self._lists[word]

    def _shared(self, counts: Mapping[tuple[str, str], float]) -> Any:
        shared = np.zeros(len(self.tally))
        for (word, part), count in counts.items():
            senses = self.senses_of(word) if part == self.part else []
            for sense in senses:
                shared[sense] += count / len(senses)
        return shared


def read_counts(file: Path) -> dict[tuple[str, str], float]:
    """Read how often words were met, a line `word part count` each."""
    found: dict[tuple[str, str], float] = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            word, part, count = line.split()
            if part not in PARTS or not float(count) >= 0:
                raise ValueError
        except ValueError:
            raise BadParameter(
                f"Line {number} of {file} is {line!r}; a line is a word, noun or verb, and a count of 0 or more."
            ) from None
        found[word.lower(), part] = float(count)
    return found


def read_taxonomy(data_noun: Path) -> Arrays:
    """Read nouns and verbs, what each sense is a kind of, and how often it was met, into arrays."""
    folder = data_noun.parent
    digest = blake2b(digest_size=8)
    names: list[str] = []
    found: Arrays = {"version": np.array(read_version(data_noun))}
    tally, met = _tally(folder)
    for part in PARTS:
        file = folder / f"data.{part}"
        digest.update(file.read_bytes())
        found |= _read_part(folder, part, names, tally)
    for name, _ in FILES:
        listed = sorted(word for word in _listed(folder / f"index.{name}") if "_" not in word)
        found[f"{name}_listed"] = np.array(listed)
        found[f"{name}_met"] = np.array([sum(tally.get((word, name), {}).values()) for word in listed], dtype=np.int64)
    return found | {"names": np.array(names), "hash": np.array(digest.hexdigest()), "met": np.array(met)}


def _listed(file: Path) -> Iterable[str]:
    return (line.split(maxsplit=1)[0] for line in read_lines(file))


def _read_part(
    folder: Path, part: Part, names: list[str], tally: Mapping[tuple[str, str], Mapping[int, int]]
) -> Arrays:
    place: dict[str, int] = {}
    parents: list[list[str]] = []
    first = len(names)
    for line in read_lines(folder / f"data.{part}"):
        fields = line.split(" | ")[0].split()
        count = int(fields[3], 16)
        rest = fields[5 + 2 * count :]
        place[fields[0]] = len(parents)
        names.append(fields[4].replace("_", " "))
        parents.append([to for sign, to in zip(rest[0::4], rest[1::4], strict=False) if sign in ("@", "@i")])
    above = _ancestors([[place[to] for to in one] for one in parents])
    own = np.zeros(len(parents), dtype=np.int64)
    senses: dict[str, list[int]] = {}
    for line in read_lines(folder / f"index.{part}"):
        fields = line.split()
        word, count = fields[0], int(fields[2])
        held = [place[offset] for offset in fields[-count:]]
        for number, times in tally.get((word, part), {}).items():
            if number <= len(held):
                own[held[number - 1]] += times
        if "_" not in word:
            senses[word] = held
    words = sorted(senses)
    return {
        f"{part}_first": np.array(first),
        f"{part}_words": np.array(words),
        f"{part}_senses": np.array([sense for word in words for sense in senses[word]], dtype=np.int32),
        f"{part}_sense_start": np.cumsum([0, *(len(senses[word]) for word in words)]).astype(np.int32),
        f"{part}_ancestors": np.array([one for run in above for one in run], dtype=np.int32),
        f"{part}_ancestor_start": np.cumsum([0, *(len(run) for run in above)]).astype(np.int64),
        f"{part}_tally": own,
    }


def _ancestors(parents: Sequence[Iterable[int]]) -> list[list[int]]:
    """Return for every sense itself and all above it, sorted; a loop in the files ends where it began."""
    found = []
    for sense in range(len(parents)):
        reached, waiting = {sense}, [sense]
        while waiting:
            for above in parents[waiting.pop()]:
                if above not in reached:
                    reached.add(above)
                    waiting.append(above)
        found.append(sorted(reached))
    return found


def _tally(folder: Path) -> tuple[dict[tuple[str, str], dict[int, int]], str]:
    """Return how often each numbered sense of a word was met, and from which file; empty where none is installed."""
    numbers = {str(at + 1): name for at, (name, _) in enumerate(FILES)}
    for name in ("cntlist.rev", "index.sense"):
        file = folder / name
        if file.exists():
            found: dict[tuple[str, str], dict[int, int]] = defaultdict(dict)
            for line in read_lines(file):
                key, *rest = line.split()
                word, _, where = key.partition("%")
                # 5 is an adjective that belongs to another.
                part = numbers.get(where[0].replace("5", "3"))
                if part and int(rest[-1]):
                    held = found[word, part]
                    held[int(rest[-2])] = held.get(int(rest[-2]), 0) + int(rest[-1])
            return found, name
    return {}, "no counts are installed: every sense once"
