"""Asynchronous backtracking, compiled, in the form that adds links: `algorithms/abt.py` says what it does and why.

An agent keeps a slot for everyone it has heard of: its neighbours first, then those that nogoods name. What speaks
against a value rests on values that are seen now, or it is forgotten: so a reason is a set of slots, a row of bits.
"""

from typing import Any, NamedTuple

import numpy as np

from mensura.catalog.constraints.compiled.compiled import inlined, lean
from mensura.catalog.constraints.compiled.network import LinkedAgents
from mensura.catalog.constraints.compiled.post import (
    CURVE,
    FIRST,
    KIND,
    LETTERS_SHORT,
    NEXT,
    PARTS_SHORT,
    REGISTERS_SHORT,
    SECOND,
    SENDER,
    SLOTS_SHORT,
    Postbag,
    RunCounts,
    clear,
    count_violated,
    is_over,
    put,
    receive,
    spend,
    widened,
)
from mensura.catalog.constraints.compiled.posted_run import PostedRun
from mensura.catalog.constraints.compiled.register import Register, enter, has_room, place_of

Ints = np.ndarray[Any, Any]
KINDS = ("ok", "nogood", "link")
OK, NOGOOD, LINK = range(3)
AGENT, LINKED, SEEN, THEIRS, TOLD = range(5)
"""Columns of a slot: who it is about; whether this agent is linked to it; whether its value is known, and which;
whether it is told values."""
UNKNOWN = -1
ONE = np.uint64(1)
WORD = 64


class Outlooks(NamedTuple):
    """What every agent holds: a row for each."""

    value: Ints
    assigned: Ints
    """The value that was taken last: one that is given up for a nogood stands until there is another."""
    stopped: Ints
    slots: Ints
    """How many slots an agent has."""
    knows: Ints
    slot: Ints
    below: Ints
    """The slots of those who are told, as they came to be: `knows` of them."""
    has: Ints
    """Agent and value → whether something speaks against it."""
    reason: Ints
    """Agent, value and word → the slots that do."""
    above: Ints
    """The links to those of earlier rank, the first rank first; `checked` of them, as places among an agent's links."""
    checked: Ints


@lean
def slot_of(views: Outlooks, where: Register, me: int, other: int) -> Any:
    """Find the slot for another agent, or make one."""
    key = me * len(views.value) + other + 1
    at = place_of(where, key)
    if where.keys[at] == key:
        return where.values[at]
    slot = views.slots[me]
    views.slots[me] += 1
    views.slot[me, slot, AGENT] = other
    enter(where, at, key, slot)
    return slot


@inlined
def without(views: Outlooks, me: int, slot: int) -> None:
    """Forget the reasons that rest on a slot."""
    word, bit = slot // WORD, ONE << np.uint64(slot % WORD)
    for value in range(views.has.shape[1]):
        if views.has[me, value] and views.reason[me, value, word] & bit != 0:
            views.has[me, value] = 0


@inlined
def see(views: Outlooks, me: int, slot: int, value: int) -> None:
    """Note another's value, and forget the reasons that rest on another one."""
    if not views.slot[me, slot, SEEN] or views.slot[me, slot, THEIRS] != value:
        without(views, me, slot)
    views.slot[me, slot, SEEN] = 1
    views.slot[me, slot, THEIRS] = value


@inlined
def tell(views: Outlooks, letters: Postbag, counts: RunCounts, side: int, me: int, slot: int, spent: int) -> None:
    """Tell one agent the value, now and from now on."""
    if not views.slot[me, slot, TOLD]:
        views.slot[me, slot, TOLD] = 1
        views.below[me, views.knows[me]] = slot
        views.knows[me] += 1
    put(letters, counts, side, me, views.slot[me, slot, AGENT], -1, OK, views.value[me], 0, spent, 1)


@inlined
def conflict(views: Outlooks, masks: Ints, first: Ints, me: int, value: int, effort: Ints) -> Any:
    """Check a value against those above, the first rank first; returns the slot of the first conflict, or -1."""
    for place in range(views.checked[me]):
        slot = views.above[me, place]
        if views.slot[me, slot, SEEN]:
            effort[0] += 1
            if masks[first[me] + slot, views.slot[me, slot, THEIRS]] >> np.uint64(value) & ONE == 0:
                return slot
    return -1


@lean
def choose(
    views: Outlooks,
    letters: Postbag,
    counts: RunCounts,
    ranks: Ints,
    sizes: Ints,
    first: Ints,
    masks: Ints,
    side: int,
    me: int,
    effort: Ints,
) -> None:
    """Take the first value that nothing speaks against; where there is none, send up why, and try again."""
    words = views.reason.shape[2]
    while True:
        for value in range(sizes[me]):
            if views.has[me, value]:
                continue
            why = conflict(views, masks, first, me, value, effort)
            if why < 0:
                views.value[me] = views.assigned[me] = value
                for place in range(views.knows[me]):
                    tell(views, letters, counts, side, me, views.below[me, place], effort[0])
                return
            views.has[me, value] = 1
            views.reason[me, value, :] = 0
            views.reason[me, value, why // WORD] = ONE << np.uint64(why % WORD)
        begin = letters.used[side, 1]
        end = begin
        parts = letters.parts[side]
        for word in range(words):
            union = np.uint64(0)
            for value in range(sizes[me]):
                union |= views.reason[me, value, word]
            for bit in range(WORD):
                if union >> np.uint64(bit) & ONE == 0:
                    continue
                slot = word * WORD + bit
                other, theirs = views.slot[me, slot, AGENT], views.slot[me, slot, THEIRS]
                at = end
                while at > begin and ranks[parts[at - 1, 0]] > ranks[other]:
                    parts[at, 0], parts[at, 1], parts[at, 2] = parts[at - 1, 0], parts[at - 1, 1], parts[at - 1, 2]
                    at -= 1
                parts[at, 0], parts[at, 1], parts[at, 2] = other, theirs, slot
                end += 1
        if end == begin:
            views.stopped[me] = 1
            return
        letters.used[side, 1] = end
        length = end - begin
        put(letters, counts, side, me, parts[end - 1, 0], -1, NOGOOD, begin, length, effort[0], 2 * length)
        lowest = parts[end - 1, 2]
        for slot in range(views.slots[me]):
            if views.slot[me, slot, SEEN] and (slot == lowest or not views.slot[me, slot, LINKED]):
                views.slot[me, slot, SEEN] = 0
                without(views, me, slot)


@lean
def hear_nogood(
    views: Outlooks,
    letters: Postbag,
    counts: RunCounts,
    where: Register,
    ranks: Ints,
    sizes: Ints,
    first: Ints,
    masks: Ints,
    side: int,
    me: int,
    letter: int,
    effort: Ints,
) -> None:
    """Take a nogood in where it still holds; otherwise it is obsolete."""
    begin, length = letters.data[side, letter, FIRST], letters.data[side, letter, SECOND]
    parts = letters.parts[side]
    own = UNKNOWN
    for part in range(begin, begin + length):
        if parts[part, 0] == me:
            own = parts[part, 1]
    if own != views.value[me] or own == UNKNOWN:
        counts.obsolete[me] += 1
        return
    for part in range(begin, begin + length):
        if parts[part, 0] == me:
            continue
        slot = slot_of(views, where, me, parts[part, 0])
        linked, seen = views.slot[me, slot, LINKED], views.slot[me, slot, SEEN]
        if linked and (not seen or views.slot[me, slot, THEIRS] != parts[part, 1]):
            counts.obsolete[me] += 1
            back = slot_of(views, where, me, letters.data[side, letter, SENDER])
            tell(views, letters, counts, 1 - side, me, back, effort[0])
            return
    for part in range(begin, begin + length):
        if parts[part, 0] == me:
            continue
        slot = slot_of(views, where, me, parts[part, 0])
        if not views.slot[me, slot, LINKED]:
            see(views, me, slot, parts[part, 1])
            views.slot[me, slot, LINKED] = 1
            counts.links[me] += 1
            put(letters, counts, 1 - side, me, parts[part, 0], -1, LINK, 0, 0, effort[0], 1)
    views.has[me, own] = 1
    views.reason[me, own, :] = 0
    for part in range(begin, begin + length):
        if parts[part, 0] != me:
            slot = slot_of(views, where, me, parts[part, 0])
            views.reason[me, own, slot // WORD] |= ONE << np.uint64(slot % WORD)
    views.value[me] = UNKNOWN
    choose(views, letters, counts, ranks, sizes, first, masks, 1 - side, me, effort)


@lean
def room_for(views: Outlooks, letters: Postbag, where: Register, side: int, me: int) -> int:
    """Return 0 where there is room for all that an agent may do now, else which arrays are too small."""
    named, nogoods, others = 0, 1, 0
    letter = letters.head[side, me]
    while letter >= 0:
        if letters.data[side, letter, KIND] == NOGOOD:
            named += letters.data[side, letter, SECOND]
            nogoods += 1
        else:
            others += 1
        letter = letters.data[side, letter, NEXT]
    slots = views.slots[me] + named + others
    if slots > views.below.shape[1] or slots > WORD * views.reason.shape[2]:
        return SLOTS_SHORT
    # Every time that a value is looked for, nogoods go up until one is left: at most one for each agent that is seen.
    if letters.used[1 - side, 0] + nogoods * 2 * slots + named + others > letters.data.shape[1]:
        return LETTERS_SHORT
    if letters.used[1 - side, 1] + nogoods * slots * slots > letters.parts.shape[1]:
        return PARTS_SHORT
    return 0 if has_room(where, named + others) else REGISTERS_SHORT


@lean
def run_cycles(
    views: Outlooks,
    letters: Postbag,
    counts: RunCounts,
    where: Register,
    ranks: Ints,
    sizes: Ints,
    first: Ints,
    target: Ints,
    masks: Ints,
    latencies: Ints,
    limits: Ints,
    at: Ints,
    violated: Ints,
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
            if is_over(views.stopped, letters, counts, limits, at):
                return 0
            at[2], side = 0, at[1]
        for me in range(at[2], len(views.value)):
            letter = letters.head[side, me]
            if letter < 0:
                continue
            short = room_for(views, letters, where, side, me)
            if short:
                at[2] = me
                return short
            receive(letters, counts, latencies, side, me)
            effort[0] = 0
            while letter >= 0:
                kind = letters.data[side, letter, KIND]
                if kind == NOGOOD:
                    hear_nogood(views, letters, counts, where, ranks, sizes, first, masks, side, me, letter, effort)
                else:
                    slot = slot_of(views, where, me, letters.data[side, letter, SENDER])
                    if kind == OK:
                        see(views, me, slot, letters.data[side, letter, FIRST])
                    elif views.value[me] != UNKNOWN:
                        tell(views, letters, counts, 1 - side, me, slot, effort[0])
                    elif not views.slot[me, slot, TOLD]:
                        views.slot[me, slot, TOLD] = 1
                        views.below[me, views.knows[me]] = slot
                        views.knows[me] += 1
                letter = letters.data[side, letter, NEXT]
            if views.value[me] != UNKNOWN and conflict(views, masks, first, me, views.value[me], effort) >= 0:
                choose(views, letters, counts, ranks, sizes, first, masks, 1 - side, me, effort)
            counts.nogoods[me] = views.has[me].sum()
            spend(counts, me, effort[0])
        clear(letters, side)
        at[2] = -1
        violated[at[0]] = count_violated(views.assigned, first, target, masks)


@lean
def begin_all(
    views: Outlooks,
    letters: Postbag,
    counts: RunCounts,
    where: Register,
    ranks: Ints,
    sizes: Ints,
    first: Ints,
    masks: Ints,
    effort: Ints,
) -> None:
    """Let everyone take its first value."""
    for me in range(len(views.value)):
        for slot in range(views.slots[me]):
            key = me * len(views.value) + views.slot[me, slot, AGENT] + 1
            enter(where, place_of(where, key), key, slot)
        effort[0] = 0
        choose(views, letters, counts, ranks, sizes, first, masks, 0, me, effort)


class AbtRun(PostedRun):
    """A run of asynchronous backtracking on arrays."""

    kinds = KINDS

    def __init__(self, agents: LinkedAgents, latencies: Ints) -> None:
        count, degree = agents.count, np.diff(agents.first)
        super().__init__(agents, latencies)
        width = int(degree.max(initial=0)) + 32
        slot = np.zeros((count, width, 5), np.int32)
        below, above = (np.zeros((count, width), np.int32) for _ in range(2))
        knows, checked = np.zeros(count, np.int64), np.zeros(count, np.int64)
        for me in range(count):
            near = agents.target[agents.first[me] : agents.first[me + 1]]
            slot[me, : len(near), AGENT] = near
            higher = agents.ranks[near] < agents.ranks[me]
            slot[me, : len(near), LINKED] = higher
            slot[me, : len(near), TOLD] = ~higher
            told, seen = np.flatnonzero(~higher), np.flatnonzero(higher)
            below[me, : len(told)] = told
            above[me, : len(seen)] = seen[np.argsort(agents.ranks[near[seen]], kind="stable")]
            knows[me], checked[me] = len(told), len(seen)
        widest = int(agents.sizes.max(initial=1))
        self.views = Outlooks(
            np.full(count, UNKNOWN),
            np.zeros(count, np.int64),
            np.zeros(count, np.int64),
            degree.copy(),
            knows,
            slot,
            below,
            np.zeros((count, widest), np.int64),
            np.zeros((count, widest, -(-width // WORD)), np.uint64),
            above,
            checked,
        )
        self.effort = np.zeros(1, np.int64)
        given = agents.ranks, agents.sizes, agents.first, agents.masks, self.effort
        begin_all(self.views, self.letters, self.counts, self.where, *given)
        self.note_violated()

    def cycles(self, limits: Ints) -> int:
        """Do cycles until the run is over, or there is too little room."""
        agents = self.agents
        return run_cycles(
            self.views,
            self.letters,
            self.counts,
            self.where,
            agents.ranks,
            agents.sizes,
            agents.first,
            agents.target,
            agents.masks,
            self.latencies,
            limits,
            self.at,
            self.violated,
            self.effort,
        )

    def widen(self, which: int) -> None:
        """Make room."""
        if which == SLOTS_SHORT:
            self.views = widened(self.views, ("slot", "below", "above"), axis=1)
            self.views = widened(self.views, ("reason",), axis=2)
        else:
            super().widen(which)

    @property
    def values(self) -> Ints:  # type: ignore[override]
        """The value of each agent, by its place in the domain."""
        return self.views.assigned

    @property
    def stopped(self) -> Ints:
        """The agents that say that there is no solution."""
        return np.flatnonzero(self.views.stopped)
