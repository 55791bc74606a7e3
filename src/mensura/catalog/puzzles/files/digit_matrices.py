"""Digit matrices: Webb, Holyoak and Lu's problems, their load in our grammar, and how well people and GPT-3 did.

Problems come as JSON: type of problem → `[cells, choices, place of the right choice]`, each cell and choice a list of
digits. Accuracies come as a table with a row for each condition: who answered, the condition, how many answers there
were, and how many were right when they were generated and when they were chosen.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from mensura.catalog.puzzles.grammar.derivation import Derivation, Grammar, RuleStep, Use
from mensura.catalog.puzzles.grammar.load import PARTS, Load, load_of
from mensura.catalog.puzzles.grammar.row import Levels, kept
from mensura.catalog.puzzles.showing.prompt import GAP, PuzzlePrompt
from mensura.dialogue import Choice
from mensura.errors import BadFile
from mensura.json_file import loads
from mensura.stats import Estimate, record_generator, without_interval
from mensura.stats.intervals.sample import Floats
from mensura.table_file import read_table
from mensura.text_file import read_text

PLACES = ("first", "second", "third")
GRAMMAR = Grammar(
    "digit-matrix",
    {
        "same": Use(),
        "progression": Use(((1, -1, 2, -2),)),
        "distribute-three": Use(),
        "union": Use(),
        "intersection": Use(),
        "exclusive-or": Use(),
        "remove": Use(),
        "difference-of-two": Use(),
    },
    (*PLACES, "set"),
)
DIGIT, SET = Levels(0, 9), Levels(0, 2**10 - 1)
BY_PLACE = ("same", "progression", "distribute-three")
BY_SET = ("same", "union", "intersection", "remove", "difference-of-two", "exclusive-or", "distribute-three")
TYPES = ("one rule", "two rules", "three rules", "logic")
LOGIC = TYPES.index("logic")
RULE_NAMES = ("constant", "distribution of three", "progression")
PUBLISHED = ("prob_type", "N_unique_rules", "onerule_rule_type", "aligned_permuted", "tworule_prog_noprog")
"""The columns of the published answers that make a condition, in its order."""
RESAMPLES = 999
Digits = tuple[int, ...]


@dataclass(frozen=True, order=True)
class Condition:
    """What the published file says of a problem; -1 where it does not apply.

    Parameters
    ----------
    rules
        0 to 2 for one to three rules, 3 for logic (sets).
    unique
        How many different rules there are, less one.
    rule
        Of a single rule: 0 constant, 1 distribution of three, 2 progression.
    permuted
        Of logic: whether the digits of a set stand in any order.
    progression
        Of two rules: whether one is a progression.
    """

    rules: int
    unique: int = 0
    rule: int = -1
    permuted: int = -1
    progression: int = -1

    @property
    def words(self) -> str:
        """Return the rule condition in words."""
        said = [f"{self.unique + 1} different rule{'s' if self.unique else ''}"]
        said += [RULE_NAMES[self.rule]] if self.rule >= 0 else []
        said += ["in any order" if self.permuted else "aligned"] if self.permuted >= 0 else []
        said += ["with progression" if self.progression else "without progression"] if self.progression >= 0 else []
        return ", ".join(said)


@dataclass(frozen=True)
class DigitMatrix:
    """One problem: eight cells, the choices for the ninth, and the place of the right one."""

    type: str
    cells: tuple[Digits, ...]
    choices: tuple[Digits, ...]
    right: int

    @property
    def prompt(self) -> PuzzlePrompt:
        """The problem as a puzzle of text cells."""
        cells = [{"type": "text", "text": written(cell), "words": written(cell)} for cell in self.cells]
        return PuzzlePrompt("matrix", "Which digits are missing?", [*cells, GAP], "matrix:3")

    @property
    def space(self) -> Choice:
        """What may be chosen."""
        return Choice(tuple(written(choice) for choice in self.choices))


@dataclass(frozen=True)
class Accuracy:
    """How many answers were right under a condition."""

    who: str
    condition: Condition
    count: int
    generated: int
    chosen: int


def written(digits: Digits) -> str:
    """Write a cell as it was shown to people.

    >>> written((5, 7))
    '[5 7]'
    """
    return f"[{' '.join(map(str, digits)) or ' '}]"


def read_problems(path: Path) -> list[DigitMatrix]:
    """Read problems from JSON."""
    try:
        return [
            DigitMatrix(name, tuple(map(tuple, cells)), tuple(map(tuple, choices)), right)
            for name, problems in loads(read_text(path)).items()
            for cells, choices, right in problems
        ]
    except (ValueError, TypeError, AttributeError) as problem:
        raise BadFile(f"{path} holds no digit matrices: expected type → [cells, choices, right]; {problem}.") from None


def read_accuracies(path: Path) -> list[Accuracy]:
    """Read accuracies from a table with the columns of `Condition` and `who`, `count`, `generated`, `chosen`.

    The published file has a row for each answer instead: its answers are counted.
    """
    rows = [row for _, row in read_table(path, ())]
    if not rows:
        raise BadFile(f"{path} holds no accuracies of digit matrices. Write a row for each condition.")
    try:
        if "subjID" in rows[0]:
            return _counted(rows)
        return [
            Accuracy(
                row["who"],
                Condition(*(int(row[name]) for name in ("rules", "unique", "rule", "permuted", "progression"))),
                *(int(row[name]) for name in ("count", "generated", "chosen")),
            )
            for row in rows
        ]
    except (KeyError, ValueError) as problem:
        raise BadFile(f"{path} holds no accuracies of digit matrices: {problem}.") from None


def _counted(rows: Iterable[dict[str, str]]) -> list[Accuracy]:
    """Count single answers by who gave them and by condition."""
    counts: dict[tuple[str, Condition], list[int]] = {}
    for row in rows:
        condition = Condition(*(int(row[name]) for name in PUBLISHED))
        count = counts.setdefault((("people", "GPT-3")[int(row["human_vs_gpt"])], condition), [0, 0, 0])
        for place, right in enumerate((1, int(row["gen_correct_pred"]), int(row["MC_correct_pred"]))):
            count[place] += right
    return [Accuracy(*key, *count) for key, count in sorted(counts.items())]


def derive(problem: DigitMatrix) -> Derivation | None:
    """Return the shortest program of the grammar that gives all cells and the right choice, None where none does."""
    answer = problem.choices[problem.right]
    cells = (*problem.cells, answer)
    found: list[tuple[RuleStep, ...]] = []
    if len({len(cell) for cell in cells}) == 1 and len(answer) <= len(PLACES):
        columns = list(zip(*cells, strict=True))
        found += product(*(_steps(PLACES[n], BY_PLACE, column, DIGIT) for n, column in enumerate(columns)))
    if not found:
        # Only where no rule holds by place: a set says nothing of the order of its digits.
        values = [sum(1 << digit for digit in set(cell)) for cell in cells]
        found += [(step,) for step in _steps("set", BY_SET, values, SET)]
    best = min(found, key=GRAMMAR.length, default=None)
    return None if best is None else Derivation(GRAMMAR, best, size=3)


def _steps(target: str, names: Iterable[str], values: Iterable[int], scale: Levels) -> list[RuleStep]:
    *shown, last = values
    rows = [shown[0:3], shown[3:6], shown[6:8]]
    tried = [step for name in names for step in GRAMMAR.steps(name, target)]
    return [step for step in tried if kept(step.operation, (step.arguments or (0,))[0], rows, scale) == last]


def condition_of(problem: DigitMatrix) -> Condition:
    """Return the condition of the published file to which a problem belongs."""
    cells = (*problem.cells, problem.choices[problem.right])
    if not problem.type.startswith(("row_", "col_", "dist3", "prog", "two_", "three_")):
        return Condition(3, permuted=int(problem.type.endswith("_permuted")))
    rules = [_rule([cell[n] for cell in cells]) for n in range(len(cells[0]))]
    unique = len(set(rules)) - 1
    if len(rules) == 1:
        return Condition(0, rule=rules[0])
    return Condition(len(rules) - 1, unique, progression=int(2 in rules) if len(rules) == 2 else -1)


def _rule(values: list[int]) -> int:
    rows = [values[0:3], values[3:6], values[6:9]]
    if all(len(set(row)) == 1 for row in rows) or rows[0] == rows[1] == rows[2]:
        return 0
    return 1 if set(rows[0]) == set(rows[1]) == set(rows[2]) else 2


def loads_by_condition(problems: Iterable[DigitMatrix]) -> dict[Condition, dict[str, float]]:
    """Return the mean load of the problems of each condition, by the names of its parts."""
    loads: dict[Condition, list[Load]] = {}
    for problem in problems:
        derivation = derive(problem)
        if derivation is not None:
            loads.setdefault(condition_of(problem), []).append(load_of(derivation))
    return {
        condition: {part: sum(getattr(one, part) for one in found) / len(found) for part in PARTS}
        for condition, found in sorted(loads.items())
    }


@dataclass(frozen=True)
class LoadRelation:
    """How the share of people's wrong answers goes with a part of the load, over conditions of the published file."""

    part: str
    every: Estimate
    """Over all conditions."""
    without_logic: Estimate
    """Over those of rules by place: logic is one short rule, yet hard."""


def load_relations(
    problems: Iterable[DigitMatrix], accuracies: Iterable[Accuracy], *, who: str = "people", chosen: bool = False
) -> list[LoadRelation]:
    """Estimate the rank correlation of each part of the load with the share of wrong answers, over conditions.

    The file names no problems, so that nothing is calibrated: a condition is a row. Intervals are by bootstrap of the
    answers within each condition, and speak of answers like these to the same conditions.
    """
    loads = loads_by_condition(problems)
    rows = [row for row in accuracies if row.who == who]
    right = np.array([row.chosen if chosen else row.generated for row in rows])
    count = np.array([row.count for row in rows])
    drawn = record_generator(right).binomial(count, right / count, size=(RESAMPLES, len(rows)))
    wrong = 1 - np.vstack([right, drawn]) / count
    by_place = np.array([row.condition.rules < LOGIC for row in rows])
    return [
        LoadRelation(part, _ranked(values, wrong), _ranked(values[by_place], wrong[:, by_place]))
        for part in PARTS
        for values in [np.array([loads[row.condition][part] for row in rows])]
    ]


def _ranked(load: Floats, wrong: Floats) -> Estimate:
    from scipy.stats import rankdata

    if len(np.unique(load)) < 2:
        return without_interval(float("nan"), n=len(load), reason="all conditions have one load")
    ranks = rankdata(wrong, axis=1)
    own = rankdata(load)
    found = np.array([float(np.corrcoef(own, row)[0, 1]) if row.std() else 0.0 for row in ranks])
    low, high = np.percentile(found[1:], [2.5, 97.5])
    return Estimate(
        float(found[0]), float(low), float(high), len(load), "rank correlation, bootstrap of answers", "answers"
    )


def digit_matrices_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Return each problem as a line of our format, with its load where our rules derive it."""
    for number, problem in enumerate(read_problems(Path(path))):
        derivation = derive(problem)
        yield {
            "id": f"digits-{number}",
            "kind": "matrix",
            "prompt": problem.prompt.data(),
            "options": list(problem.space.options),
            "answer": written(problem.choices[problem.right]),
            "derivation": derivation.data() if derivation else None,
            "load": load_of(derivation).as_json() if derivation else None,
            "tags": ["matrix", "digits", problem.type],
            "grammar": GRAMMAR.id,
            "source": "Webb, Holyoak & Lu, digit matrices",
            "licence": "Apache-2.0",
        }
