"""Post: letters as arrays, in a chain for each reader; two sides take turns, one read while the other is written."""

from typing import Any, NamedTuple

import numpy as np

from mensura.catalog.constraints.compiled.compiled import inlined, lean

Ints = np.ndarray[Any, Any]


SLOTS_SHORT, LETTERS_SHORT, PARTS_SHORT, NOGOODS_SHORT, REGISTERS_SHORT, CURVE = range(1, 7)
"""What there is too little room for."""
CYCLES, MESSAGES, CHECKS = range(3)
LIMITS = ("cycles", "messages", "checks")
QUIET, STOPPED = 10, 11


NEXT, SENDER, SLOT, KIND, FIRST, SECOND, CLOCK = range(7)
"""Columns of a letter: the next one for its reader; who sent it; where the reader keeps what it knows of the sender, or
-1; its kind; and what most letters say, a value and a priority, or where their parts begin and how many there are."""


class Postbag(NamedTuple):
    """Postbag of the cycle that is read, and of the next."""

    used: Ints
    """How many letters and how many parts each side holds."""
    head: Ints
    """Side and reader → the first letter for it, or -1."""
    tail: Ints
    data: Ints
    """Side, letter and column → what stands in it: a letter lies in one place, or reading it would cost a wait for each
    column. After `CLOCK` come the sender's clocks, one for each latency."""
    parts: Ints
    """Side, part and column → what longer letters say."""


class RunCounts(NamedTuple):
    """What is counted for each agent."""

    sent: Ints
    """By kind."""
    received: Ints
    size: Ints
    checks: Ints
    wakings: Ints
    clock: Ints
    """By latency."""
    nogoods: Ints
    links: Ints
    obsolete: Ints


COUNTED = ("received", "size", "checks", "wakings", "nogoods", "links", "obsolete")


def make_letters(agents: int, *, room: int, parts: int, latencies: int) -> Postbag:
    """Make room for letters."""
    return Postbag(
        np.zeros((2, 2), np.int64),
        np.full((2, agents), -1, np.int64),
        np.full((2, agents), -1, np.int64),
        np.zeros((2, room, CLOCK + latencies), np.int64),
        np.zeros((2, parts, 3), np.int64),
    )


def make_counts(agents: int, *, kinds: int, latencies: int) -> RunCounts:
    """Begin to count."""
    flat = {name: np.zeros(agents, np.int64) for name in COUNTED}
    clock, sent = (np.zeros((agents, columns), np.int64) for columns in (latencies, kinds))
    return RunCounts(sent=sent, clock=clock, **flat)


def widened(arrays: Any, names: tuple[str, ...], *, axis: int) -> Any:
    """Double the room of some arrays along an axis."""
    changed = {}
    for name in names:
        old = getattr(arrays, name)
        shape = list(old.shape)
        shape[axis] *= 2
        new = np.zeros(shape, old.dtype)
        new[tuple(slice(size) for size in old.shape)] = old
        changed[name] = new
    return arrays._replace(**changed)


@lean
def bit_count(mask: Any) -> Any:
    """Return how many bits of a word are set."""
    one = mask - ((mask >> np.uint64(1)) & np.uint64(0x5555555555555555))
    one = (one & np.uint64(0x3333333333333333)) + ((one >> np.uint64(2)) & np.uint64(0x3333333333333333))
    one = (one + (one >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((one * np.uint64(0x0101010101010101)) >> np.uint64(56))


@inlined
def write(
    letters: Postbag,
    counts: RunCounts,
    side: int,
    me: int,
    to: int,
    slot: int,
    kind: int,
    first: int,
    second: int,
    spent: int,
) -> None:
    """Write a letter that is read in the next cycle; it carries the checks done before it."""
    letter = letters.used[side, 0]
    letters.used[side, 0] += 1
    letters.data[side, letter, SENDER] = me
    letters.data[side, letter, SLOT] = slot
    letters.data[side, letter, KIND] = kind
    letters.data[side, letter, FIRST] = first
    letters.data[side, letter, SECOND] = second
    letters.data[side, letter, NEXT] = -1
    for latency in range(counts.clock.shape[1]):
        letters.data[side, letter, CLOCK + latency] = counts.clock[me, latency] + spent
    if letters.head[side, to] < 0:
        letters.head[side, to] = letter
    else:
        letters.data[side, letters.tail[side, to], NEXT] = letter
    letters.tail[side, to] = letter


@inlined
def put(
    letters: Postbag,
    counts: RunCounts,
    side: int,
    me: int,
    to: int,
    slot: int,
    kind: int,
    first: int,
    second: int,
    spent: int,
    size: int,
) -> None:
    """Write a letter and count it."""
    write(letters, counts, side, me, to, slot, kind, first, second, spent)
    counts.sent[me, kind] += 1
    counts.size[me] += size


@inlined
def receive(letters: Postbag, counts: RunCounts, latencies: Ints, side: int, me: int) -> None:
    """Move a reader's clocks to what its letters say, and count them."""
    counts.wakings[me] += 1
    letter = letters.head[side, me]
    while letter >= 0:
        counts.received[me] += 1
        for latency in range(len(latencies)):
            told = letters.data[side, letter, CLOCK + latency] + latencies[latency]
            if told > counts.clock[me, latency]:
                counts.clock[me, latency] = told
        letter = letters.data[side, letter, NEXT]


@inlined
def spend(counts: RunCounts, me: int, checks: int) -> None:
    """Count the checks of a waking."""
    counts.checks[me] += checks
    for latency in range(counts.clock.shape[1]):
        counts.clock[me, latency] += checks


@lean
def clear(letters: Postbag, side: int) -> None:
    """Throw away what was read."""
    letters.used[side, 0] = letters.used[side, 1] = 0
    letters.head[side, :] = -1


@lean
def is_over(stopped: Ints, letters: Postbag, counts: RunCounts, limits: Ints, at: Ints) -> bool:
    """Begin the next cycle, or say that there is none; the order of questions is the mailman's."""
    if stopped.any():
        at[3] = STOPPED
    elif letters.used[1 - at[1], 0] == 0:
        at[3] = QUIET
    elif at[0] >= limits[CYCLES]:
        at[3] = CYCLES
    elif counts.sent.sum() >= limits[MESSAGES]:
        at[3] = MESSAGES
    elif counts.checks.sum() >= limits[CHECKS]:
        at[3] = CHECKS
    else:
        at[0] += 1
        at[1] = 1 - at[1]
        return False
    return True


@lean
def count_violated(value: Ints, first: Ints, target: Ints, masks: Ints) -> int:
    """Count the links whose values are not allowed together; each is seen from both sides."""
    violated = 0
    for me in range(len(value)):
        for link in range(first[me], first[me + 1]):
            if target[link] > me and not (masks[link, value[target[link]]] >> np.uint64(value[me])) & np.uint64(1):
                violated += 1
    return violated
