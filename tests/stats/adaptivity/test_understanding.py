from itertools import permutations

import numpy as np
import pytest

from mensura.errors import BadData
from mensura.scores import brier_loss, crps_normal
from mensura.stats.adaptivity import answers_score, graph_score, skill, understanding

NODES = ["power", "speed", "place", "heat", "colour"]
TRUTH = [("power", "speed"), ("speed", "place"), ("power", "heat")]


def test_the_truth_scores_one_and_silence_nothing():
    assert graph_score(answer=TRUTH, truth=TRUTH, nodes=NODES) == 1
    assert graph_score(answer=[], truth=TRUTH, nodes=NODES) == 0


def test_correlations_named_both_ways_or_all_edges_earn_nothing():
    both = [*TRUTH, *((effect, cause) for cause, effect in TRUTH)]
    assert graph_score(answer=both, truth=TRUTH, nodes=NODES) == 0
    assert graph_score(answer=list(permutations(NODES, 2)), truth=TRUTH, nodes=NODES) < 0


def test_guessed_directions_earn_nothing_on_average():
    rng = np.random.default_rng(1)
    scores = [
        graph_score(answer=[edge if rng.random() < 0.5 else edge[::-1] for edge in TRUTH], truth=TRUTH, nodes=NODES)
        for _ in range(2000)
    ]
    assert abs(np.mean(scores)) < 3 * np.std(scores) / np.sqrt(2000)


def test_one_right_edge_more_never_lowers_a_graph_and_the_order_does_not_matter():
    known = [graph_score(answer=TRUTH[:k], truth=TRUTH, nodes=NODES) for k in range(4)]
    assert known == sorted(known)
    assert graph_score(answer=TRUTH[::-1], truth=TRUTH, nodes=NODES[::-1]) == 1


def test_a_loop_is_right_only_as_a_loop():
    loop = [("a", "b"), ("b", "a")]
    assert graph_score(answer=loop, truth=loop, nodes="abc") == 1
    assert graph_score(answer=loop[:1], truth=loop, nodes="abc") == 0


@pytest.mark.parametrize("answer", [[("power", "mood")], [("power", "power")]])
def test_edges_outside_the_graph_are_refused(answer):
    with pytest.raises(BadData, match="Edges join two of the nodes"):
        graph_score(answer=answer, truth=TRUTH, nodes=NODES)


def test_the_best_constant_answer_to_interventions_scores_nothing():
    truths = ["none", "none", "up", "none"]
    assert answers_score(answers=["none"] * 4, truths=truths, options=["up", "none"]) == 0
    assert answers_score(answers=truths, truths=truths, options=["up", "none"]) == 1
    with pytest.raises(BadData, match="same true answer"):
        answers_score(answers=["up"], truths=["up"], options=["up", "none"])
    with pytest.raises(BadData, match="one answer for each"):
        answers_score(answers=[], truths=truths, options=["up", "none"])


def test_predictions_are_scored_by_proper_losses():
    outcome = [1, 0, 1, 1]
    chance = brier_loss(forecast=[0.5] * 4, outcome=outcome)
    assert skill(loss=brier_loss(forecast=outcome, outcome=outcome), chance=chance) == 1
    assert skill(loss=chance, chance=chance) == 0
    wide, sharp = (crps_normal(mean=0.0, deviation=width, outcome=np.array([0.1, -0.1])) for width in (5.0, 0.1))
    assert 0.9 < skill(loss=sharp, chance=wide) < 1
    with pytest.raises(BadData, match="as many losses of chance"):
        skill(loss=[0.1], chance=[])


def test_four_numbers_are_kept_apart_and_missing_ones_named():
    found = understanding(predict=[0.9, 0.8, 0.85], achieve=[0.1, -0.2, 0.0], explain=None, recreate=[0.5, 0.4, 0.6])
    assert found.predict.value == pytest.approx(0.85)
    assert found.achieve.value == 0
    assert found.achieve.low == 0
    assert "Not measured: explain; without them understanding is not established." in found.sentence
    assert "predict 0.85" in found.sentence


def test_a_guessers_luck_does_not_add_up():
    rng = np.random.default_rng(2)
    found = understanding(predict=rng.normal(0, 0.4, 200), achieve=None, explain=None, recreate=None).predict
    assert found.low == 0


def test_more_than_the_truth_is_refused_and_one_course_has_no_interval():
    with pytest.raises(BadData, match="at most 1"):
        understanding(predict=[1.5, 1.2], achieve=None, explain=None, recreate=None)
    assert not understanding(predict=[0.5], achieve=None, explain=None, recreate=None).predict.has_interval
