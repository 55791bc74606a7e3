"""Letter series, in Thurstone's form: which letter comes next, where A follows Z?"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, ClassVar

import numpy as np

from mensura.catalog.puzzles.grammar.derivation import Derivation, Grammar, RuleStep, Use
from mensura.catalog.puzzles.grammar.forms import ProgramForms
from mensura.catalog.puzzles.kinds.kind import Change, Explained, Explanation, Kind, Puzzle
from mensura.catalog.puzzles.showing.alphabet import (
    ALPHABETS,
    SIZE,
    letters_of,
    order_said,
    read_letters,
    write_letters,
)
from mensura.catalog.puzzles.showing.presentation import Presentation
from mensura.catalog.puzzles.showing.prompt import PuzzlePrompt
from mensura.catalog.puzzles.showing.row import DIRECTIONS, JOINED, LAYOUTS, row, signs_of

PLACES = ("1", "2", "3", "4", "5")
GROUP = "group"
STEPS = (-4, -3, -2, -1, 1, 2, 3, 4)
USUAL = (*STEPS, *(-1, 1) * 6)
"""What is drawn: most steps go one on or one back."""
GROWTHS = (-2, -1, 1, 2)
GRAMMAR = Grammar(
    "letter-series",
    {
        "same": Use(needs=2),
        "add": Use((STEPS,), ("alphabet",), needs=2),
        "add-growing": Use((GROWTHS,), ("alphabet",), needs=3),
        "reflect": Use((), ("alphabet",), needs=2),
        "progression": Use(((2, 3, 4, 5), STEPS), ("alphabet",), needs=2),
        "reverse": Use(((2, 3, 4, 5),), needs=2),
        "rotate": Use(((3, 4, 5), (1, 2)), needs=2),
        "swap": Use(((3, 4, 5),), needs=2),
        "repeat": Use(((2, 3, 4),), needs=2),
    },
    targets=(*PLACES, GROUP),
)
STARTS = {name: GRAMMAR.uses[name].needs - 1 for name in ("same", "add", "add-growing", "reflect")}
"""Rules for one place of the period, and from how many letters they start."""
COLUMN = tuple(STARTS)
ORDERING = ("reverse", "rotate", "swap")
ORDERS = tuple(step for name in ORDERING for step in GRAMMAR.steps(name, GROUP))
PROGRAMS = ProgramForms(
    GRAMMAR,
    (
        *((COLUMN,) * size for size in range(1, len(PLACES) + 1)),
        ((*ORDERING, "progression"),),
        (ORDERING, ("add",)),
        (("repeat",), COLUMN),
    ),
)
FEWEST = 6
WORDINGS = {
    "next": "Which letter comes next?",
    "missing": "The letters follow a rule. Which letter stands in place of the question mark?",
    "continue": "Continue the series by one letter.",
}


class LetterSeries(Kind):
    """Series of letters with a period.

    A program is a rule for each place of the period; or steps that whole groups of letters go on from the one before;
    or an order in which each group takes up the one before, perhaps so many steps on; or a rule for letters that are
    each repeated. The letters that a rule starts from are read off the series, and every rule gives at least one shown.
    """

    name: ClassVar[str] = "letter-series"
    about: ClassVar[str] = "Which letter comes next?"
    combines: ClassVar[str] = (
        "A program is one rule (same, add, add-growing, reflect) for each place of a period of one to five letters; or "
        "one order (reverse, rotate, swap; its first constant is the size of the groups) in which each group takes up "
        "the group before, alone or with one add; or one progression of groups; or one repeat with one rule for the "
        "letters that are repeated. Elements are the letters of a place, or groups, of which the last may be begun; "
        "what a rule starts from is read off the series, and A follows Z."
    )
    grammar: ClassVar[Grammar] = GRAMMAR
    rules: ClassVar[tuple[int, int]] = (1, 4)
    axes: ClassVar[dict[str, tuple[str, ...]]] = {
        "symbols": tuple(ALPHABETS),
        "layout": (*LAYOUTS, JOINED),
        "direction": DIRECTIONS,
        "wording": tuple(WORDINGS),
    }

    def draw(self, rng: np.random.Generator, *, rules: int) -> Puzzle | None:
        """Draw a program and its first letters, and show as many as make the next one the only answer."""

        def pick(among: Sequence[Any]) -> Any:
            return among[int(rng.random() * len(among))]

        form = pick(("columns", "columns", "order", "repeat")) if rules == 2 else pick(("columns", "columns", "order"))
        if form == "columns" or rules > 2:
            size = pick(range(rules, min(rules + 2, len(PLACES)) + 1))
            changing = set(rng.permutation(size)[:rules].tolist())
            alike = [_rule(pick)] * rules if pick((True, False)) else [_rule(pick) for _ in range(rules)]
            drawn = [alike.pop() if place in changing else ("same", ()) for place in range(size)]
            steps = [
                GRAMMAR.step(name, *constants, on=on) for (name, constants), on in zip(drawn, PLACES, strict=False)
            ]
        elif form == "order" and rules == 1 and pick((True, False)):
            size = pick((2, 3, 4, 5))
            steps = [GRAMMAR.step("progression", size, pick(USUAL), on=GROUP)]
        elif form == "order":
            order = pick(ORDERS)
            size = order.arguments[0]
            steps = [order] + [GRAMMAR.step("add", pick(USUAL), on=GROUP)] * (rules - 1)
        else:
            size = pick((2, 3, 4))
            name, constants = _rule(pick)
            steps = [GRAMMAR.step("repeat", size, on=GROUP), GRAMMAR.step(name, *constants, on=PLACES[0])]
        derivation = Derivation(GRAMMAR, tuple(steps), size)
        fewest = max(FEWEST, 2 * size + 2)
        letters = _carried_out(derivation, pick, fewest + 2 * size + 1)
        for count in range(fewest, len(letters)):
            found = self.explain(letters[:count], limit=derivation.length).found
            if found and all(one.answer == letters[count] for one in found):
                return Puzzle(letters[:count], letters[count], derivation)
        return None

    def explain(self, shown: Any, *, limit: float) -> Explained:
        """Solve for the constants of every form of program."""
        limit += 1e-6
        programs = [
            (size, steps, after)
            for size, steps, after in (*_by_columns(shown, limit), *_by_order(shown), *_by_repeating(shown))
            if GRAMMAR.length(steps) <= limit
        ]
        found = tuple(Explanation(Derivation(GRAMMAR, steps, size), after) for size, steps, after in programs)
        return Explained(found, PROGRAMS.within(limit))

    def changes(self, puzzle: Puzzle, rng: np.random.Generator) -> Sequence[Change]:
        """Go some steps too far or too few, as where a constant is wrong or a rule is left out."""
        sizes = rng.permutation([1, 2, 3, 4])
        return [_shift(int(size) if rng.random() < 0.5 else -int(size)) for size in sizes]

    def show(self, shown: Any, presentation: Presentation, *, options: Sequence[Any] = ()) -> PuzzlePrompt:
        """Write the letters one after the other; the question says what follows the last of the alphabet."""
        alphabet = letters_of(presentation)
        wraps = f" After {alphabet[-1]} comes {alphabet[0]} again."
        question = WORDINGS[presentation.of("wording", "next")] + order_said(presentation) + wraps
        return row(self.name, [alphabet[letter] for letter in shown], presentation, question=question)

    def write(self, value: Any, presentation: Presentation) -> str:
        """Write a letter."""
        return write_letters([value], presentation)

    def read(self, prompt: PuzzlePrompt) -> Any:
        """Read the letters."""
        return self.read_options(prompt, signs_of(prompt))

    def read_options(self, prompt: PuzzlePrompt, options: Sequence[str]) -> Sequence[Any]:
        """Read single letters."""
        return read_letters("".join(options), Presentation(prompt.presentation))


Program = tuple[int, tuple[RuleStep, ...], int]


def _shift(size: int) -> Change:
    return lambda letter: (letter + size) % SIZE


def _rule(pick: Any) -> tuple[str, tuple[int, ...]]:
    """Draw a rule for one place: mostly the next letter or the one before, as in Thurstone's series."""
    name = pick(("add", "add", "add", "add-growing", "reflect"))
    return name, () if name == "reflect" else (pick(USUAL if name == "add" else GROWTHS),)


def _follow(name: str, constants: tuple[int, ...], before: int, last: int) -> int:
    """Return the letter that follows in one place of the period."""
    if name == "reflect":
        return SIZE - 1 - last
    step = {"same": 0, "add": sum(constants), "add-growing": last - before + sum(constants)}[name]
    return (last + step) % SIZE


def _order(rule: RuleStep) -> list[int]:
    """Return from which place of the group before each letter of a group comes."""
    places = list(range(rule.arguments[0]))
    if rule.operation == "rotate":
        return places[rule.arguments[1] :] + places[: rule.arguments[1]]
    if rule.operation == "swap":
        return [places[-1], *places[1:-1], places[0]]
    return places[::-1] if rule.operation == "reverse" else places


def _carried_out(derivation: Derivation, pick: Any, count: int) -> list[int]:
    """Write the first letters of a program that starts from any letters."""
    first, size = derivation.steps[0], derivation.size
    rounds = count // size + 1
    if first.operation == "repeat":
        return [letter for letter in _column(derivation.steps[1], pick, rounds) for _ in range(size)][:count]
    if first.on != GROUP:
        columns: list[list[int]] = []
        for rule in derivation.steps:
            columns.append(_column(rule, pick, rounds, left=columns[-1][0] if columns else None))
        return [letter for group in zip(*columns, strict=True) for letter in group][:count]
    letters = [pick(range(SIZE)) for _ in range(size)]
    order = _order(first)
    on = sum(one.arguments[-1] for one in derivation.steps if one.operation in ("add", "progression"))
    for _ in range(rounds):
        letters += [(letters[place - size] + on) % SIZE for place in order]
    return letters[:count]


def _column(rule: RuleStep, pick: Any, count: int, *, left: int | None = None) -> list[int]:
    """Write the letters of one place; it starts anywhere, or one step from its left neighbour."""
    letters = [pick(range(SIZE)) for _ in range(STARTS[rule.operation])]
    if left is not None and pick((True, False)):
        letters[0] = (left + pick((-1, 1))) % SIZE
    while len(letters) < count:
        letters.append(_follow(rule.operation, rule.arguments, letters[-2:][0], letters[-1]))
    return letters


def _signed(step: int) -> int:
    """Return a step as the shorter way round the alphabet."""
    return (step + SIZE // 2) % SIZE - SIZE // 2


def _fits(letters: Sequence[int], on: str) -> list[tuple[RuleStep, int]]:
    """Find every rule for one place that gives these letters, and the letter that follows."""
    if len(letters) < 2:
        return []
    candidates: list[tuple[str, tuple[int, ...]]] = [("same", ()), ("reflect", ())]
    if (step_on := _signed(letters[1] - letters[0])) in STEPS:
        candidates.append(("add", (step_on,)))
    if (
        len(letters) > STARTS["add-growing"]
        and (growth := _signed(letters[2] - 2 * letters[1] + letters[0])) in GROWTHS
    ):
        candidates.append(("add-growing", (growth,)))
    return [
        (GRAMMAR.step(name, *constants, on=on), _follow(name, constants, letters[-2], letters[-1]))
        for name, constants in candidates
        if all(
            _follow(name, constants, letters[place - 2], letters[place - 1]) == letters[place]
            for place in range(STARTS[name], len(letters))
        )
    ]


def _by_columns(shown: Sequence[int], limit: float) -> Iterator[Program]:
    for size in range(1, len(PLACES) + 1):
        if size * GRAMMAR.lengths["same"] > limit:
            return
        columns = []
        for place in range(size):
            columns.append(_fits(shown[place::size], PLACES[place]))
            if not columns[-1]:
                break
        else:
            for chosen in product(*columns):
                yield size, tuple(rule for rule, _ in chosen), chosen[len(shown) % size][1]


def _by_order(shown: Sequence[int]) -> Iterator[Program]:
    groups = [(size, None) for size in GRAMMAR.uses["progression"].domains[0]]
    for size, rule in (*((rule.arguments[0], rule) for rule in ORDERS), *groups):
        if len(shown) <= size:
            continue
        order = range(size) if rule is None else _order(rule)
        sources = [place - place % size - size + order[place % size] for place in range(size, len(shown) + 1)]
        on = _signed(shown[size] - shown[sources[0]])
        if any((shown[source] + on - shown[size + at]) % SIZE for at, source in enumerate(sources[:-1])):
            continue
        after = (shown[sources[-1]] + on) % SIZE
        if rule is not None and not on:
            yield size, (rule,), after
        elif rule is not None and on in STEPS:
            yield size, (rule, GRAMMAR.step("add", on, on=GROUP)), after
        elif on in STEPS:
            yield size, (GRAMMAR.step("progression", size, on, on=GROUP),), after


def _by_repeating(shown: Sequence[int]) -> Iterator[Program]:
    for times in (2, 3, 4):
        if all(shown[place] == shown[place - place % times] for place in range(len(shown))):
            for rule, after in _fits(shown[::times], PLACES[0]):
                yield times, (GRAMMAR.step("repeat", times, on=GROUP), rule), shown[-1] if len(shown) % times else after
