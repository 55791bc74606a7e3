"""Rotation: mirror images differ, turns do not, and the four tell nothing of the one."""

from itertools import combinations

import numpy as np
import pytest

from mensura.catalog.puzzles.grammar.cells import mirrored, turned
from mensura.catalog.puzzles.kinds import mental_rotation
from mensura.catalog.puzzles.kinds.mental_rotation import MentalRotation
from mensura.catalog.puzzles.making.item import ItemOrder, make_item
from mensura.catalog.puzzles.making.wanted import Wanted
from tests.catalog.puzzles.kinds.blind_subject import leaks

KIND = MentalRotation()


def made(count, *, start=0, **order):
    for number in range(start, start + count):
        structure, look = (np.random.default_rng([number, stream]) for stream in (1, 2))
        yield make_item(KIND, structure=structure, presentation=look, order=ItemOrder(**order))


def filled(part):
    image = np.zeros((12, 12), dtype=int)
    for x, y in part:
        image[y, x] = 1
    return image[: image.any(axis=1).sum(), : image.any(axis=0).sum()]


def lies(part):
    """List the four ways to lie as texts, by arrays of numpy rather than by cells."""
    return {str(np.rot90(filled(part), turn).tolist()) for turn in range(4)}


def features(parts):
    images = [filled(part) for part in parts]
    return [
        number
        for image in images
        for number in (*image.shape, image.sum(), image.sum(axis=0).argmax(), image.sum(axis=1).argmax(), image[0, 0],
                       float(np.mean([x - y for y, x in np.argwhere(image)])))
    ]  # fmt: skip


def test_one_of_the_four_is_the_figure_turned_and_no_other_even_in_part():
    for item in made(60):
        shown, answer = item.puzzle.shown, item.puzzle.answer
        for place, one in enumerate(shown["four"]):
            alike = [bool(lies(part) & lies(wanted)) for part, wanted in zip(one, shown["figure"], strict=True)]
            assert all(alike) == (place == answer)
        assert shown["figure"] != shown["four"][answer]


def test_no_figure_is_left_as_it_is_by_a_turn_and_forms_differ_by_more_than_turns():
    for item in made(60):
        for part in zip(*item.puzzle.shown["four"], strict=True):
            assert all(len(lies(one)) == 4 for one in part)
        whole = [[frozenset(lies(part)) for part in one] for one in item.puzzle.shown["four"]]
        assert all(one != other for one, other in combinations(whole, 2))


# In the quick suite the table of all kinds has a blind subject too.
@pytest.mark.proof
@pytest.mark.parametrize("rules", [1, 2])
def test_the_four_alone_do_not_give_the_answer_away(rules):
    items = [(one.puzzle.shown["four"], one.puzzle.answer) for one in made(120, load=Wanted({"rules": (rules, rules)}))]
    assert leaks(items, features) == {}


@pytest.mark.proof
@pytest.mark.parametrize("rules", [1, 2])
def test_the_four_of_many_items_do_not_give_the_answer_away(rules):
    items = [
        (one.puzzle.shown["four"], one.puzzle.answer)
        for one in made(6000, start=10**6, load=Wanted({"rules": (rules, rules)}))
    ]
    assert leaks(items, features) == {}


HOOK = ((0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 3))


def test_a_pair_whose_figures_have_only_changed_places_is_not_another_one():
    forms = [HOOK, mirrored(HOOK)]
    four = [[list(map(list, turned(one, 1))), list(map(list, turned(other, 2)))] for one in forms for other in forms]
    for answer, expected in ((0, {0}), (1, {1, 2}), (2, {1, 2}), (3, {3})):
        figure = [list(map(list, turned(tuple(map(tuple, part)), 3))) for part in four[answer]]
        found = KIND.explain({"figure": figure, "four": four}, limit=20.0).found
        assert {one.answer for one in found} == expected


def test_forms_that_would_give_such_pairs_are_not_drawn(monkeypatch):
    monkeypatch.setattr(mental_rotation, "_forms", lambda rng, single: [HOOK, mirrored(HOOK)])
    assert KIND.draw(np.random.default_rng(1), rules=2) is None


def test_turns_are_found_by_trying_all_of_them():
    for item in made(20, load=Wanted({"rules": (2, 2)})):
        explained = KIND.explain(item.puzzle.shown, limit=20.0)
        turns = [tuple(step.arguments[0] for step in one.derivation.steps) for one in explained.found]
        figure, one = item.puzzle.shown["figure"], item.puzzle.shown["four"][item.puzzle.answer]
        for place, (part, wanted) in enumerate(zip(figure, one, strict=True)):
            by_image = [turn for turn in (1, 2, 3) if np.array_equal(np.rot90(filled(part), -turn), filled(wanted))]
            assert by_image == [turns[0][place]]
        assert len(turns) == 1
        assert explained.checked == 9


def test_a_subject_that_sees_only_the_four_would_be_found_out():
    """Answers moved to the option with the most squares at the left are guessed."""
    items = []
    for one in made(120, load=Wanted({"rules": (1, 1)})):
        four = one.puzzle.shown["four"]
        items.append((four, int(np.argmax([features(parts)[6] for parts in four]))))
    assert leaks(items, features)
