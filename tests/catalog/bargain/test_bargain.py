"""The bargain: claims that fit are paid, chance is known in closed form, and no claim earns nothing."""

from math import isnan

import pytest

from mensura.catalog.bargain.dialogue import bargain
from mensura.catalog.bargain.scoring import chance_levels
from mensura.dialogue import Refused
from mensura.errors import BadParameter
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take


def scored(first, second, **parameters):
    cast = {
        role: bargain.subjects[who]() if isinstance(who, str) else who
        for role, who in (("first", first), ("second", second))
    }
    taken = take(bargain, cast, seed=1, parameters=parameters)
    scores = score_record(bargain, taken.record, taken.truths)
    return [items.values.tolist()[0] for items in scores.values.values()]


@pytest.mark.parametrize("talk", ["free", "turns", "none"])
@pytest.mark.parametrize(
    ("pair", "expected"),
    [(("half", "half"), [5, 5, 1]), (("firm", "half"), [0, 0, 0]), (("firm", "modest"), [7, 3, 1])],
)
def test_claims_that_fit_together_are_paid(pair, expected, talk):
    assert scored(*pair, talk=talk) == expected


def test_chance_is_what_counting_all_pairs_says():
    levels = chance_levels(points=10)
    assert levels == {"first_points": 220 / 121, "second_points": 220 / 121, "agreement": 66 / 121}


def test_who_makes_no_claim_earns_nothing_and_the_partner_has_no_score():
    first, second, _ = scored("half", lambda ask: Refused(), talk="none")
    assert isnan(first)
    assert second == 0


def test_a_talk_without_time_or_points_is_refused():
    with pytest.raises(BadParameter, match="--seconds is at least 1"):
        scored("half", "half", seconds=0)
