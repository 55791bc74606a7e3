"""Geometric analogies: every option is the answer to a puzzle that could as well have been asked."""

import numpy as np
import pytest

from mensura.catalog.puzzles.grammar.figure import FILL, PLACE, SIZE
from mensura.catalog.puzzles.grammar.transformation import transform
from mensura.catalog.puzzles.kinds.find import find_kind
from mensura.catalog.puzzles.making.item import make_item
from mensura.catalog.puzzles.making.proof import prove

KIND = find_kind("geometric-analogy")


def offered(count, *wanted):
    """Draw puzzles of one rule until so many options are of wanted rules; only those are proven."""
    rng = np.random.default_rng(1)
    while count:
        drawn = KIND.draw(rng, rules=1)
        [step] = drawn.derivation.steps if drawn else [None]
        if step and (step.operation in wanted or (step.operation, *step.arguments) in wanted):
            proven = prove(KIND, drawn)
            options = proven and KIND.options(proven[0], rng)
            if options:
                count -= 1
                yield options


def test_options_differ_in_what_the_rule_does():
    """Whoever sees only C, and not what became of A, cannot choose; objects may take each other's place unseen here."""
    seen = [
        len({tuple(sorted((one[SIZE], one[PLACE]) for one in option)) for option in options})
        for options in offered(30, "scale", "translate")
    ]
    assert np.mean(np.array(seen) == 2) > 0.9


def test_no_option_is_told_by_fills_that_a_swap_could_not_leave():
    """Two objects that exchange fills have different ones, in the answer as in all that is offered."""
    for options in offered(5, ("swap", "fill")):
        assert all(option[0][FILL] != option[1][FILL] for option in options)


def test_every_option_answers_a_puzzle_that_has_the_same_options():
    """The four are equally likely only if each of them could have been the answer, by the same two rules and two C."""
    rng, met = np.random.default_rng(3), 0
    while met < 15:
        drawn = KIND.draw(rng, rules=int(rng.integers(1, 4)))
        proven = drawn and prove(KIND, drawn)
        options = proven and KIND.options(proven[0], rng)
        if not options:
            continue
        met += 1
        # What is answered is explained without the options: among them it stands once, as do its three neighbours.
        assert sum(option == proven[0].answer for option in options) == 1
        assert len({str(option) for option in options}) == KIND.offered
        # No rule may be hidden by the others: without any one of them B is another figure.
        first, second, _ = (tuple(tuple(one) for one in figure) for figure in proven[0].shown)
        for place in range(len(drawn.derivation.steps)):
            rest = [*drawn.derivation.steps[:place], *drawn.derivation.steps[place + 1 :]]
            assert transform(first, rest) != second


WIDEST = 48
"""More numbers than the objects of any figure have."""


def matched(figure, other):
    """Count what differs between two figures, each object beside the one most like it."""
    each = [min(sum(x != y for x, y in zip(a, b, strict=True)) for b in other) for a in figure]
    return sum(each) + 3 * abs(len(figure) - len(other))


@pytest.mark.proof
def test_boosted_trees_that_know_how_options_differ_find_no_answer():
    """Another guesser than the forest of all kinds: objects matched, distances sorted, each object by itself."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    rows, right = [], []
    for number in range(8000):
        structure, look = (np.random.default_rng([number, stream]) for stream in (5, 6))
        item = make_item(KIND, structure=structure, presentation=look)
        options = KIND.read_options(item.prompt, item.space.options)
        apart = np.array([[matched(a, b) + matched(b, a) for b in options] for a in options])
        plain = [[*map(float, np.ravel(sorted(one, key=lambda o: o[SIZE])))] for one in options]
        padded = [[*one, *[-1.0] * (WIDEST - len(one))] for one in plain]
        table = np.hstack([apart.sum(axis=1, keepdims=True), np.sort(apart, axis=1), padded])
        rows.append(np.hstack([table, table - table.mean(axis=0)]))
        right.append(item.space.options.index(item.answer))
    half, truth = len(rows) // 2, np.array(right)
    wanted = np.concatenate([np.arange(KIND.offered) == place for place in right[:half]])
    model = HistGradientBoostingClassifier(max_iter=200, learning_rate=0.05, random_state=0)
    model.fit(np.vstack(rows[:half]), wanted)
    guessed = np.array([model.predict_proba(row)[:, 1].argmax() for row in rows[half:]])
    nearest = np.array([row[:, 0].argmin() for row in rows])
    for guesses, answers in ((guessed, truth[half:]), (nearest, truth)):
        share = np.mean(guesses == answers)
        assert share < 0.25 + 3.1 * np.sqrt(0.1875 / len(answers))
