"""Number series: which number comes next?"""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from mensura.catalog.puzzles.grammar.derivation import Grammar
from mensura.catalog.puzzles.kinds.kind import Change, Explained, Kind, Puzzle
from mensura.catalog.puzzles.kinds.series.drawing import LARGEST, draw_program
from mensura.catalog.puzzles.kinds.series.family import DIVISIONS, Constants
from mensura.catalog.puzzles.kinds.series.program import GRAMMAR, acting, explain_numbers
from mensura.catalog.puzzles.showing.numeral import BASES, SYMBOLS, read_number, write_number
from mensura.catalog.puzzles.showing.presentation import Presentation
from mensura.catalog.puzzles.showing.prompt import PuzzlePrompt
from mensura.catalog.puzzles.showing.row import DIRECTIONS, LAYOUTS, row, signs_of

FEWEST, MORE = 5, 2
"""At least so many terms are shown, and at most so many more than a pattern needs at least."""
WORDINGS = {
    "next": "Which number comes next?",
    "missing": "The numbers follow a rule. Which number stands in place of the question mark?",
    "continue": "Continue the series by one number.",
}
SAID = {
    "words": "The numbers are written in words.",
    "roman": "The numbers are Roman; what stands in brackets counts thousands, and N is zero.",
    "8": "The numbers are written in base 8.",
    "16": "The numbers are written in base 16.",
    "2": "The numbers are written in base 2.",
}


def _one(terms: Sequence[int], constants: Constants, answer: int) -> int:
    return 1


def _of_start(terms: Sequence[int], constants: Constants, answer: int) -> int:
    """Return how many times the first term the answer is; where other rules came between, only the last factor."""
    times, left = divmod(answer, terms[0]) if terms[0] else (0, 1)
    return abs(constants[0]) if left or (len(terms) > 2 and terms[1] * terms[1] != terms[0] * terms[2]) else abs(times)


UNITS: dict[str, Callable[[Sequence[int], Constants, int], int]] = {
    "multiply": _of_start,
    "multiply-growing": lambda terms, _, answer: abs(answer // terms[0]),
    "divide": lambda terms, constants, _: constants[0] ** max(0, DIVISIONS[constants[0]] - len(terms)),
    "prime": lambda terms, constants, answer: 6,
}
"""Of what all answers of a rule are multiples; or what leaves the remainders alone that primes have."""


class NumberSeries(Kind):
    """Series of whole numbers, by the families of `series.family` and what `series.program` makes of them."""

    name: ClassVar[str] = "number-series"
    about: ClassVar[str] = "Which number comes next?"
    combines: ClassVar[str] = (
        "A program is one rule for all terms; or accumulate with one rule for their differences; or two such "
        "programs, for the terms in odd and in even places; or two or three of same, add, multiply and divide "
        "that take turns from one term to the next. Elements are the terms, or differences, that a rule has to "
        "itself; those that it starts from are read off the series, and power and prime start at any place (from 0 "
        "on; primes are below 1000). Nothing follows from zero by multiplying."
    )
    grammar: ClassVar[Grammar] = GRAMMAR
    rules: ClassVar[tuple[int, int]] = (1, 4)
    axes: ClassVar[dict[str, tuple[str, ...]]] = {
        "symbols": SYMBOLS,
        "layout": LAYOUTS,
        "direction": DIRECTIONS,
        "base": BASES,
        "wording": tuple(WORDINGS),
    }

    def draw(self, rng: np.random.Generator, *, rules: int) -> Puzzle | None:
        """Draw a program, and show as many of its terms as make the next one the only answer."""
        fewest = max(FEWEST, 2 * rules + 2)
        drawn = draw_program(rng, rules, fewest + MORE + 1)
        if drawn is None:
            return None
        derivation, terms = drawn
        for count in range(fewest, len(terms)):
            found = self.explain(terms[:count], limit=derivation.length).found
            if all(one.answer == terms[count] for one in found):
                fits = min(terms[: count + 1]) >= -LARGEST and max(terms[: count + 1]) <= LARGEST
                return Puzzle(terms[:count], terms[count], derivation) if found and fits else None
        return None

    def explain(self, shown: Any, *, limit: float) -> Explained:
        """Solve for the constants of every family."""
        # Lengths are sums of logarithms: a limit is met in whichever order it was summed.
        return explain_numbers(tuple(shown), round(limit, 6) + 1e-6)

    def changes(self, puzzle: Puzzle, rng: np.random.Generator) -> Sequence[Change]:
        """Put one constant wrong, leave the rule out, or slip by a little.

        The answer must not be the roundest of the options: where all answers of a rule are multiples of something, so
        are the options, as if the slip had been at the first term.
        """
        family, constants, terms = acting(puzzle.derivation, puzzle.shown)
        answer, after = puzzle.answer, family.follow(terms[-2], terms[-1], *constants)
        unit = UNITS.get(family.name, _one)(terms, constants, answer) if after == answer else 1
        sizes = {unit, 2 * unit, 10 * unit}
        if unit == 1 and after is not None:
            sizes.add(abs(answer - puzzle.shown[-1]))
            for place, constant in enumerate(constants):
                wrong = family.follow(terms[-2], terms[-1], *constants[:place], constant + 1, *constants[place + 1 :])
                sizes.add(0 if wrong is None else abs(wrong - after))
        # All options have the answer's sign and as many binary digits, and how large a slip may be follows from these
        # alone: what is refused must not depend on which of the options is the answer, or the others would betray it.
        digits = answer.bit_length()
        fitting = sorted(size for size in sizes if 0 < size < max(3, 2 ** (digits - 3)))
        drawn = rng.random(2 * len(fitting)).tolist()
        order = sorted(range(len(fitting)), key=drawn.__getitem__)[:2]
        shifts = [fitting[at] if drawn[at - len(fitting)] < 0.5 else -fitting[at] for at in order]
        reached = [answer + shift for shift in (*shifts, sum(shifts))]
        if any(one.bit_length() != digits or one * answer <= 0 for one in reached):
            return ()
        return [_shift(shift) for shift in shifts]

    def show(self, shown: Any, presentation: Presentation, *, options: Sequence[Any] = ()) -> PuzzlePrompt:
        """Write the terms in a row or a column."""
        symbols, base = presentation.of("symbols", SYMBOLS[0]), presentation.of("base", BASES[0])
        said = SAID.get(symbols) or SAID.get(base, "")
        question = f"{WORDINGS[presentation.of('wording', 'next')]} {said}".rstrip()
        signs = [write_number(term, symbols=symbols, base=int(base)) for term in shown]
        return row(self.name, signs, presentation, question=question)

    def settle(self, presentation: Presentation) -> Presentation:
        """Write only digits in another base: one says nothing about words and Roman numerals."""
        digits = presentation.of("symbols", SYMBOLS[0]) == SYMBOLS[0]
        return presentation if digits else Presentation({**presentation.chosen, "base": BASES[0]})

    def write(self, value: Any, presentation: Presentation) -> str:
        """Write a number as the presentation has it."""
        base = int(presentation.of("base", BASES[0]))
        return write_number(value, symbols=presentation.of("symbols", SYMBOLS[0]), base=base)

    def read(self, prompt: PuzzlePrompt) -> Any:
        """Read the terms."""
        return self.read_options(prompt, signs_of(prompt))

    def read_options(self, prompt: PuzzlePrompt, options: Sequence[str]) -> Sequence[Any]:
        """Read numbers as the prompt writes them."""
        look = Presentation(prompt.presentation)
        symbols, base = look.of("symbols", SYMBOLS[0]), int(look.of("base", BASES[0]))
        return [read_number(option, symbols=symbols, base=base) for option in options]


def _shift(size: int) -> Change:
    return lambda value: value + size
