"""Register: numbers under numbers, as arrays; unlike a dictionary it can be handed over without being counted."""

from typing import Any, NamedTuple

import numpy as np

from mensura.catalog.constraints.compiled.compiled import inlined, lean

Ints = np.ndarray[Any, Any]
ONE = np.uint64(1)
FREE = 0
"""The key of a free place."""


class Register(NamedTuple):
    """Keys at the place their hash names or the next that is free, and beside each what stands under it."""

    used: Ints
    """How many keys there are."""
    keys: Ints
    values: Ints


def make_register(room: int = 1024) -> Register:
    """Make an empty register with a power of two of places."""
    return Register(np.zeros(1, np.int64), np.zeros(room, np.int64), np.zeros(room, np.int64))


@lean
def mixed(code: Any, number: Any) -> Any:
    """Mix a number into a hash of 64 bits (splitmix64)."""
    word = np.uint64(code) + np.uint64(0x9E3779B97F4A7C15) * (np.uint64(number) + ONE)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64(word ^ (word >> np.uint64(31)))


@inlined
def place_of(register: Register, key: int) -> Any:
    """Return where a key stands, or where it would; keys are not `FREE`."""
    last = len(register.keys) - 1
    at = mixed(np.int64(0), key) & last
    while register.keys[at] != FREE and register.keys[at] != key:
        at = (at + 1) & last
    return at


@inlined
def enter(register: Register, at: int, key: int, value: int) -> None:
    """Enter a key at the free place that was found for it."""
    register.used[0] += 1
    register.keys[at], register.values[at] = key, value


@inlined
def has_room(register: Register, more: int) -> Any:
    """Return whether so many more keys leave half of all places free."""
    return 2 * (register.used[0] + more) <= len(register.keys)


@lean
def copy_register(old: Register, new: Register) -> None:
    """Enter all keys of one register in another."""
    for at in range(len(old.keys)):
        if old.keys[at] != FREE:
            enter(new, place_of(new, old.keys[at]), old.keys[at], old.values[at])


def widened_register(old: Register) -> Register:
    """Return a register with the same keys and twice the room."""
    new = make_register(2 * len(old.keys))
    copy_register(old, new)
    return new
