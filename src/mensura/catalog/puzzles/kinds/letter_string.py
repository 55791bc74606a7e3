"""Letter strings, in Copycat's form: abc changes to abd; how does ijk change in the same way?"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, ClassVar

import numpy as np

from mensura.catalog.puzzles.grammar.derivation import Derivation, Grammar, RuleStep, Use
from mensura.catalog.puzzles.kinds.kind import Change, Explained, Explanation, Kind, Puzzle
from mensura.catalog.puzzles.showing.alphabet import ALPHABETS, SIZE, order_said, read_letters, write_letters
from mensura.catalog.puzzles.showing.presentation import Presentation
from mensura.catalog.puzzles.showing.prompt import GAP, PuzzlePrompt

ENDS = ("first", "last")
ALL = "all"
WHOLE = ""
STEPS = (-2, -1, 1, 2)
GRAMMAR = Grammar(
    "letter-string",
    {
        "add": Use((STEPS,), ("alphabet",)),
        "replace": Use((tuple(range(SIZE)),)),
        "repeat": Use(((2, 3),)),
        "remove": Use(),
        "reverse": Use(),
        "swap": Use(),
        "rotate": Use(((-1, 1),)),
        "split": Use(),
    },
    targets=(WHOLE, *ENDS, ALL),
)
GOOD = 5.0
"""Bits above the shortest program up to which an answer is good: it is worth at least 1/32."""
WORDINGS = {
    "change": "{0} changes to {1}. How does {2} change in the same way?",
    "analogy": "{0} is to {1} as {2} is to which string?",
    "did": "Somebody turned {0} into {1}. Do the same to {2}.",
}
Unit = tuple[int, int]
"""A letter, and how many times it stands there."""
Units = list[Unit]
ORDERS = tuple(step for name in ("reverse", "swap", "rotate") for step in GRAMMAR.steps(name, WHOLE))


class LetterString(Kind):
    """Analogies of strings, of which several answers are good.

    A program changes the first unit, the last one, both or all, and may then change the order. Equal neighbours are one
    unit, unless the program begins by splitting them. The alphabet ends at Z: nothing follows it. An answer is worth
    2 to the power of minus the bits by which its shortest program is longer than the shortest of all.
    """

    name: ClassVar[str] = "letter-string"
    about: ClassVar[str] = "How does a string change in the same way as another did?"
    combines: ClassVar[str] = (
        "A program is split or not, then one rule (add, replace, repeat, remove) for the first unit, the last, "
        "each of these two, or all units (without replace and remove), then one order (reverse, swap, rotate) or "
        "none; it has at least one rule beside split. Equal neighbours are one unit unless split; at least two "
        "units must stay, and nothing follows Z or comes before A. Several answers are good: each is worth 2 to "
        "the power of minus the bits by which its shortest program is longer."
    )
    grammar: ClassVar[Grammar] = GRAMMAR
    rules: ClassVar[tuple[int, int]] = (1, 3)
    unique: ClassVar[bool] = False
    axes: ClassVar[dict[str, tuple[str, ...]]] = {"symbols": tuple(ALPHABETS), "wording": tuple(WORDINGS)}

    def draw(self, rng: np.random.Generator, *, rules: int) -> Puzzle | None:
        """Draw a program and two strings, and weigh all the answers; a best one must stand out."""

        def pick(among: Sequence[Any]) -> Any:
            return among[int(rng.random() * len(among))]

        ends = (
            pick(((), ENDS[:1], ENDS[1:])) if rules == 1 else ENDS if rules == 3 else pick((ENDS[:1], ENDS[1:], ENDS))
        )
        steps = [pick(_unit_steps(on, range(SIZE) if rules == 1 else ())) for on in ends]
        if not ends:
            steps.append(pick((*ORDERS, *_unit_steps(ALL, ()))))
        elif len(steps) < rules:
            steps.append(pick(ORDERS))
        source, target = _string(pick), _string(pick)
        changed = _carried_out(steps, source)
        if changed is None or changed in (source, target) or source == target:
            return None
        shown = [source, changed, target]
        found = sorted(
            self.explain(shown, limit=GRAMMAR.length(steps) + GOOD).found, key=lambda one: one.derivation.length
        )
        if not found:
            return None
        least = found[0].derivation.length
        worth: dict[tuple[int, ...], float] = {}
        for one in found:
            if one.derivation.length <= least + GOOD + 1e-6:
                worth.setdefault(tuple(one.answer), round(2 ** (least - one.derivation.length), 4))
        answers = tuple((list(answer), weight) for answer, weight in worth.items())
        if len(answers) > 1 and answers[1][1] == 1:
            return None
        return Puzzle(shown, answers[0][0], found[0].derivation, answers)

    def explain(self, shown: Any, *, limit: float) -> Explained:
        """Carry out every program on the first string, and those that give the second on the third."""
        source, changed, target = shown
        found = []
        checked = 0
        letters = sorted(changed)
        for units, left, bare in _unit_programs(tuple(sorted(set(changed))), round(limit + 1e-6, 6)):
            orders = _orders(left)[bare:]
            checked += len(orders)
            given = _carried_out(units, source)
            # Which letters there are does not depend on their order: most programs need not be carried out.
            if given is None or sorted(given) != letters:
                continue
            for order in orders:
                steps = units + order
                if _carried_out(steps, source) == changed and (answer := _carried_out(steps, target)) is not None:
                    found.append(Explanation(Derivation(GRAMMAR, steps, len(source)), answer))
        return Explained(tuple(found), checked)

    def changes(self, puzzle: Puzzle, rng: np.random.Generator) -> Sequence[Change]:
        """Turn the order round, or go one or two steps too far or too few: what is regular stays so."""
        size = (1 + int(rng.random() < 0.5)) * (1 if rng.random() < 0.5 else -1)
        ends = min(puzzle.answer), max(puzzle.answer)
        # No option comes near an end of the alphabet, where some could not be the answer to any string.
        if min(ends[0], ends[0] + size) < STEPS[-1] or max(ends[1], ends[1] + size) >= SIZE - STEPS[-1]:
            return []
        return [lambda string: string[::-1], _shift(size)]

    def options(self, puzzle: Puzzle, rng: np.random.Generator) -> list[Any] | None:
        """Offer one good answer only, the best."""
        found = super().options(puzzle, rng)
        good = [answer for answer, _ in puzzle.answers]
        return None if found is None or sum(option in good for option in found) > 1 else found

    def show(self, shown: Any, presentation: Presentation, *, options: Sequence[Any] = ()) -> PuzzlePrompt:
        """Write the three strings."""
        words = [write_letters(one, presentation) for one in shown]
        cells = [{"type": "text", "words": one} for one in words]
        question = WORDINGS[presentation.of("wording", "change")].format(*words) + order_said(presentation)
        return PuzzlePrompt(self.name, question, [*cells, GAP], "analogy")

    def write(self, value: Any, presentation: Presentation) -> str:
        """Write a string."""
        return write_letters(value, presentation)

    def read(self, prompt: PuzzlePrompt) -> Any:
        """Read the three strings."""
        return self.read_options(prompt, [str(cell["words"]) for cell in prompt.cells[:3]])

    def read_options(self, prompt: PuzzlePrompt, options: Sequence[str]) -> Sequence[Any]:
        """Read strings."""
        return [read_letters(option, Presentation(prompt.presentation)) for option in options]


def _shift(size: int) -> Change:
    return lambda string: [letter + size for letter in string]


def _string(pick: Any) -> list[int]:
    """Draw letters that follow one another, forward or backward, some of them repeated."""
    length, way = pick((3, 3, 4, 5)), pick((-1, 1))
    first = pick(range(SIZE - length + 1)) + (length - 1 if way < 0 else 0)
    rising = tuple(range(1, length + 1))
    times = pick(((1,) * length, (1,) * length, (2,) * length, pick((rising, rising[::-1]))))
    return [letter for place in range(length) for letter in [first + way * place] * times[place]]


def _unit_steps(on: str, letters: Sequence[int]) -> list[RuleStep]:
    found = [*GRAMMAR.steps("add", on), *GRAMMAR.steps("repeat", on)]
    if on != ALL:
        found += [GRAMMAR.step("replace", letter, on=on) for letter in letters] + GRAMMAR.steps("remove", on)
    return found


@lru_cache(maxsize=16)
def _unit_programs(letters: tuple[int, ...], limit: float) -> list[tuple[tuple[RuleStep, ...], float, bool]]:
    """List what programs may do to units, the bits left for an order, and whether that must follow.

    Only letters that are there afterwards can have taken another's place.
    """
    first, last, every = (_unit_steps(on, letters) for on in (*ENDS, ALL))
    units = [(), *((one,) for one in (*first, *last, *every)), *((one, other) for one in first for other in last)]
    starts = ((), (GRAMMAR.step("split"),))
    found = [(start + unit, limit - GRAMMAR.length(start + unit), not unit) for start in starts for unit in units]
    return [one for one in found if one[1] >= 0]


@lru_cache(maxsize=1024)
def _orders(left: float) -> list[tuple[RuleStep, ...]]:
    return [(), *((one,) for one in ORDERS if GRAMMAR.lengths[one.operation] <= left)]


def _carried_out(steps: Sequence[RuleStep], string: Sequence[int]) -> list[int] | None:
    """Carry out a program, or return None where a rule says nothing about this string."""
    units: Units = [(letter, len(list(run))) for letter, run in groupby(string)]
    for rule in steps:
        name = rule.operation
        if name == "split":
            units = [(letter, 1) for letter in string]
        elif name == "reverse":
            units = units[::-1]
        elif name == "swap":
            units = [units[-1], *units[1:-1], units[0]]
        elif name == "rotate":
            units = units[rule.arguments[0] :] + units[: rule.arguments[0]]
        else:
            at = range(len(units)) if rule.on == ALL else (0,) if rule.on == ENDS[0] else (len(units) - 1,)
            changed = [_changed(name, rule.arguments, units[place]) for place in at]
            if None in changed:
                return None
            units[at[0] : at[-1] + 1] = [one for one in changed if one is not None and one[1]]
        if len(units) < 2:
            return None
    return [letter for letter, times in units for _ in range(times)]


def _changed(name: str, constants: tuple[int, ...], unit: Unit) -> Unit | None:
    letter, times = unit
    if name == "add":
        return (letter + constants[0], times) if 0 <= letter + constants[0] < SIZE else None
    if name == "replace":
        return constants[0], times
    return letter, times * constants[0] if name == "repeat" else 0
