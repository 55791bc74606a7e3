"""Posing: the items of a session, drawn from the grammar or loaded from a file, kinds in turn and in random order."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from mensura.catalog.puzzles.files.line import PuzzleLine, line_of, read_lines
from mensura.catalog.puzzles.kinds.find import ALL, find_kind, kinds_at_hand, kinds_named
from mensura.catalog.puzzles.kinds.kind import Kind
from mensura.catalog.puzzles.making.item import AnswerForm, ItemOrder, make_item
from mensura.catalog.puzzles.making.wanted import Wanted
from mensura.catalog.puzzles.showing.presentation import MIXED, PLAIN, named, read_axes
from mensura.dialogue import Choice
from mensura.errors import BadParameter

USUAL = 20
"""How many puzzles are asked where nobody says."""
STRUCTURE, PRESENTATION, PRACTICE = 0, 1, 2
"""Streams of an item: what it is and how it looks are drawn apart."""


@dataclass(frozen=True)
class PuzzleRequest:
    """What a session is asked for."""

    kinds: str = ALL
    count: int = 0
    load: str = ""
    presentation: str = PLAIN
    answer: AnswerForm = "choice"
    bank: str = ""

    @property
    def names(self) -> Sequence[str]:
        """The kinds that are asked about."""
        if not self.bank:
            return kinds_at_hand() if self.kinds == ALL else kinds_named(self.kinds)
        held = {line.kind for line in read_bank(self.bank)}
        wanted = held if self.kinds == ALL else set(kinds_named(self.kinds)) & held
        if not wanted:
            raise BadParameter(f"{self.bank} holds no puzzles of {self.kinds}; it holds {', '.join(sorted(held))}.")
        return sorted(wanted)

    @property
    def order(self) -> ItemOrder:
        """What is wanted of each item."""
        return ItemOrder(Wanted.read(self.load), self.presentation, self.answer)

    def refuse(self) -> None:
        """Raise a sentence where a part of it cannot be had; kinds are only imported where a part speaks of them."""
        if self.count < 0:
            raise BadParameter(f"--count is how many puzzles are asked, 0 for the usual number; got {self.count}.")
        by_axis = self.presentation not in (PLAIN, MIXED)
        asked = self.names if self.bank or self.kinds != ALL or self.load or by_axis else ()
        kinds = [find_kind(name) for name in asked]
        if by_axis:
            _refuse_presentation(kinds, self.presentation)
        wanted = Wanted.read(self.load)
        for kind in () if self.bank else kinds[: self.count or USUAL]:
            kind.require()
            wanted.rules(kind)
        if self.bank:
            fitting(self)


def _refuse_presentation(kinds: Sequence[Kind], wanted: str) -> None:
    """Raise a sentence where no kind has a value that is named, or where a kind cannot have two of them together."""
    for axis, value in read_axes(wanted).items():
        known = dict.fromkeys(one for kind in kinds for one in kind.axes.get(axis, ()))
        if value not in known:
            names = ", ".join(kind.name for kind in kinds)
            has = f"{axis} can be {', '.join(known)}" if known else f"they have no {axis}"
            raise BadParameter(f"None of {names} has {axis}={value}: {has}.")
    for kind in kinds:
        look = named(kind.axes, wanted)
        settled = kind.settle(look)
        for axis, value in look.chosen.items():
            if settled.of(axis) != value:
                raise BadParameter(f"{kind.name} cannot have {wanted}: its {axis} is {settled.of(axis)}. Omit it.")


def pose(request: PuzzleRequest, rng: np.random.Generator) -> list[PuzzleLine]:
    """Return the items of a session in the order in which they are asked: as many of each kind as can be."""
    request.refuse()
    root = int(rng.integers(2**63))
    if request.bank:
        return _of_bank(request, rng)
    made = [
        drawn(kind, number, root=root, order=request.order)
        for kind, number in shares(request.names, request.count or USUAL)
    ]
    return [made[place] for place in rng.permutation(len(made))]


def practise(request: PuzzleRequest, count: int, rng: np.random.Generator) -> list[PuzzleLine]:
    """Return items to practise on; they are drawn by streams of their own, so they are none of those that count."""
    root = int(rng.integers(2**63))
    order = ItemOrder(presentation=request.presentation, form=request.answer)
    return [drawn(kind, number, root=root, order=order, turn=PRACTICE) for kind, number in shares(request.names, count)]


def drawn(kind: str, number: int, *, root: int, order: ItemOrder, turn: int = 0) -> PuzzleLine:
    """Make the item of a kind with a number: it depends on nothing else that is asked."""
    place = [root, *kind.encode(), number]
    made = make_item(
        find_kind(kind),
        structure=np.random.default_rng([*place, turn + STRUCTURE]),
        presentation=np.random.default_rng([*place, turn + PRESENTATION]),
        order=order,
    )
    return line_of(made, name=f"{kind}-{number}")


def shares(names: Sequence[str], count: int) -> list[tuple[str, int]]:
    """Part a number of items among kinds, each with its number in its kind.

    >>> shares(["grid", "matrix"], 3)
    [('grid', 0), ('matrix', 0), ('grid', 1)]
    """
    return [(names[place % len(names)], place // len(names)) for place in range(count)]


def read_bank(path: str) -> Sequence[PuzzleLine]:
    """Read a file of puzzles, once as long as it does not change."""
    file = Path(path).expanduser()
    return _read(str(file), file.stat().st_mtime_ns if file.exists() else 0)


@lru_cache(maxsize=4)
def _read(path: str, changed: int) -> Sequence[PuzzleLine]:
    return tuple(read_lines(path))


def fitting(request: PuzzleRequest) -> list[PuzzleLine]:
    """Return the puzzles of a bank that were asked for; that there are none is an error."""
    wanted, names = Wanted.read(request.load), request.names
    found = [line for line in read_bank(request.bank) if line.kind in names and _fits(line, request, wanted)]
    if not found:
        load = f"has the load {request.load} and " if request.load else ""
        raise BadParameter(f"No puzzle of {request.bank} {load}is answered by {request.answer}.")
    return found


def _of_bank(request: PuzzleRequest, rng: np.random.Generator) -> list[PuzzleLine]:
    held = fitting(request)
    shuffled = [held[place] for place in rng.permutation(len(held))]
    if not request.count:
        return shuffled
    # Kinds in turn, so that a part of a bank holds all of them.
    turns: dict[str, int] = {}
    placed = []
    for place, line in enumerate(shuffled):
        turns[line.kind] = turns.get(line.kind, 0) + 1
        placed.append((turns[line.kind], place, line))
    chosen = sorted(placed, key=lambda one: one[:2])[: request.count]
    return [line for _, _, line in sorted(chosen, key=lambda one: one[1])]


def _fits(line: PuzzleLine, request: PuzzleRequest, wanted: Wanted) -> bool:
    """Return whether a puzzle of a bank was asked for; one that does not say its load has none that is wanted."""
    if request.answer == "construct" and isinstance(line.space, Choice):
        return False
    return all(part in line.load and low <= line.load[part] <= high for part, (low, high) in wanted.spans.items())
