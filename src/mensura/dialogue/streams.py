"""Where chance comes from: one generator for each course, phase, session and stream of a seed."""

from dataclasses import dataclass
from secrets import randbits
from typing import NamedTuple
from zlib import crc32

import numpy as np

from mensura.errors import BadParameter


class Address(NamedTuple):
    """Which session of a run: its course, phase and number, and its item where every item is a dialogue of its own.

    Streams depend on nothing else, so neither the number of workers nor a probe put in between changes a result. The
    item is named by the hash of its content, so its place in a bank does not matter either.
    """

    course: int = 0
    phase: int = 0
    session: int = 0
    item: str = ""

    @property
    def place(self) -> str:
        """The address as a part of a session's id.

        >>> Address(session=3).place, Address(session=3, item="0a1b").place
        ('0.0.3', '0.0.3.0a1b')
        """
        return ".".join(str(part) for part in self if part != "")

    @property
    def numbers(self) -> tuple[int, ...]:
        """The address as numbers, for streams; without an item they are those of the first release."""
        return (self.course, self.phase, self.session, *((int(self.item, 16),) if self.item else ()))


@dataclass(frozen=True)
class Seed:
    """Where all chance of a run begins; secret unless the user gave it."""

    value: int
    public: bool

    @classmethod
    def choose(cls, given: int | None = None) -> "Seed":
        """Take the seed given, or draw a secret one of 128 bits that nobody can search for."""
        if given is not None and given < 0:
            raise BadParameter(f"A seed is a whole number from 0 up; got {given}.")
        return cls(randbits(128), public=False) if given is None else cls(given, public=True)


def generator(seed: int, address: Address = Address(), *, stream: str = "test") -> np.random.Generator:
    """Make the generator of one stream: "test", or the role of a subject.

    >>> a = generator(1, Address(session=3)).random()
    >>> a == generator(1, Address(session=3)).random(), a == generator(1, Address(session=4)).random()
    (True, False)
    """
    number = 0 if stream == "test" else 1 + crc32(stream.encode())
    sequence = np.random.SeedSequence(seed, spawn_key=(*address.numbers, number))
    return np.random.Generator(np.random.PCG64(sequence))
