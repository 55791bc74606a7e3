"""Raven: matrices by rules that are induced row by row, as many as the goals that can be held."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, ClassVar

from mensura.catalog.puzzles.kinds.kind import Kind
from mensura.catalog.puzzles.solvers.solver import OptionSolver, read_prompt
from mensura.dialogue import Abstained, Ask, Choice

NAMES = ("shape", "size", "fill", "turn", "number", "marks")
QUARTERS, RING = 4, 8
Row = Sequence[Any]
Rule = Callable[[Sequence[Row], Row], Any]
"""Whole rows and the beginning of the last → what is missing, or None where the rows do not keep the rule."""


class Raven(OptionSolver):
    """Takes one attribute after the other, tries the rules in Carpenter, Just and Shell's order, and keeps the first.

    A rule that changes something takes a goal; attributes for which no goal is left stay unknown. The option is
    chosen that agrees with most of what is known; to construct one, all must be known. Besides figures it reads digits,
    by their places in a cell and, if no rule holds for these, as sets.

    Parameters
    ----------
    goals
        How many changing rules can be held at once.

    References
    ----------
    .. [1] Carpenter, Just & Shell (1990), Psychological Review 97, 404-431.
    """

    attempts: ClassVar[tuple[str, ...]] = ("matrix",)

    def __init__(self, *, goals: int = 5) -> None:
        self.goals = goals

    def __call__(self, ask: Ask) -> Any:
        prompt = read_prompt(ask)
        texts = [_digits(str(cell.get("text", "?"))) for cell in prompt.cells[:-1]]
        if prompt.puzzle in self.attempts and isinstance(ask.space, Choice) and None not in texts:
            width = int(prompt.layout.partition(":")[2] or 3)
            read = [digits for digits in texts if digits is not None]
            return self.digits(read, width, [str(option) for option in ask.space.options])
        return super().__call__(ask)

    def choose(self, kind: Kind, shown: Any, options: Sequence[Any]) -> int:
        """Return the option that agrees with most of what is known."""
        known = self._known(shown)
        agreeing = [
            sum(value == known.get(name) for name, value in zip(NAMES, option, strict=True)) for option in options
        ]
        return agreeing.index(max(agreeing))

    def solve(self, kind: Kind, shown: Any) -> list[Any] | None:
        """Return the missing cell where every attribute is known; None where one is not."""
        known = self._known(shown)
        return [known[name] for name in NAMES] if len(known) == len(NAMES) else None

    def _known(self, shown: Any) -> dict[Any, Any]:
        return self.induced([dict(zip(NAMES, cell, strict=True)) for cell in shown["cells"]], shown["width"])

    def digits(self, read: Sequence[tuple[int, ...]], width: int, options: Sequence[str]) -> Any:
        """Choose the option for a matrix of digits."""
        count = len(read[0])
        if all(len(cell) == count for cell in read):
            known = self.induced([dict(enumerate(cell)) for cell in read], width)
            chosen = tuple(known.get(place) for place in range(count))
            if None not in chosen:
                for option in options:
                    if _digits(option) == chosen:
                        return option
        known = self.induced([{"set": frozenset(cell)} for cell in read], width)
        for option in options:
            if frozenset(_digits(option) or ()) == known.get("set"):
                return option
        return Abstained("I found no rule.")

    def induced(self, cells: Sequence[Mapping[Any, Any]], width: int) -> dict[Any, Any]:
        """Return what is missing by the first rule that each attribute keeps, while goals are left."""
        known: dict[Any, Any] = {}
        held = 0
        for name in cells[0]:
            values = [cell[name] for cell in cells]
            rows = [values[start : start + width] for start in range(0, len(values), width)]
            for place, rule in enumerate(_rules(name, values)):
                found = rule(rows[:-1], rows[-1])
                if found is None:
                    continue
                # The first rule is sameness, which asks for no goal.
                if place == 0 or held < self.goals:
                    known[name] = found
                    held += place > 0
                break
        return known


def _digits(text: str) -> tuple[int, ...] | None:
    parts = text.replace("[", " ").replace("]", " ").split()
    return tuple(int(part) for part in parts) if all(part.isdigit() for part in parts) else None


def _rules(name: Any, values: Sequence[Any]) -> list[Rule]:
    if name == "marks":
        sets = [_joined(lambda a, b: a | b), _joined(lambda a, b: a & b), _joined(lambda a, b: a ^ b)]
        return [_constant, *sets, _three, _two, _ring]
    if isinstance(values[0], frozenset):
        joined = [lambda a, b: a | b, lambda a, b: a - b if b <= a else None, lambda a, b: b - a if a <= b else None]
        return [_constant, *map(_joined, joined), _joined(lambda a, b: a & b), _joined(lambda a, b: a ^ b), _three]
    if name == "turn":
        return [_constant, _stepped(QUARTERS), _three]
    if name in ("shape", "size", "fill"):
        return [_constant, *([_stepped(0)] if name != "shape" else []), _three, *([_two] if name == "fill" else [])]
    return [_constant, _stepped(0), _joined(lambda a, b: a + b), _joined(lambda a, b: b - a), _three]


def _constant(whole: Sequence[Row], last: Row) -> Any:
    return last[0] if all(len(set(row)) == 1 for row in (*whole, last)) else None


def _stepped(cycle: int) -> Rule:
    def rule(whole: Sequence[Row], last: Row) -> Any:
        steps = {b - a if not cycle else (b - a) % cycle for row in (*whole, last) for a, b in pairwise(row)}
        if len(steps) != 1:
            return None
        after = last[-1] + steps.pop()
        return after % cycle if cycle else after

    return rule


def _joined(join: Callable[[Any, Any], Any]) -> Rule:
    def rule(whole: Sequence[Row], last: Row) -> Any:
        if len(last) != 2 or any(join(row[0], row[1]) != row[2] for row in whole):
            return None
        return join(*last)

    return rule


def _three(whole: Sequence[Row], last: Row) -> Any:
    sets = {frozenset(row) for row in whole}
    left = set(whole[0]) - set(last)
    return left.pop() if len(last) == 2 and len(sets) == 1 and len(set(last)) == 2 and len(left) == 1 else None


def _two(whole: Sequence[Row], last: Row) -> Any:
    if len(last) != 2 or not all(sorted(row)[0] == 0 < sorted(row)[1] == sorted(row)[2] for row in whole):
        return None
    if last[0] == last[1]:
        return 0 if last[0] else None
    return max(last) if 0 in last else None


def _ring(whole: Sequence[Row], last: Row) -> Any:
    for steps in range(1, RING):
        turned = {
            value: ((value << steps) | (value >> (RING - steps))) % 2**RING for row in (*whole, last) for value in row
        }
        if all(turned[a] == b for row in (*whole, last) for a, b in pairwise(row)):
            return turned[last[-1]]
    return None
