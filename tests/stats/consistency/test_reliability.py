import numpy as np
import pytest

from mensura.errors import BadData
from mensura.stats import cronbach_alpha, intraclass_correlation

# Shrout and Fleiss (1979), table 2: six targets by four judges.
JUDGED = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


def test_alpha_is_the_consistency_of_the_mean_of_judges():
    # Shrout and Fleiss print .91 for ICC(3,4), which is Cronbach's alpha of the same table.
    found = cronbach_alpha(JUDGED)
    assert round(found.alpha.value, 2) == 0.91
    same = intraclass_correlation(np.transpose(JUDGED), kind="consistency", averaged=True).coefficient
    assert (found.alpha.value, found.alpha.low, found.alpha.high) == pytest.approx((same.value, same.low, same.high))


def test_items_turned_round_count_the_other_way():
    answers = np.array(JUDGED, dtype=float)
    turned = answers.copy()
    turned[:, 1] = 11 - turned[:, 1]
    found = cronbach_alpha(turned, reverse=[1], scale=(1, 10))
    assert found.alpha.value == pytest.approx(cronbach_alpha(answers).alpha.value)


def test_people_with_missing_answers_are_left_out_and_counted():
    found = cronbach_alpha([*JUDGED, [5, np.nan, 4, 4], [np.nan, 1, 1, 1]])
    assert found.alpha == cronbach_alpha(JUDGED).alpha
    assert found.dropped == 2
    assert "4 items, 6 people, 2 people with missing answers excluded" in found.sentence
    assert "1 person with" in cronbach_alpha([*JUDGED, [5, np.nan, 4, 4]]).sentence


def test_each_item_is_held_against_the_rest():
    found = cronbach_alpha(JUDGED)
    others = np.delete(np.array(JUDGED), 0, axis=1)
    assert found.without[0] == pytest.approx(cronbach_alpha(others).alpha.value)
    assert found.with_rest[0] == pytest.approx(np.corrcoef(np.array(JUDGED)[:, 0], others.sum(axis=1))[0, 1])


def test_two_items_cannot_lose_one_and_a_constant_item_correlates_with_nothing():
    found = cronbach_alpha([[1, 3], [2, 3], [3, 3], [4, 3]])
    assert np.isnan(found.without).all()
    assert np.isnan(found.with_rest).all()


def test_the_verdict_weighs_the_interval():
    rng = np.random.default_rng(1)
    level = rng.normal(size=(200, 1))
    strong, weak = level + 0.5 * rng.normal(size=(200, 5)), level + 3 * rng.normal(size=(200, 5))
    assert cronbach_alpha(strong).sentence.startswith("The items hang together well enough")
    assert cronbach_alpha(JUDGED).sentence.startswith("The items seem to hang together, but the data leave room")
    assert cronbach_alpha(weak).sentence.startswith("The items hang together less than is usually asked (0.7)")


@pytest.mark.parametrize(
    ("answers", "options", "message"),
    [
        ([[1], [2]], {}, "two items and two people"),
        ([[1, np.nan], [2, 3]], {}, "two items and two people"),
        ([[1, 2], [1, 2]], {}, "Everybody has the same scores"),
        (JUDGED, {"reverse": [1]}, "lowest and highest answer"),
        (JUDGED, {"reverse": [1], "scale": (1, 7)}, "got 1.0 to 10.0"),
        (JUDGED, {"reverse": [4], "scale": (1, 10)}, r"columns 0 to 3; got \[4\]"),
    ],
)
def test_what_cannot_be_computed_is_refused(answers, options, message):
    with pytest.raises(BadData, match=message):
        cronbach_alpha(answers, **options)


@pytest.mark.slow
@pytest.mark.parametrize(("people", "kind"), [(10, "normal"), (30, "seven steps")])
def test_interval_covers(people, kind):
    rng = np.random.default_rng([2, people, len(kind)])

    def answer(people):
        values = rng.normal(size=(people, 1)) + 1.5 * rng.normal(size=(people, 6))
        return values if kind == "normal" else np.clip(np.round(4 + 1.2 * values), 1, 7)

    truth = cronbach_alpha(answer(200_000)).alpha.value
    estimates = [cronbach_alpha(answer(people)).alpha for _ in range(500)]
    assert 0.93 <= np.mean([e.low <= truth <= e.high for e in estimates]) <= 0.97
