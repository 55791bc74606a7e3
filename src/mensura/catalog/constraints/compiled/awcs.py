"""Weak commitment, compiled: one cycle of all agents on arrays. `algorithms/awcs.py` says what it does and why.

An agent keeps a slot for everyone it has heard of: its neighbours first, then those that nogoods name. A nogood is a
list of slots with values. All is done in the order of the plain form, so that counts are the same run by run.
"""

from typing import Any, NamedTuple

import numpy as np

from mensura.catalog.constraints.compiled.compiled import inlined, lean
from mensura.catalog.constraints.compiled.network import WIDEST, LinkedAgents
from mensura.catalog.constraints.compiled.post import (
    CURVE,
    FIRST,
    KIND,
    LETTERS_SHORT,
    NEXT,
    NOGOODS_SHORT,
    PARTS_SHORT,
    REGISTERS_SHORT,
    SECOND,
    SENDER,
    SLOT,
    SLOTS_SHORT,
    Postbag,
    RunCounts,
    bit_count,
    clear,
    count_violated,
    is_over,
    put,
    receive,
    spend,
    widened,
    write,
)
from mensura.catalog.constraints.compiled.posted_run import PostedRun
from mensura.catalog.constraints.compiled.register import Register, enter, has_room, mixed, place_of

Ints = np.ndarray[Any, Any]
KINDS = ("ok", "nogood", "link")
OK, NOGOOD, LINK = range(3)
ONE = np.uint64(1)


class Minds(NamedTuple):
    """What every agent holds: a row for each, a column for each slot."""

    value: Ints
    priority: Ints
    alive: Ints
    """Values that nothing forbids by itself, as a mask."""
    stopped: Ints
    slots: Ints
    """How many slots an agent has."""
    ordered: Ints
    knows: Ints
    slot: Ints
    """Agent, slot and column → what is known of another, in one place for the sake of the processor's cache."""
    known: Ints
    """The slots of those who are told, as they came to be known: `knows` of them."""
    order: Ints
    """The slots that are seen, highest first: `ordered` of them."""
    height: Ints
    """Agent and slot → the other's priority and rank in one number, the higher the greater; 0 where it is not seen."""
    allowed: Ints
    """Agent and slot of a neighbour → the own values that go with its value, as a mask."""


AGENT, SEEN, THEIRS, HIGH, PLACE, TOLD, MINE = range(7)
"""Columns of a slot: who it is about; whether a value of it is known, and which; its priority; its place in the order;
whether it is told values; and the slot that the other has for this agent, or -1."""


class Nogoods(NamedTuple):
    """Nogoods by agent and value, each a chain in the order in which they came."""

    used: Ints
    """How many nogoods and how many parts there are."""
    head: Ints
    tail: Ints
    next: Ints
    start: Ints
    length: Ints
    slot: Ints
    value: Ints


@inlined
def slot_of(minds: Minds, where: Register, me: int, other: int) -> Any:
    """Find the slot for another agent, or make one."""
    key = me * len(minds.value) + other + 1
    at = place_of(where, key)
    if where.keys[at] == key:
        return where.values[at]
    slot = minds.slots[me]
    minds.slots[me] += 1
    minds.slot[me, slot, AGENT] = other
    minds.slot[me, slot, MINE] = -1
    enter(where, at, key, slot)
    return slot


@inlined
def height_of(priority: int, rank: int) -> int:
    """Return one number that orders agents: higher priorities first, then earlier ranks."""
    return (priority << 32) + 0xFFFFFFFF - rank


@inlined
def hear(minds: Minds, ranks: Ints, first: Ints, masks: Ints, me: int, slot: int, value: int, priority: int) -> None:
    """Note another's value and priority, and put it where it belongs in the order of those that are seen."""
    slots, order, height = minds.slot[me], minds.order[me], minds.height[me]
    if slots[slot, HIGH] != priority or not slots[slot, SEEN]:
        if not slots[slot, SEEN]:
            slots[slot, SEEN] = 1
            slots[slot, PLACE] = minds.ordered[me]
            minds.ordered[me] += 1
        slots[slot, HIGH] = priority
        mine = height_of(priority, ranks[slots[slot, AGENT]])
        height[slot] = mine
        at = slots[slot, PLACE]
        while at > 0 and height[order[at - 1]] < mine:
            order[at] = order[at - 1]
            slots[order[at], PLACE] = at
            at -= 1
        while at + 1 < minds.ordered[me] and height[order[at + 1]] > mine:
            order[at] = order[at + 1]
            slots[order[at], PLACE] = at
            at += 1
        order[at] = slot
        slots[slot, PLACE] = at
    slots[slot, THEIRS] = value
    if slot < first[me + 1] - first[me]:
        minds.allowed[me, slot] = masks[first[me] + slot, value]


@inlined
def tell_from_now_on(minds: Minds, me: int, slot: int) -> None:
    """Add a slot to those who are told."""
    minds.slot[me, slot, TOLD] = 1
    minds.known[me, minds.knows[me]] = slot
    minds.knows[me] += 1


@inlined
def forbidden(minds: Minds, nogoods: Nogoods, me: int, value: int, height: int, effort: Ints) -> int:
    """Return the first of the shortest nogoods that forbid a value among those above, or -1."""
    found, shortest = -1, 0
    one = nogoods.head[me, value]
    while one >= 0:
        holds, counted = True, True
        for part in range(nogoods.start[one], nogoods.start[one] + nogoods.length[one]):
            slot = nogoods.slot[part]
            if minds.height[me, slot] < height:
                counted = False
                break
            if minds.slot[me, slot, THEIRS] != nogoods.value[part]:
                holds = False
        if counted:
            effort[0] += 1
            if holds and (found < 0 or nogoods.length[one] < shortest):
                found, shortest = one, nogoods.length[one]
        one = nogoods.next[one]
    return found


@inlined
def stands(minds: Minds, nogoods: Nogoods, me: int, degree: int, height: int, effort: Ints) -> bool:
    """Return whether nothing above speaks against the agent's value."""
    value = minds.value[me]
    shift = np.uint64(value)
    if not (minds.alive[me] >> shift) & ONE:
        return False
    order, heights, allowed = minds.order[me], minds.height[me], minds.allowed[me]
    for place in range(minds.ordered[me]):
        slot = order[place]
        if heights[slot] < height:
            break
        if slot < degree:
            effort[0] += 1
            if not (allowed[slot] >> shift) & ONE:
                return False
    return forbidden(minds, nogoods, me, value, height, effort) < 0


@inlined
def consistent(
    minds: Minds, nogoods: Nogoods, me: int, degree: int, height: int, above: int, reason: Ints, effort: Ints
) -> Any:
    """Return which of the values alive nothing above speaks against; a reason is a slot, or a nogood below zero."""
    mask = minds.alive[me]
    for place in range(above):
        slot = minds.order[me, place]
        if slot >= degree:
            continue
        effort[0] += bit_count(mask)
        kept = mask & minds.allowed[me, slot]
        gone = mask ^ kept
        while gone != 0:
            lowest = gone & (~gone + ONE)
            reason[bit_count(lowest - ONE)] = slot
            gone ^= lowest
        mask = kept
        if mask == 0:
            return mask
    left = mask
    while left != 0:
        lowest = left & (~left + ONE)
        left ^= lowest
        value = bit_count(lowest - ONE)
        why = forbidden(minds, nogoods, me, value, height, effort)
        if why >= 0:
            reason[value] = -1 - why
            mask ^= lowest
    return mask


@inlined
def least_conflicts(minds: Minds, me: int, degree: int, mask: Any, begin: int, conflicts: Ints, effort: Ints) -> int:
    """Return the first of the values with the fewest conflicts with those from a place of the order on."""
    many = bit_count(mask)
    conflicts[:] = 0
    if many > 1:
        for place in range(begin, minds.ordered[me]):
            slot = minds.order[me, place]
            if slot >= degree:
                continue
            effort[0] += many
            gone = mask & ~minds.allowed[me, slot]
            while gone != 0:
                lowest = gone & (~gone + ONE)
                conflicts[bit_count(lowest - ONE)] += 1
                gone ^= lowest
    best, fewest = -1, 0
    left = mask
    while left != 0:
        lowest = left & (~left + ONE)
        left ^= lowest
        value = bit_count(lowest - ONE)
        if best < 0 or conflicts[value] < fewest:
            best, fewest = value, conflicts[value]
    return best


@inlined
def take(minds: Minds, letters: Postbag, counts: RunCounts, side: int, me: int, value: int, spent: int) -> None:
    """Take a value and tell everyone."""
    minds.value[me] = value
    many = minds.knows[me]
    for place in range(many):
        slot = minds.known[me, place]
        to, mine = minds.slot[me, slot, AGENT], minds.slot[me, slot, MINE]
        write(letters, counts, side, me, to, mine, OK, value, minds.priority[me], spent)
    counts.sent[me, OK] += many
    counts.size[me] += 2 * many


@inlined
def learn(
    minds: Minds,
    nogoods: Nogoods,
    letters: Postbag,
    counts: RunCounts,
    where: Register,
    kept: Register,
    ranks: Ints,
    first: Ints,
    masks: Ints,
    side: int,
    me: int,
    letter: int,
) -> None:
    """Keep a nogood, and ask those it names for their values."""
    start, length = letters.data[side, letter, FIRST], letters.data[side, letter, SECOND]
    own, code = -1, mixed(np.int64(1), np.int64(me))
    for part in range(start, start + length):
        other, value = letters.parts[side, part, 0], letters.parts[side, part, 1]
        if other == me:
            own = value
            continue
        code = mixed(mixed(code, other), value)
        slot = slot_of(minds, where, me, other)
        if not minds.slot[me, slot, TOLD]:
            tell_from_now_on(minds, me, slot)
            if not minds.slot[me, slot, SEEN]:
                hear(minds, ranks, first, masks, me, slot, value, letters.parts[side, part, 2])
            put(letters, counts, 1 - side, me, other, -1, LINK, minds.value[me], minds.priority[me], 0, 2)
    if length == 1:
        minds.alive[me] &= ~(ONE << np.uint64(own))
        return
    code = mixed(code, own) | 1
    known = place_of(kept, code)
    if kept.keys[known] == code:
        return
    enter(kept, known, code, 1)
    one, at = nogoods.used[0], nogoods.used[1]
    nogoods.used[0] += 1
    nogoods.used[1] += length - 1
    nogoods.start[one], nogoods.length[one], nogoods.next[one] = at, length - 1, -1
    for part in range(start, start + length):
        if letters.parts[side, part, 0] != me:
            nogoods.slot[at] = slot_of(minds, where, me, letters.parts[side, part, 0])
            nogoods.value[at] = letters.parts[side, part, 1]
            at += 1
    if nogoods.head[me, own] < 0:
        nogoods.head[me, own] = one
    else:
        nogoods.next[nogoods.tail[me, own]] = one
    nogoods.tail[me, own] = one
    counts.nogoods[me] += 1


@inlined
def send_nogood(
    minds: Minds,
    nogoods: Nogoods,
    letters: Postbag,
    counts: RunCounts,
    ranks: Ints,
    sent: Register,
    side: int,
    me: int,
    reason: Ints,
    values: Any,
    spent: int,
) -> int:
    """Send what leaves no value to all whom it names: 1; 0 where it had been sent before, -1 where it names nobody."""
    used = letters.used[side, 1]
    end = used
    left = values
    while left != 0:
        lowest = left & (~left + ONE)
        left ^= lowest
        why = reason[bit_count(lowest - ONE)]
        if why >= 0:
            end = _named(minds, letters, side, me, why, used, end)
        else:
            one = -1 - why
            for part in range(nogoods.start[one], nogoods.start[one] + nogoods.length[one]):
                end = _named(minds, letters, side, me, nogoods.slot[part], used, end)
    length = end - used
    if length == 0:
        return -1
    parts = letters.parts[side]
    for place in range(used + 1, end):
        other, value, high = parts[place, 0], parts[place, 1], parts[place, 2]
        at = place
        while at > used and ranks[parts[at - 1, 0]] > ranks[other]:
            parts[at, 0], parts[at, 1], parts[at, 2] = parts[at - 1, 0], parts[at - 1, 1], parts[at - 1, 2]
            at -= 1
        parts[at, 0], parts[at, 1], parts[at, 2] = other, value, high
    code = mixed(np.int64(2), np.int64(me))
    for place in range(used, end):
        code = mixed(mixed(code, parts[place, 0]), parts[place, 1])
    code |= 1
    known = place_of(sent, code)
    if sent.keys[known] == code:
        return 0
    enter(sent, known, code, 1)
    letters.used[side, 1] = end
    for place in range(used, end):
        put(letters, counts, side, me, parts[place, 0], -1, NOGOOD, used, length, spent, 3 * length)
    return 1


@inlined
def _named(minds: Minds, letters: Postbag, side: int, me: int, slot: int, begin: int, end: int) -> int:
    """Add a slot to the parts of a letter, once."""
    other = minds.slot[me, slot, AGENT]
    for place in range(begin, end):
        if letters.parts[side, place, 0] == other:
            return end
    letters.parts[side, end, 0] = other
    letters.parts[side, end, 1] = minds.slot[me, slot, THEIRS]
    letters.parts[side, end, 2] = minds.slot[me, slot, HIGH]
    return end + 1


@inlined
def check(
    minds: Minds,
    nogoods: Nogoods,
    letters: Postbag,
    counts: RunCounts,
    ranks: Ints,
    degree: int,
    sent: Register,
    side: int,
    me: int,
    reason: Ints,
    conflicts: Ints,
    effort: Ints,
) -> None:
    """Keep the value if it is consistent with those above, else take another, else raise the priority."""
    height = height_of(minds.priority[me], ranks[me])
    if stands(minds, nogoods, me, degree, height, effort):
        return
    above = 0
    while above < minds.ordered[me] and minds.height[me, minds.order[me, above]] > height:
        above += 1
    alive = minds.alive[me]
    free = consistent(minds, nogoods, me, degree, height, above, reason, effort)
    if free != 0:
        best = least_conflicts(minds, me, degree, free, above, conflicts, effort)
        take(minds, letters, counts, side, me, best, effort[0])
        return
    if alive == 0:
        minds.stopped[me] = 1
        return
    went = send_nogood(minds, nogoods, letters, counts, ranks, sent, side, me, reason, alive, effort[0])
    if went < 0:
        minds.stopped[me] = 1
    elif went > 0:
        if minds.ordered[me]:
            minds.priority[me] = max(minds.priority[me], minds.slot[me, minds.order[me, 0], HIGH])
        minds.priority[me] += 1
        best = least_conflicts(minds, me, degree, alive, 0, conflicts, effort)
        take(minds, letters, counts, side, me, best, effort[0])


@inlined
def room_for(
    minds: Minds,
    nogoods: Nogoods,
    letters: Postbag,
    where: Register,
    kept: Register,
    sent: Register,
    side: int,
    me: int,
) -> int:
    """Return 0 where there is room for all that an agent may do now, else which arrays are too small."""
    named, links, learned = 0, 0, 0
    letter = letters.head[side, me]
    while letter >= 0:
        if letters.data[side, letter, KIND] == NOGOOD:
            named += letters.data[side, letter, SECOND]
            learned += 1
        elif letters.data[side, letter, KIND] == LINK:
            links += 1
        letter = letters.data[side, letter, NEXT]
    slots = minds.slots[me] + named + links
    if slots > minds.order.shape[1]:
        return SLOTS_SHORT
    if letters.used[1 - side, 0] + 2 * slots + named + links > letters.data.shape[1]:
        return LETTERS_SHORT
    if letters.used[1 - side, 1] + slots > letters.parts.shape[1]:
        return PARTS_SHORT
    if nogoods.used[0] + learned > len(nogoods.start) or nogoods.used[1] + named > len(nogoods.slot):
        return NOGOODS_SHORT
    roomy = has_room(where, named + links) and has_room(kept, learned) and has_room(sent, 1)
    return 0 if roomy else REGISTERS_SHORT


@lean
def run_cycles(
    minds: Minds,
    nogoods: Nogoods,
    letters: Postbag,
    counts: RunCounts,
    where: Register,
    kept: Register,
    sent: Register,
    ranks: Ints,
    first: Ints,
    target: Ints,
    masks: Ints,
    latencies: Ints,
    limits: Ints,
    at: Ints,
    violated: Ints,
    reason: Ints,
    conflicts: Ints,
    effort: Ints,
) -> int:
    """Do cycle after cycle until someone stops, all is quiet or a limit is reached: 0; or arrays are too small: which.

    `at` holds the cycle, which side of the letters is read, who is next in it (-1: it is over), and how the run ended.
    """
    while True:
        side = at[1]
        if at[2] < 0:
            if at[0] + 1 >= len(violated):
                return CURVE
            if is_over(minds.stopped, letters, counts, limits, at):
                return 0
            at[2], side = 0, at[1]
        for me in range(at[2], len(minds.value)):
            letter = letters.head[side, me]
            if letter < 0:
                continue
            short = room_for(minds, nogoods, letters, where, kept, sent, side, me)
            if short:
                at[2] = me
                return short
            receive(letters, counts, latencies, side, me)
            effort[0] = 0
            while letter >= 0:
                if letters.data[side, letter, KIND] == NOGOOD:
                    learn(minds, nogoods, letters, counts, where, kept, ranks, first, masks, side, me, letter)
                else:
                    slot = letters.data[side, letter, SLOT]
                    if slot < 0:
                        slot = slot_of(minds, where, me, letters.data[side, letter, SENDER])
                    value, priority = letters.data[side, letter, FIRST], letters.data[side, letter, SECOND]
                    hear(minds, ranks, first, masks, me, slot, value, priority)
                    if letters.data[side, letter, KIND] == LINK and not minds.slot[me, slot, TOLD]:
                        tell_from_now_on(minds, me, slot)
                        other = letters.data[side, letter, SENDER]
                        put(letters, counts, 1 - side, me, other, -1, OK, minds.value[me], minds.priority[me], 0, 2)
                letter = letters.data[side, letter, NEXT]
            degree = first[me + 1] - first[me]
            check(minds, nogoods, letters, counts, ranks, degree, sent, 1 - side, me, reason, conflicts, effort)
            spend(counts, me, effort[0])
        clear(letters, side)
        at[2] = -1
        violated[at[0]] = count_violated(minds.value, first, target, masks)


class AwcsRun(PostedRun):
    """A run of weak commitment on arrays."""

    kinds = KINDS
    registers = ("where", "kept", "sent")
    kept: Register
    sent: Register

    def __init__(self, agents: LinkedAgents, values: Ints, latencies: Ints) -> None:
        super().__init__(agents, latencies)
        count, degree = agents.count, np.diff(agents.first)
        width = int(degree.max(initial=0)) + 32
        flat = [np.zeros(count, np.int64) for _ in range(3)]
        slot = np.zeros((count, width, 8), np.int32)
        known, order = (np.zeros((count, width), np.int32) for _ in range(2))
        column = np.arange(len(agents.source)) - agents.first[agents.source]
        known[agents.source, column] = column
        slot[agents.source, column, AGENT] = agents.target
        slot[agents.source, column, TOLD] = 1
        slot[agents.source, column, MINE] = column[agents.back]
        alive = (np.uint64(2) << (agents.sizes - 1).astype(np.uint64)) - ONE
        self.minds = Minds(
            values.copy(),
            flat[0],
            alive,
            flat[1],
            degree.copy(),
            flat[2],
            degree.copy(),
            slot,
            known,
            order,
            np.zeros((count, width), np.int64),
            np.zeros((count, width), np.uint64),
        )
        chains = np.full((count, int(agents.sizes.max(initial=1))), -1, np.int64)
        pool = [np.zeros(1024, np.int64) for _ in range(5)]
        self.nogoods = Nogoods(np.zeros(2, np.int64), chains, chains.copy(), *pool)
        self.scratch = np.zeros(WIDEST, np.int64), np.zeros(WIDEST, np.int64), np.zeros(1, np.int64)
        _begin(self.minds, self.letters, self.counts, self.where)
        self.note_violated()

    def cycles(self, limits: Ints) -> int:
        """Do cycles until the run is over, or there is too little room."""
        agents = self.agents
        short = run_cycles(
            self.minds,
            self.nogoods,
            self.letters,
            self.counts,
            self.where,
            self.kept,
            self.sent,
            agents.ranks,
            agents.first,
            agents.target,
            agents.masks,
            self.latencies,
            limits,
            self.at,
            self.violated,
            *self.scratch,
        )
        self.counts.links[:] = self.minds.knows - np.diff(agents.first)
        return short

    def widen(self, which: int) -> None:
        """Make room."""
        if which == SLOTS_SHORT:
            self.minds = widened(self.minds, ("slot", "known", "order", "height", "allowed"), axis=1)
        elif which == NOGOODS_SHORT:
            self.nogoods = widened(self.nogoods, ("next", "start", "length", "slot", "value"), axis=0)
        else:
            super().widen(which)

    @property
    def values(self) -> Ints:  # type: ignore[override]
        """The value of each agent, by its place in the domain."""
        return self.minds.value

    @property
    def stopped(self) -> Ints:
        """The agents that say that there is no solution."""
        return np.flatnonzero(self.minds.stopped)


@lean
def _begin(minds: Minds, letters: Postbag, counts: RunCounts, where: Register) -> None:
    for me in range(len(minds.value)):
        for slot in range(minds.slots[me]):
            key = me * len(minds.value) + minds.slot[me, slot, AGENT] + 1
            enter(where, place_of(where, key), key, slot)
        take(minds, letters, counts, 0, me, minds.value[me], 0)
