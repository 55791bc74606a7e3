"""Packed: things that lie in a temporary file until they are asked for; Names: hashes as numbers; Places: of names."""

import operator
import os
import pickle
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import chain, islice
from tempfile import TemporaryFile
from threading import Lock
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

Thing = TypeVar("Thing")

WRITTEN_AT_ONCE = 1 << 16
BLOCK = 4096
is_short_hash = re.compile("[0-9a-f]{16}").fullmatch


class Packed(Sequence[Thing]):
    """Things in the order in which they are appended, each of which takes eight bytes of memory.

    A bank of a hundred thousand items as objects takes a hundred megabytes, and a run looks at a few at a time.
    """

    def __init__(self, things: Iterable[Thing] = ()) -> None:
        # It has no name that anyone could open, and is gone with the last who holds it.
        self._file = TemporaryFile(prefix="mensura-", buffering=0)  # noqa: SIM115
        self._flushed = 0
        self._written = bytearray()
        self._starts = array("q", [0])
        self._kept: dict[int, Thing] = {}
        self._writing = Lock()
        for thing in things:
            self.append(thing)

    def append(self, thing: Thing) -> None:
        """Put a thing behind the others."""
        try:
            self._written += pickle.dumps(thing, protocol=pickle.HIGHEST_PROTOCOL)
        except (pickle.PicklingError, AttributeError, TypeError):
            # An answer space that was defined in a function, or whose module was loaded again since.
            self._kept[len(self)] = thing
        self._starts.append(self._flushed + len(self._written))
        if len(self._written) >= WRITTEN_AT_ONCE:
            self._flush()

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, place: int) -> Thing: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Thing]: ...
    def __getitem__(self, place: int | slice) -> Thing | Sequence[Thing]:
        if isinstance(place, slice):
            return Chosen(self, array("q", range(*place.indices(len(self)))))
        place = range(len(self))[place]
        if place in self._kept:
            return self._kept[place]
        if self._written:
            self._flush()
        start = self._starts[place]
        return pickle.loads(os.pread(self._file.fileno(), self._starts[place + 1] - start, start))  # type: ignore[no-any-return]

    def __reduce__(self) -> tuple[Any, ...]:
        return Packed, (list(self),)

    def _flush(self) -> None:
        # Sessions that run side by side may look at the last ones at the same moment.
        with self._writing:
            while self._written:
                done = os.pwrite(self._file.fileno(), self._written, self._flushed)
                self._flushed += done
                del self._written[:done]


class Chosen(Sequence[Thing]):
    """Some of other things, by their places."""

    def __init__(self, things: Sequence[Thing], places: "array[int]") -> None:
        self._things = things
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> Thing: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Thing]: ...
    def __getitem__(self, place: int | slice) -> Thing | Sequence[Thing]:
        if isinstance(place, slice):
            return Chosen(self._things, self._places[place])
        return self._things[self._places[place]]


class NumberColumn:
    """Numbers in the order in which they are appended, in blocks: an array that grows leaves holes in memory.

    Parameters
    ----------
    kind
        Of which type they are, as `array` names it.
    """

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._blocks: list[array[Any]] = []
        self._count = 0

    def append(self, number: Any) -> None:
        """Put a number behind the others."""
        block, place = divmod(self._count, BLOCK)
        if not place:
            self._blocks.append(array(self._kind, [0]) * BLOCK)
        self._blocks[block][place] = number
        self._count += 1

    def extend(self, numbers: NDArray[Any]) -> None:
        """Put an array of numbers into a column that is still empty."""
        for begin in range(0, len(numbers), BLOCK):
            block = numbers[begin : begin + BLOCK].astype(self._kind)
            self._blocks.append(array(self._kind, block.tobytes() + bytes(block.itemsize * (BLOCK - len(block)))))
        self._count = len(numbers)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, place: int) -> Any:
        block, place = divmod(range(self._count)[place], BLOCK)
        return self._blocks[block][place]

    def __iter__(self) -> Iterator[Any]:
        return islice(chain.from_iterable(self._blocks), self._count)

    def together(self) -> NDArray[Any]:
        """Return a copy of all numbers as one array."""
        return np.concatenate([np.array([], dtype=self._kind), *self._blocks])[: self._count]


class Names(Sequence[str]):
    """Names in the order in which they are appended, in nine bytes each: short hashes as numbers, other names once.

    As a text a hash takes seventy bytes, and a run of a hundred thousand items has several such lists.

    >>> names = Names(["00000000000000ff", "q1", "0000000000000010", "q1"])
    >>> each, codes = names.ranked()
    >>> names[3], list(each), codes.tolist()
    ('q1', ['0000000000000010', '00000000000000ff', 'q1'], [1, 2, 0, 2])
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._numbers = NumberColumn("Q")
        self._is_word = NumberColumn("B")
        self._words: dict[str, int] = {}
        self._each_word: list[str] = []
        for name in names:
            self.append(name)

    def append(self, name: str) -> None:
        """Put a name behind the others."""
        word = is_short_hash(name) is None
        self._is_word.append(word)
        if word and name not in self._words:
            self._words[name] = len(self._each_word)
            self._each_word.append(name)
        self._numbers.append(self._words[name] if word else int(name, 16))

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return [self[one] for one in range(len(self))[place]]
        number = self._numbers[place]
        return self._each_word[number] if self._is_word[place] else f"{number:016x}"

    def __iter__(self) -> Iterator[str]:
        for number, word in zip(self._numbers, self._is_word, strict=True):
            yield self._each_word[number] if word else f"{number:016x}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Names | list) and len(self) == len(other) and all(map(operator.eq, self, other))

    __hash__ = None  # type: ignore[assignment]

    def data(self) -> list[str]:
        """Return the names as JSON has them."""
        return list(self)

    @property
    def are_hashes(self) -> bool:
        """Return whether every name is a short hash."""
        return not self._each_word

    def each(self) -> Iterator[str]:
        """Go through the names in their order, each once."""
        if not self.are_hashes:
            return iter(sorted(set(self)))
        # `np.unique` would first put them into a table that is ten times as large.
        numbers = np.sort(self._numbers.together())
        again = np.append(False, numbers[1:] == numbers[:-1])[: len(numbers)]
        return (f"{number:016x}" for number in numbers[~again])

    def ranked(self) -> "tuple[Names, NDArray[np.int64]]":
        """Return each name once, sorted, and for each place which of them stands there."""
        if self.are_hashes:
            # Hashes, being of one length, are in the order of their numbers.
            numbers = self._numbers.together()
            order = np.argsort(numbers)
            numbers = numbers[order]
            again = np.append(False, numbers[1:] == numbers[:-1])[: len(numbers)]
            codes = np.empty(len(order), dtype=np.int64)
            codes[order] = np.cumsum(~again)
            codes -= 1
            found = Names()
            found._numbers.extend(numbers[~again])
            found._is_word.extend(np.zeros(len(found._numbers)))
            return found, codes
        names = sorted(self._each_word if all(self._is_word) else set(self))
        at = {name: place for place, name in enumerate(names)}
        return Names(names), np.fromiter(map(at.__getitem__, self), dtype=np.int64, count=len(self))


class Places:
    """The places of named things in a row; each takes twelve bytes, whatever its name.

    Names are known by digests: who looks one up sees by what stands there whether it is meant.

    >>> places = Places(["b", "a", "b"])
    >>> list(places.of("b")), list(places.of("c")), places.repeated
    ([0, 2], [], [0, 2])
    """

    def __init__(self, names: Iterable[str]) -> None:
        digests = np.frombuffer(array("Q", map(_digest, names)), dtype=np.uint64)
        # Four bytes are enough for four milliards of things.
        self._order = np.argsort(digests, kind="stable").astype(np.uint32)
        self._digests = digests[self._order]

    def of(self, name: str) -> Iterator[int]:
        """Go through the places at which this name may stand, the first first."""
        place = int(self._digests.searchsorted(_digest(name)))
        while place < len(self._digests) and self._digests[place] == _digest(name):
            yield int(self._order[place])
            place += 1

    @property
    def repeated(self) -> list[int]:
        """The places of what may stand there twice, in order."""
        again = self._digests[1:] == self._digests[:-1]
        found = self._order[:-1][again].tolist() + self._order[1:][again].tolist()
        return sorted(set(found))


def _digest(name: str) -> int:
    return int.from_bytes(blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
