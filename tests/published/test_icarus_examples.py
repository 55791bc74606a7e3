"""Worked examples printed in the ICArUS Phase 1 Challenge Problem Design and Test Specification (MITRE, 2014)."""

import numpy as np
import pytest

from mensura.catalog.sensemaking.assessment.cpa import relative_match, relative_success
from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.probs import published_probs
from mensura.catalog.sensemaking.solving.distribution import floor, similarity
from mensura.catalog.sensemaking.solving.normative import CIRCLE
from mensura.catalog.sensemaking.solving.skill import stage_s1, trial_s2

HUMAN = [22.54, 58.12, 6.43, 12.91]
MODEL = [25.16, 53.52, 0.15, 21.17]


def test_appendix_b1_floor_of_one_percent():
    np.testing.assert_allclose(100 * floor(MODEL), [24.95, 53.06, 1.00, 20.99], atol=0.005)
    exact = [25.16 - 0.85 * 25.16 / 99.85, 53.52 - 0.85 * 53.52 / 99.85, 1.0, 21.17 - 0.85 * 21.17 / 99.85]
    np.testing.assert_allclose(100 * floor(MODEL), exact, atol=1e-12)


def test_appendix_b1_similarity_of_model_and_of_uniform():
    assert float(similarity(floor(HUMAN), floor(MODEL))) == pytest.approx(91.6726, abs=5e-5)
    assert float(similarity(floor(HUMAN), np.full(4, 0.25))) == pytest.approx(74.5023, abs=5e-5)


def test_appendix_b1_relative_success_rate():
    assert float(relative_success(HUMAN, model=MODEL)) == pytest.approx(67.34, abs=0.005)


def test_appendix_b2_relative_match_rates():
    counts = [[23, 12], [23, 12]]
    np.testing.assert_allclose(relative_match(counts, sequence=[0, 1]), [100.0, 52.17], atol=0.005)


def test_section_4_3_half_way_between_null_and_people_is_fifty():
    reached, null = 80.0, 60.0
    assert 100 * (reached - null) / (100 - null) == 50.0
    # The same through distributions: a model whose similarity is half way gets 50.
    people = floor([70, 10, 10, 10])
    start = float(similarity(people, np.full(4, 0.25)))
    target = start + (100 - start) / 2
    low, high = 0.25, 0.7
    for _ in range(200):
        middle = (low + high) / 2
        rest = (1 - middle) / 3
        if similarity(people, [middle, rest, rest, rest]) < target:
            low = middle
        else:
            high = middle
    rest = (1 - low) / 3
    assert float(relative_success(people, model=[low, rest, rest, rest])) == pytest.approx(50.0, abs=1e-9)


def test_section_4_3_match_rate_of_twenty_against_forty_percent_is_fifty():
    assert float(relative_match([[40, 20]], sequence=[1])[0]) == 50.0


def test_section_2_3_allocation_earns_the_percent_put_on_the_truth():
    assert float(trial_s2([40, 30, 20, 10], truth=1)) == 30.0


def test_section_2_3_normative_report_earns_100_while_an_unlucky_normative_decision_earns_0():
    assert float(stage_s1([40, 30, 20, 10], normative=[40, 30, 20, 10])) == pytest.approx(100.0, abs=1e-12)
    assert float(trial_s2([100, 0, 0, 0], truth=1)) == 0.0


def test_appendix_a3_thirty_percent_on_the_attacked_site_earns_three_tenths_of_a_credit():
    assert float(trial_s2([40, 30, 20, 10], truth=1)) / 100 == pytest.approx(0.3, abs=1e-15)


def test_appendix_a2_wave_rule_and_a3_prices():
    probs = published_probs()
    assert probs.stay == 0.85
    assert (probs.costs["IMINT"], probs.costs["MOVINT"], probs.costs["SIGINT"]) == (1.0, 1.0, 2.0)


@pytest.mark.parametrize(
    ("layer", "feature", "favoured", "ratio"),
    [
        (Layer("IMINT"), "government", "AB", 4),
        (Layer("IMINT"), "military", "CD", 4),
        (Layer("MOVINT"), "dense", "AC", 4),
        (Layer("MOVINT"), "sparse", "BD", 4),
        (Layer("SIGINT", "C"), "chatter", "C", 7),
        (Layer("SIGINT", "C"), "silence", "C", 1 / 3),
        (Layer("SOCINT"), "B", "B", 2),
    ],
)
def test_table_3_likelihood_ratios(layer, feature, favoured, ratio):
    likelihood = dict(zip("ABCD", published_probs().likelihood(layer, feature), strict=True))
    for group in favoured:
        for other in set("ABCD") - set(favoured):
            assert likelihood[group] / likelihood[other] == pytest.approx(ratio, rel=1e-12)


def test_table_3_humint_is_a_gaussian_of_ten_miles():
    probs = published_probs()
    ratio = probs.distance_likelihood(10.0) / probs.distance_likelihood(0.0)
    assert float(ratio) == pytest.approx(np.exp(-0.5), rel=1e-12)


def test_table_2_two_to_one_circle_holds_two_thirds_of_a_gaussian():
    assert pytest.approx(1.4823, abs=5e-5) == CIRCLE
    assert 1 - np.exp(-(CIRCLE**2) / 2) == pytest.approx(2 / 3, rel=1e-12)
