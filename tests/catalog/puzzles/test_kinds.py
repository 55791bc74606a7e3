"""Every kind keeps one table of promises: unique, readable, blind to its options, apart from its presentation."""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from itertools import islice, product
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest, rankdata

from mensura.catalog.puzzles.grammar.load import load_of
from mensura.catalog.puzzles.kinds.find import PLACES, find_kind
from mensura.catalog.puzzles.kinds.kind import Kind
from mensura.catalog.puzzles.making.item import ItemOrder, MadeItem, make_item
from mensura.catalog.puzzles.making.proof import SLACK
from mensura.catalog.puzzles.making.wanted import Wanted
from mensura.catalog.puzzles.showing.presentation import Presentation, choose
from mensura.catalog.puzzles.showing.prompt import LETTERS, PuzzlePrompt
from mensura.dialogue.canonical import canonical
from mensura.errors import MissingExtra

KINDS = [name for name, place in PLACES.items() if find_spec("mensura.catalog.puzzles.kinds." + place.split(":")[0])]
FEW = 200
DEAR = {"geometric-analogy": 50, "odd-one-out": 90, "classification": 90, "grid": 90, "letter-string": 150}
COUNTS = {name: DEAR.get(name, FEW) for name in KINDS} | {"number-series": 730}
"""Two thousand over the ten kinds, fewer of those that are slow to prove; the proofs make a hundred thousand."""
CHANCE = 1e-4
"""Twelve rules for each of ten kinds are held against chance: one in eighty such tables would fail by bad luck."""
FORMS_FOR_THE_EYE = {"pixels", "features"}


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    try:
        return find_kind(request.param)
    except MissingExtra as missing:
        pytest.skip(str(missing))


def made(kind: Kind, *, start: int = 0, order: ItemOrder = ItemOrder()) -> Iterator[MadeItem]:
    """Make items one after the other, each from streams of its own."""
    while True:
        structure, presentation = (np.random.default_rng([start, stream]) for stream in (1, 2))
        yield make_item(kind, structure=structure, presentation=presentation, order=order)
        start += 1


@cache
def few(kind: Kind) -> list[MadeItem]:
    return list(islice(made(kind), COUNTS[kind.name]))


def options_of(kind: Kind, item: MadeItem) -> list[Any]:
    return list(kind.read_options(item.prompt, item.space.options))


def right(item: MadeItem) -> int:
    return item.space.options.index(item.answer)


def check_unique(kind: Kind, item: MadeItem) -> None:
    """Ask for all programs again: no other answer is as simple, or those that are good are weighed."""
    puzzle, limit = item.puzzle, item.proof.complexity + 1e-3
    found = kind.explain(puzzle.shown, limit=limit).found
    assert canonical(puzzle.answer) in {canonical(one.answer) for one in found}
    assert min(one.derivation.length for one in found) == pytest.approx(puzzle.derivation.length)
    assert all(one.derivation.length <= limit + SLACK for one in found)
    if kind.unique:
        assert {canonical(one.answer) for one in found} == {canonical(puzzle.answer)}
        assert puzzle.answers == ()
    else:
        worth = [weight for _, weight in puzzle.answers]
        assert canonical(puzzle.answers[0][0]) == canonical(puzzle.answer)
        assert worth == sorted(worth, reverse=True)
        assert worth[0] == 1
        assert worth[-1] > 0
        assert len({canonical(answer) for answer, _ in puzzle.answers}) == len(worth)


def test_no_item_has_another_answer_as_simple(kind):
    for item in few(kind):
        check_unique(kind, item)


@pytest.mark.proof
def test_no_item_of_ten_thousand_has_another_answer_as_simple(kind):
    for item in islice(made(kind, start=10**6), 10_000):
        check_unique(kind, item)


@pytest.mark.proof
def test_there_are_more_than_a_hundred_thousand_structures(kind):
    """Of 10⁵ structures 2 000 draws would meet 20 twice, and more if some are likelier: fewer than 5 refute it."""
    most = ItemOrder(Wanted({"rules": (kind.rules[1],) * 2}), form="construct")
    structures = {item.structure for item in islice(made(kind, start=10**7, order=most), 2_000)}
    assert len(structures) > 1_995


def test_the_grammar_has_eight_operations(kind):
    assert kind.grammar.kind == kind.name
    assert len(kind.grammar.uses) >= 8 or kind.name == "mental-rotation"


def test_it_can_be_presented_on_two_axes(kind):
    assert sum(len(values) > 1 for values in kind.axes.values()) >= 2


def test_every_number_of_rules_is_reached(kind):
    low, high = kind.rules
    for rules in range(low, high + 1):
        for item in islice(made(kind, order=ItemOrder(Wanted({"rules": (rules, rules)}))), 3):
            assert item.load.rules == rules


def test_loads_follow_from_the_derivation_and_rules_from_the_grammar(kind):
    for item in few(kind):
        assert load_of(item.puzzle.derivation) == item.load
        for step in item.puzzle.derivation.steps:
            assert kind.grammar.step(step.operation, *step.arguments, on=step.on) == step
        assert kind.rules[0] <= item.load.rules <= kind.rules[1]
        assert item.load.size >= 1


def presentations(kind: Kind) -> list[Presentation]:
    """List every combination, or every value once and a hundred drawn where these are too many."""
    every = [dict(zip(kind.axes, values, strict=True)) for values in product(*kind.axes.values())]
    if len(every) > 300:
        plain = {axis: values[0] for axis, values in kind.axes.items()}
        every = [plain | {axis: value} for axis, values in kind.axes.items() for value in values]
        rng = np.random.default_rng(1)
        every += [dict(choose(kind.axes, "mixed", rng).chosen) for _ in range(100)]
    return [Presentation(chosen) for chosen in every]


def test_what_is_shown_can_be_read_back_in_every_presentation(kind):
    items = few(kind)
    for number, look in enumerate(presentations(kind)):
        item = items[number % len(items)]
        options = options_of(kind, item)
        prompt = replace(kind.show(item.puzzle.shown, look, options=options), presentation=look.as_json())
        prompt = PuzzlePrompt.read(json.loads(canonical(prompt.data())))
        assert prompt.puzzle == kind.name
        assert prompt.question
        assert all(cell["words"] for cell in prompt.cells)
        read = kind.read(prompt)
        if look.of("form") in FORMS_FOR_THE_EYE:
            continue
        assert canonical(read) == canonical(item.puzzle.shown), look
        written = [kind.write(option, look) for option in options]
        assert len(set(written)) == len(written)
        named = list(LETTERS[: len(written)]) if prompt.options else written
        assert canonical(kind.read_options(prompt, named)) == canonical(options), look


def test_options_differ_and_hold_the_answer_once(kind):
    for item in few(kind):
        options = [canonical(option) for option in options_of(kind, item)]
        assert len(set(options)) == len(options) == kind.offered
        assert options.index(canonical(item.puzzle.answer)) == right(item)
        assert len(set(item.space.options)) == kind.offered


def test_how_it_looks_changes_nothing_of_what_it_is(kind):
    looks = set()
    for number, item in enumerate(few(kind)[:5]):
        structure, presentation = np.random.default_rng([number, 1]), np.random.default_rng([number, 3])
        other = make_item(kind, structure=structure, presentation=presentation, order=ItemOrder(presentation="mixed"))
        assert other.structure == item.structure
        assert other.load == item.load
        assert other.proof == item.proof
        assert right(other) == right(item)
        looks.add(canonical(other.presentation.as_json()))
        unlike = make_item(
            kind,
            structure=np.random.default_rng([number, 4]),
            presentation=np.random.default_rng([number, 3]),
            order=ItemOrder(presentation="mixed"),
        )
        assert unlike.presentation == other.presentation
    assert len(looks) > 1


def leaves(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, Any]]:
    """Walk through a value: every number or text in it, with its place."""
    if isinstance(value, dict | list | tuple):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(part, (*at, key))
    else:
        yield at, value


FEATURES = ("position", "length", "leaves", "value", "likeness", "closeness")


def features(options: list[Any], written: tuple[str, ...]) -> np.ndarray:
    """Describe each option by what someone sees who sees nothing else: one row each, in the order of `FEATURES`."""
    walked = [set(leaves(option)) for option in options]
    values = [sum(leaf for _, leaf in one if isinstance(leaf, int | float)) for one in walked]
    rows = [
        (
            place,
            len(written[place]),
            len(mine),
            values[place],
            sum(len(mine & other) / len(mine | other) for other in walked) if mine else 0,
            -sum(abs(values[place] - value) for value in values),
        )
        for place, mine in enumerate(walked)
    ]
    return np.array(rows, dtype=float)


def check_blind(kind: Kind, items: list[MadeItem]) -> None:
    """Let someone guess who sees only options: by the most or least of each feature, and by a trained classifier."""
    from sklearn.ensemble import RandomForestClassifier

    seen = [features(options_of(kind, item), item.space.options) for item in items]
    truth = [right(item) for item in items]
    rng = np.random.default_rng(7)
    for column, name in enumerate(FEATURES):
        for sign in (1, -1):
            # Ties are broken by chance: the noise is far smaller than any difference.
            hits = [
                int(np.argmax(sign * one[:, column] + 1e-9 * rng.random(len(one)))) == answer
                for one, answer in zip(seen, truth, strict=True)
            ]
            guessed = binomtest(sum(hits), len(hits), 1 / kind.offered)
            assert guessed.pvalue > CHANCE, f"{name} ({sign}) finds {sum(hits)} of {len(hits)}"
    described = [np.hstack([one, rankdata(one, axis=0), one % 2, one % 3, one % 5, np.sign(one)]) for one in seen]
    half = len(items) // 2
    marked = [np.arange(kind.offered) == answer for answer in truth]
    forest = RandomForestClassifier(n_estimators=30, min_samples_leaf=10, random_state=0)
    forest.fit(np.vstack(described[:half]), np.hstack(marked[:half]))
    hopes = forest.predict_proba(np.vstack(described[half:]))[:, 1].reshape(-1, kind.offered)
    hits = np.argmax(hopes + 1e-9 * rng.random(hopes.shape), axis=1) == truth[half:]
    guessed = binomtest(int(sum(hits)), len(hits), 1 / kind.offered, alternative="greater")
    assert guessed.pvalue > CHANCE, f"A classifier finds {sum(hits)} of {len(hits)}"


def test_the_options_alone_do_not_give_the_answer_away(kind):
    check_blind(kind, few(kind))


@pytest.mark.proof
def test_the_options_of_many_items_do_not_give_the_answer_away(kind):
    check_blind(kind, list(islice(made(kind, start=10**8), 4_000)))
