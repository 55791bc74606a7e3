import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.probs import published_probs
from mensura.catalog.sensemaking.solving.distribution import (
    divergence,
    entropy,
    floor,
    integer_percents,
    negentropy,
    similarity,
)
from mensura.catalog.sensemaking.solving.information import MENU, best_layers, expected_gain, joint_gain
from mensura.catalog.sensemaking.solving.waves import WaveBelief, solve_waves

weights = st.lists(st.floats(0.001, 1000), min_size=4, max_size=4)
beliefs = st.lists(st.floats(0.01, 1), min_size=4, max_size=4).map(lambda p: np.array(p) / sum(p))


@given(weights)
def test_floored_distribution_sums_to_one_and_keeps_its_order(values):
    found = floor(values)
    assert found.sum() == pytest.approx(1)
    assert found.min() > 0
    big = np.argsort(values, kind="stable")
    assert (np.diff(found[big]) >= -1e-12).all() or found.min() < 0.01 + 1e-9


def test_nan_anywhere_makes_the_floored_distribution_unknown():
    assert np.isnan(floor([np.nan, 1, 1, 1])).all()
    assert np.isnan(similarity([np.nan, 0.5], [0.5, 0.5]))


@given(beliefs, beliefs)
def test_divergence_is_never_negative_and_zero_only_for_the_same(first, second):
    assert float(divergence(first, second)) >= -1e-12
    assert float(divergence(first, first)) == pytest.approx(0, abs=1e-12)


def test_negentropy_runs_from_zero_to_one():
    assert float(negentropy([0.25] * 4)) == 0
    assert float(negentropy([0, 0, 1, 0])) == 1


@given(st.lists(st.integers(0, 100), min_size=2, max_size=4))
def test_whole_percents_sum_to_a_hundred(raw):
    found = integer_percents(raw)
    if sum(raw) > 0:
        assert found.sum() == 100
        assert (found == np.floor(found)).all()


@given(beliefs)
def test_mutual_information_is_the_expected_drop_of_entropy(prior):
    """By brute force over the joint distribution of group and report."""
    probs = published_probs()
    for layer in MENU:
        table = np.array([probs.likelihood(layer, o) for o in probs.outcomes(layer)])
        joint = table / table.sum(axis=0) * prior
        chance = joint.sum(axis=1)
        drop = float(entropy(prior)) - sum(
            c * float(entropy(row / c)) for c, row in zip(chance, joint, strict=True) if c > 0
        )
        assert expected_gain(prior, layer) == pytest.approx(drop, abs=1e-9)
        assert joint_gain(prior, [layer]) == pytest.approx(drop, abs=1e-9)


@given(beliefs)
def test_the_chain_rule_holds_for_two_layers(prior):
    probs = published_probs()
    first, second = Layer("IMINT"), Layer("SIGINT", "B")
    table = np.array([probs.likelihood(first, o) for o in probs.outcomes(first)])
    joint = table / table.sum(axis=0) * prior
    after = sum(c * expected_gain(row / c, second) for c, row in zip(joint.sum(axis=1), joint, strict=True))
    assert joint_gain(prior, [first, second]) == pytest.approx(expected_gain(prior, first) + after, abs=1e-9)


def test_certainty_leaves_nothing_to_gain():
    for layer in MENU:
        assert expected_gain([1, 0, 0, 0], layer) == pytest.approx(0, abs=1e-12)


def test_ties_are_all_named():
    assert best_layers([0.25] * 4, menu=[layer for layer in MENU if layer.kind == "SIGINT"]) == tuple(
        Layer("SIGINT", group) for group in "ABCD"
    )


def test_two_reports_are_expected_to_bring_what_the_first_brings_and_the_second_brings_then():
    """The chain rule of mutual information, with the second gain weighed over what the first may report."""
    prior, groups = np.array([0.35, 0.3, 0.2, 0.15]), "ABCD"
    for first, second in itertools.combinations(MENU, 2):
        outcomes = published_probs().outcomes(first, groups=groups)
        table = np.array([published_probs().likelihood(first, outcome, groups=groups) for outcome in outcomes])
        joint = prior * table / table.sum(axis=0)
        later = sum(part.sum() * expected_gain(part / part.sum(), second) for part in joint)
        assert joint_gain(prior, [first, second]) == pytest.approx(expected_gain(prior, first) + later)


def test_wave_filter_agrees_with_enumerating_all_paths_of_groups(final_exam):
    """Three trials, all 4 x 4 x 4 paths of attackers weighed one by one."""
    probs = published_probs()
    steps = solve_waves(final_exam)
    task = final_exam.tasks[7]
    belief = WaveBelief(final_exam)
    groups = "ABCD"

    def move(a, b):
        return probs.stay if a == b else (1 - probs.stay) / 3

    site = {}
    for t in range(3):
        table = belief.sites_given_group(task.trials[t])
        site[t] = table[:, int(task.trials[t].truth_site) - 1]
    weight = dict.fromkeys(groups, 0.0)
    for path in itertools.product(range(4), repeat=3):
        w, before = 1.0, task.initial_group
        for t, g in enumerate(path):
            w *= move(before, groups[g])
            if t < 2:  # before the third attack is seen
                w *= site[t][g]
            before = groups[g]
        weight[groups[path[2]]] += w
    total = sum(weight.values())
    np.testing.assert_allclose(steps[2].groups, [100 * weight[g] / total for g in groups], atol=1e-9)


def test_a_revealed_attacker_is_certain_and_then_85_percent_likely(final_exam):
    steps = solve_waves(final_exam)
    np.testing.assert_allclose(steps[2].groups_after, [100, 0, 0, 0], atol=1e-9)
    np.testing.assert_allclose(steps[3].groups, [85, 5, 5, 5], atol=1e-9)


def test_bought_layers_move_the_belief(final_exam):
    none = solve_waves(final_exam)
    bought = solve_waves(final_exam, purchases=[[Layer("IMINT")]] + [[]] * 14)
    assert not np.allclose(none[0].groups_after, bought[0].groups_after)
