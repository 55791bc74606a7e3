"""Kinds made of figures: exact explanations, unambiguous items, options that give nothing away, presentations."""

from itertools import combinations, pairwise, product

import numpy as np
import pytest

from mensura.catalog.puzzles.grammar import figure_change
from mensura.catalog.puzzles.grammar.derivation import RuleStep
from mensura.catalog.puzzles.grammar.feature import FEATURES, JOINED, STEPS, TEXTS
from mensura.catalog.puzzles.grammar.figure import PLACE, SIZE, mirror_image
from mensura.catalog.puzzles.grammar.transformation import GRAMMAR, transform
from mensura.catalog.puzzles.kinds.find import find_kind
from mensura.catalog.puzzles.kinds.matrix import RULES, SCALES
from mensura.catalog.puzzles.making.item import ItemOrder, make_item
from mensura.catalog.puzzles.making.proof import SLACK
from mensura.dialogue.canonical import canonical
from tests.catalog.puzzles.blind import bound, rates
from tests.proofs import proofs

COMPARING = {"alike", "distinct", "ordered", "inside", "above"}
KINDS = ("geometric-analogy", "matrix", "odd-one-out", "classification")


def items(name, count, seed=1, **order):
    kind = find_kind(name)
    structure, look = np.random.default_rng(seed), np.random.default_rng(seed + 1)
    return [make_item(kind, structure=structure, presentation=look, order=ItemOrder(**order)) for _ in range(count)]


def drawn(name, count, *, rules=None, seed=3):
    kind, rng = find_kind(name), np.random.default_rng(seed)
    found = []
    while len(found) < count:
        puzzle = kind.draw(rng, rules=rules or int(rng.integers(kind.rules[0], kind.rules[1] + 1)))
        found += [] if puzzle is None else [puzzle]
    return found


# Drawing matrices is quick; the others draw pools of figures.
@pytest.mark.parametrize("name", ["matrix", *proofs(*(name for name in KINDS if name != "matrix"))])
def test_there_are_more_than_a_hundred_thousand_structures(name):
    """Of 10⁵ or fewer, 1 500 draws would meet none twice but once in 7 · 10⁴ times, however likely each is."""
    assert len({canonical([one.shown, one.answer]) for one in drawn(name, 1500)}) == 1500


@pytest.mark.parametrize("name", KINDS)
def test_what_was_drawn_is_among_the_explanations(name):
    kind = find_kind(name)
    for puzzle in drawn(name, 12):
        found = kind.explain(puzzle.shown, limit=puzzle.derivation.length + SLACK).found
        assert any(
            {canonical(step.data()) for step in one.derivation.steps}
            == {canonical(step.data()) for step in puzzle.derivation.steps}
            and canonical(one.answer) == canonical(puzzle.answer)
            for one in found
        )


def by_program(found):
    return {
        (frozenset(canonical(step.data()) for step in one.derivation.steps), canonical(one.answer)) for one in found
    }


def test_analogies_are_explained_by_just_the_programs_that_trying_all_finds():
    kind, steps = find_kind("geometric-analogy"), figure_change.STEPS
    for puzzle in drawn("geometric-analogy", 2, rules=1) + drawn("geometric-analogy", 1, rules=2, seed=8):
        first, second, third = (tuple(tuple(one) for one in figure) for figure in puzzle.shown)
        limit = puzzle.derivation.length + SLACK
        tried = [one for n in (1, 2) for one in combinations(steps, n) if GRAMMAR.length(one) <= limit]
        expected = {
            (frozenset(canonical(step.data()) for step in one), canonical(answer))
            for one in tried
            if transform(first, one) == second and (answer := transform(third, one)) is not None
        }
        assert by_program(kind.explain(puzzle.shown, limit=limit).found) == expected


def complete(rule, rows, scale, name):
    """Say what is missing by a rule, by trying every level: the rule is checked on whole rows only."""
    operation, argument = rule

    def keeps(row):
        if operation == "same":
            return len(set(row)) == 1
        if operation == "progression":
            steps = [b - a for a, b in pairwise(row)]
            return all((step - argument) % 4 == 0 if name == "turn" else step == argument for step in steps)
        if operation == "rotate":
            bits = [f"{value:08b}" for value in row]
            return all(b == a[argument:] + a[:argument] for a, b in pairwise(bits))
        if len(row) < 3:
            return False
        sets = [{n for n in range(8) if value >> n & 1} for value in row]
        return {
            "sum-of-two": row[0] + row[1] == row[2],
            "difference-of-two": row[0] + row[2] == row[1],
            "union": sets[0].union(sets[1]) == sets[2],
            "intersection": sets[0].intersection(sets[1]) == sets[2],
            "exclusive-or": sets[0].symmetric_difference(sets[1]) == sets[2],
            "distribute-three": len(set(row)) == 3 and set(row) == set(rows[0]),
            "distribute-two": row.count(0) == 1 and len(set(row)) == 2,
        }[operation]

    found = [v for v in range(scale.low, scale.high + 1) if all(map(keeps, [*rows[:-1], [*rows[-1], v]]))]
    assert len(found) <= 1
    return found


def test_matrices_are_explained_by_just_the_programs_that_trying_all_finds():
    kind = find_kind("matrix")
    for puzzle in drawn("matrix", 10):
        limit, width = puzzle.derivation.length + SLACK, puzzle.shown["width"]
        each = []
        for place, (name, scale) in enumerate(SCALES.items()):
            values = [cell[place] for cell in puzzle.shown["cells"]]
            rows = [values[start : start + width] for start in range(0, len(values), width)]
            arguments = {rule: (kind.grammar.uses[rule].domains or ((None,),))[0] for rule in RULES[name]}
            each.append(
                [
                    (RuleStep(rule, () if one is None else (one,), name), value)
                    for rule, some in arguments.items()
                    for one in some
                    for value in complete((rule, one), rows, scale, name)
                ]
            )
        expected = {
            (frozenset(canonical(step.data()) for step, _ in one), canonical([value for _, value in one]))
            for one in product(*each)
            if kind.grammar.length(step for step, _ in one) <= limit
        }
        assert by_program(kind.explain(puzzle.shown, limit=limit).found) == expected


def has(figure, feature):
    """Say whether a figure has a feature, in other words than the grammar does."""
    values = (
        [one[("shape", "size", "fill", "turn", "flip", "place").index(feature.on)] for one in figure]
        if feature.on != "figure"
        else []
    )
    pairs = list(combinations(sorted(figure, key=lambda one: one[PLACE] % 3), 2))
    value = {
        "some": feature.value in values,
        "every": set(values) == {feature.value},
        "alike": len(values) > 1 and max(values) == min(values),
        "distinct": len(values) > 1 and all(a != b for a, b in combinations(values, 2)),
        "count": len(figure) == feature.value,
        "inside": len({one[PLACE] for one in figure}) < len(figure),
        "symmetric": mirror_image(figure) == figure,
        "ordered": bool(pairs)
        and all(
            a[PLACE] % 3 < b[PLACE] % 3 and a[1 if feature.on == "size" else 2] < b[1 if feature.on == "size" else 2]
            for a, b in pairs
        ),
        "above": False,
    }[feature.operation]
    if feature.operation == "above" and len(figure) > 1:
        sizes = [one[SIZE] for one in figure]
        large = [one for one in figure if one[SIZE] == max(sizes)]
        small = [one for one in figure if one[SIZE] == min(sizes)]
        value = len(large) == len(small) == 1 and large[0] != small[0] and large[0][PLACE] // 3 < small[0][PLACE] // 3
    return value == feature.holds


@pytest.mark.parametrize("name", ["odd-one-out", "classification"])
def test_features_are_explained_by_just_the_rules_that_trying_all_finds(name):
    kind = find_kind(name)
    for puzzle in drawn(name, 1, rules=1) + drawn(name, 1, rules=2):
        shown = (
            puzzle.shown
            if name == "odd-one-out"
            else [*puzzle.shown["left"], *puzzle.shown["right"], puzzle.shown["new"]]
        )
        figures = [tuple(tuple(one) for one in figure) for figure in shown]
        limit = puzzle.derivation.length + SLACK
        single = min(len(figure) for figure in figures) == 1
        said = [n for n, one in enumerate(FEATURES) if not (single and one.operation in COMPARING)]
        table = [np.array([has(figure, FEATURES[n]) for figure in figures]) for n in said]
        steps_of, texts = [STEPS[n] for n in said], [TEXTS[n] for n in said]
        rules = [((step,), row) for step, row in zip(steps_of, table, strict=True)]
        for joined, (step, row), (text, other) in product(
            JOINED, zip(steps_of, table, strict=True), zip(texts, table, strict=True)
        ):
            if kind.grammar.lengths[step.operation] + kind.grammar.lengths[joined] <= limit:
                merged = {"intersection": row & other, "union": row | other, "exclusive-or": row != other}[joined]
                rules.append(((step, RuleStep(joined, (text,), "figure")), merged))
        expected = set()
        for steps, row in rules:
            if kind.grammar.length(steps) > limit:
                continue
            if name == "odd-one-out" and row.sum() == 4:
                expected.add((frozenset(canonical(step.data()) for step in steps), canonical(int(np.argmin(row)))))
            if name == "classification" and row[:6].all() and not row[6:12].any():
                expected.add((frozenset(canonical(s.data()) for s in steps), canonical("left" if row[12] else "right")))
        assert by_program(kind.explain(puzzle.shown, limit=limit).found) == expected


@pytest.mark.parametrize("name", KINDS)
def test_a_raster_carries_no_attributes_and_tells_all_options_apart(name):
    kind = find_kind(name)
    for item in items(name, 2, presentation="form=pixels"):
        cells = [cell for cell in (*item.prompt.cells, *item.prompt.options) if cell["type"] != "gap"]
        assert {key for cell in cells for key in cell} <= {"type", "rows", "words", "label"}
        assert len({tuple(cell["rows"]) for cell in item.prompt.options}) == len(item.prompt.options)
        assert kind.read(item.prompt) is None


def vector(name, option):
    if name == "matrix":
        return [*option[:5], bin(option[5]).count("1"), *(option[5] >> n & 1 for n in range(8))]
    columns = np.array(option)
    return [len(option), *columns.mean(0), *columns.min(0), *columns.max(0)]


@pytest.mark.parametrize(("name", "count"), proofs(("geometric-analogy", 8000), ("matrix", 4000)))
def test_nobody_finds_the_answer_in_the_options_alone(name, count):
    kind, made = find_kind(name), items(name, count, seed=21)
    read = [kind.read_options(item.prompt, item.space.options) for item in made]
    options = [np.array([vector(name, option) for option in one], float) for one in read]
    right = [item.space.options.index(item.answer) for item in made]
    found = rates(options, right, features=options[0].shape[1])
    chance = 1 / kind.offered
    assert {
        guess: rate for guess, rate in found.items() if rate > bound(chance, count, len(found)) and guess != "fitted"
    } == {}
    assert found["fitted"] <= bound(chance, count - count // 2, len(found))


def test_each_option_of_a_matrix_differs_in_attributes_that_half_of_them_share():
    kind = find_kind("matrix")
    for item in items("matrix", 6):
        options = np.array(kind.read_options(item.prompt, item.space.options))
        assert all(sorted(np.unique(column, return_counts=True)[1].tolist()) in ([4, 4], [8]) for column in options.T)


def test_a_derivation_says_how_a_matrix_is_continued():
    """Known answers: sizes go up, marks are joined, all else stays."""
    kind = find_kind("matrix")
    rows = [[[4, n, 1, 0, 2, marks] for n, marks in enumerate(sets)] for sets in ((1, 2, 3), (4, 8, 12), (16, 32, 0))]
    shown = {"width": 3, "cells": [cell for row in rows for cell in row][:-1]}
    found = kind.explain(shown, limit=100).found
    assert {canonical(one.answer) for one in found if one.derivation.steps[5].operation == "union"} == {
        "[4,2,1,0,2,48]"
    }
