"""Packed: things that lie in a temporary file and are made when they are asked for; Places: where names stand."""

import os
import pickle
from array import array
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from tempfile import TemporaryFile
from threading import Lock
from typing import Any, TypeVar, overload

import numpy as np

Thing = TypeVar("Thing")

WRITTEN_AT_ONCE = 1 << 16


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


class Places:
    """Where things of some names stand in a row; each takes sixteen bytes, whatever its name.

    Names are known by digests: who looks one up sees by what stands there whether it is meant.

    >>> places = Places(["b", "a", "b"])
    >>> list(places.of("b")), list(places.of("c")), places.repeated
    ([0, 2], [], [0, 2])
    """

    def __init__(self, names: Iterable[str]) -> None:
        digests = np.frombuffer(array("Q", map(_digest, names)), dtype=np.uint64)
        self._order = np.argsort(digests, kind="stable")
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
