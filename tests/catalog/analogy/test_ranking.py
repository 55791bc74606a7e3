import sys
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr
from sklearn.metrics import roc_auc_score

from mensura.catalog.analogy.ranking import Rated, _ranks, _spearman, hurting

sys.path.insert(0, str(Path(__file__).parents[3]))

from benchmarks.analogy.panel import covered_writers

ANSWERS = st.lists(
    st.tuples(
        st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.8, 1.0]),
        st.integers(0, 3),
        st.sampled_from("ab"),
        st.sampled_from([f"p{n}" for n in range(6)]),
    ),
    min_size=8,
    max_size=24,
)


def rated(rows):
    closeness, level, task, unit = zip(*rows, strict=True)
    return Rated.of(closeness, level=level, task=task, unit=unit)


def value(estimate):
    return estimate.value


@given(ANSWERS)
@settings(max_examples=60, deadline=None)
def test_areas_are_those_of_scikit_learn(rows):
    found = rated(rows)
    copied = found.level < 3
    if copied.all() or not copied.any():
        assert np.isnan(value(found.area((0, 1, 2), [3])))
    else:
        assert value(found.area((0, 1, 2), [3])) == pytest.approx(roc_auc_score(copied, found.closeness))


@given(ANSWERS)
@settings(max_examples=60, deadline=None)
def test_the_order_within_tasks_is_the_mean_of_scipys_spearman(rows):
    found = rated(rows)
    parts = []
    for task in np.unique(found.task):
        held = found.task == task
        if len(set(found.level[held])) > 1:
            flat = len(set(found.closeness[held])) == 1
            parts.append(0.0 if flat else spearmanr(found.closeness[held], -found.level[held]).statistic)
    told = value(found.order_within())
    assert (np.isnan(told) and not parts) or told == pytest.approx(np.mean(parts))


def test_weights_count_a_value_as_often_as_they_say():
    values, other = np.array([0.3, 0.1, 0.3, 0.9]), np.array([1.0, 2.0, 3.0, 3.0])
    weights = np.array([[2.0, 0.0, 1.0, 3.0]])
    repeated = np.repeat([0, 2, 3], [2, 1, 3])
    plain = spearmanr(values[repeated], other[repeated]).statistic
    assert _spearman(weights, values, other)[0] == pytest.approx(plain)
    assert _ranks(weights, values)[0, 3] == pytest.approx(5.0)


@given(
    st.lists(st.tuples(st.sampled_from([0.1, 0.2, 0.3, 0.7, None]), st.integers(0, 3)), min_size=3, max_size=5),
)
@settings(max_examples=40, deadline=None)
def test_what_is_unknown_is_put_where_no_other_place_would_hurt_more(rows):
    closeness = np.array([np.nan if one is None else one for one, _ in rows])
    nearness = -np.array([level for _, level in rows], dtype=float)
    filled = hurting(closeness, nearness)
    lost, known = np.flatnonzero(np.isnan(closeness)), np.flatnonzero(~np.isnan(closeness))
    weight = nearness - nearness.mean()

    def cost(values):
        return float(_ranks(np.ones((1, len(values))), values)[0] @ weight)

    places = [-1.0, 0.15, 0.25, 0.5, 0.9]
    slots = [place + step / 100 for place in places for step in range(len(lost))]
    tried = []
    for chosen in permutations(slots, len(lost)):
        other = closeness.copy()
        other[lost] = chosen
        tried.append(cost(other))
    assert cost(filled) == pytest.approx(min(tried))
    # What was said keeps its order.
    assert (
        np.sign(np.subtract.outer(filled[known], filled[known]))
        == np.sign(np.subtract.outer(closeness[known], closeness[known]))
    ).all()


@given(ANSWERS, st.data())
@settings(max_examples=60, deadline=None)
def test_leaving_out_an_answer_never_raises_an_area_or_an_order(rows, data):
    gone = data.draw(st.integers(0, len(rows) - 1))
    less = [(np.nan if place == gone else row[0], *row[1:]) for place, row in enumerate(rows)]
    for near, far in (((0, 1, 2), [3]), ([2], [3]), ([0], [1])):
        full, left = value(rated(rows).area(near, far)), value(rated(less).area(near, far))
        assert (np.isnan(full) and np.isnan(left)) or left <= full + 1e-12
    full, left = value(rated(rows).order_within()), value(rated(less).order_within())
    assert (np.isnan(full) and np.isnan(left)) or left <= full + 1e-12


@given(ANSWERS, st.randoms())
@settings(max_examples=30, deadline=None)
def test_the_order_of_answers_changes_nothing(rows, random):
    mixed = list(rows)
    random.shuffle(mixed)
    one, other = rated(rows), rated(mixed)
    assert value(one.area((0, 1, 2), [3])) == pytest.approx(value(other.area((0, 1, 2), [3])), nan_ok=True)
    assert value(one.order_within()) == pytest.approx(value(other.order_within()), nan_ok=True)


def crossed(people, noise, seed):
    """Answers of so many people to five tasks, closeness falling with the level."""
    rng = np.random.default_rng(seed)
    rows = []
    for person in range(people):
        own = rng.normal(0, noise)
        for task in range(5):
            level = (person + task) % 4
            rows.append((1 - level / 3 + own + rng.normal(0, 0.4), level, "abcde"[task], f"p{person}"))
    return rated(rows)


def test_people_are_drawn_anew_and_few_of_them_give_no_interval():
    many, few = crossed(20, 0.3, 1).area((0, 1, 2), [3]), crossed(9, 0.3, 1).area((0, 1, 2), [3])
    assert many.has_interval
    assert many.low < many.value < many.high <= 1
    assert many.n == 20
    assert "participants" in many.method
    assert not few.has_interval
    assert "at least 10 participants" in few.method


def test_an_interval_over_people_is_wider_than_one_over_answers_where_people_differ():
    found = crossed(20, 1.2, 2)
    apart = Rated(found.closeness, found.level, found.task, np.array([f"a{n}" for n in range(len(found.level))]))
    people, answers = found.area([0], [3]), apart.area([0], [3])
    # Levels are crossed with people, so an own tendency makes one person's answers of a level go together only in part.
    assert people.value == pytest.approx(answers.value)
    assert people.n == 20
    assert answers.n == 100


def test_a_perfect_area_is_not_certain():
    perfect = rated([(1 - level / 3, level, "a", f"p{n}") for n in range(12) for level in range(4)])
    found = perfect.area((0, 1, 2), [3])
    assert found.value == 1.0
    assert found.low == pytest.approx(0.025 ** (1 / 12))


@pytest.mark.proof
def test_intervals_over_writers_cover_what_very_many_writers_give():
    # 300 intervals of 95 %: fewer than 92 or more than 98 in a hundred would come by chance once in fifty times.
    assert all(0.92 <= share <= 0.985 for share in covered_writers(studies=300).values())
