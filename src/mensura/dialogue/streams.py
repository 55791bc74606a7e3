"""Where chance comes from: one generator for each course, phase, session and stream of a seed."""

from dataclasses import dataclass
from hashlib import blake2b
from numbers import Integral
from secrets import randbits
from typing import NamedTuple
from zlib import crc32

import numpy as np

from mensura.errors import BadParameter

SPAWNED = "spawned"
"""How runs of the first release derived the streams of subjects: such a generator gives the seed away."""
KEYED = "keyed-1"
"""How they are derived now: by a keyed hash of the address and the role, from which nothing leads back."""


class Address(NamedTuple):
    """The address of a session in a run: its course, phase and number, and item where each is a separate dialogue.

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
        whole = isinstance(given, Integral) and not isinstance(given, bool)
        if given is not None and (not whole or given < 0):
            raise BadParameter(f"A seed is a whole number of at least 0; got {given!r}.")
        return cls(randbits(128), public=False) if given is None else cls(int(given), public=True)


def generator(seed: int, address: Address = Address(), *, stream: str = "test") -> np.random.Generator:
    """Make the generator of one stream of our own: the test's, or one by which people are assigned.

    It gives its seed away (`bit_generator.seed_seq`), so no subject is handed one; `subject_generator` makes theirs.

    >>> a = generator(1, Address(session=3)).random()
    >>> a == generator(1, Address(session=3)).random(), a == generator(1, Address(session=4)).random()
    (True, False)
    """
    number = 0 if stream == "test" else 1 + crc32(stream.encode())
    sequence = np.random.SeedSequence(seed, spawn_key=(*address.numbers, number))
    return np.random.Generator(np.random.PCG64(sequence))


def subject_generator(seed: int, address: Address, role: str, *, derivation: str = KEYED) -> np.random.Generator:
    """Make the generator that a subject is handed: it leads neither to the seed nor to any other stream.

    >>> own = subject_generator(1, Address(), "subject")
    >>> own.random() == subject_generator(1, Address(), "subject").random()
    True
    """
    if derivation == SPAWNED:
        return generator(seed, address, stream=role)
    if derivation != KEYED:
        raise BadParameter(f"The streams of this run are of a newer Mensura ({derivation!r}). Upgrade to it.")
    # Keys of a hash are short; a seed that a user gave may have any length.
    key = blake2b(str(seed).encode(), person=b"mensura seed").digest()
    place = "\x1f".join([*map(str, address), role])
    own = blake2b(place.encode(), key=key, digest_size=32, person=b"mensura subject").digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(own, "big")))


def part(rng: np.random.Generator, count: int) -> list[np.random.Generator]:
    """Part a subject's generator among the members of a group, so that none leads to another's."""
    if rng.bit_generator.seed_seq.spawn_key:  # type: ignore[attr-defined]
        # A run of the first release goes on as it began.
        return rng.spawn(count)
    return [child(rng) for _ in range(count)]


def child(rng: np.random.Generator) -> np.random.Generator:
    """Make a generator of another's next draws, from which nothing leads back to it."""
    own = blake2b(rng.bytes(32), digest_size=32, person=b"mensura child").digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(own, "big")))


def seed_mark(seed: int) -> str:
    """Name a seed without telling it: runs of one seed have one mark. Secret seeds are too long to be searched for."""
    return blake2b(str(seed).encode(), digest_size=16, person=b"mensura mark").hexdigest()
