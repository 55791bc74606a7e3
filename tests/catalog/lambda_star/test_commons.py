"""The tragedy of the commons, with a score that shows it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura.catalog.lambda_star.commons.dialogue import commons
from mensura.catalog.lambda_star.commons.stock import Stock
from mensura.catalog.lambda_star.commons.subjects import SUBJECTS
from mensura.errors import BadParameter
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take


def play(cast, **parameters):
    taken = take(commons, cast, seed=1, parameters=parameters)
    assert taken.record.status == "finished", taken.session.last_words
    found = score_record(commons, taken.record, taken.truths).values
    earned = {role: float(taken.record.rewards(role=role).sum()) for role in taken.record.cast}
    return {name: items.values.mean() for name, items in found.items()}, earned


@given(
    st.floats(0.01, 1.0),
    st.floats(1.0, 1000.0),
    st.lists(st.lists(st.floats(0, 500), min_size=3, max_size=3), min_size=1, max_size=15),
)
def test_no_season_grows_more_than_a_quarter_and_nothing_comes_from_nothing(growth, capacity, wanted):
    stock = Stock(capacity, growth, capacity)
    taken, grown = 0.0, 0.0
    for amounts in wanted:
        season = stock.harvest(amounts)
        taken += sum(season.got)
        grown += season.grown
        assert -1e-9 <= season.grown <= stock.most_growth + 1e-9
        assert stock.level >= 0
    assert taken + stock.level == pytest.approx(capacity + grown)


def test_restraint_is_the_best_a_group_can_do():
    scores, _ = play(SUBJECTS["restrained"]())
    assert scores["welfare"] == pytest.approx(1.0)
    assert (scores["tragedy"], scores["waste"]) == (0.0, 0.0)


def test_greed_of_all_is_a_tragedy():
    scores, earned = play(SUBJECTS["greedy"]())
    assert scores["tragedy"] == pytest.approx(1.0)
    assert scores["stock"] == 0.0
    assert sum(earned.values()) == pytest.approx(100.0)


def test_greed_pays_whoever_is_greedy_and_ruins_all():
    """The heart of it: one who defects gains, and the group loses most of what it had."""
    restrained = {f"agent{n}": SUBJECTS["restrained"]() for n in range(1, 6)}
    _, before = play(restrained)
    scores, after = play({**restrained, "agent5": SUBJECTS["greedy"]()})
    assert after["agent5"] > after["agent1"]
    assert after["agent5"] > before["agent5"] * 0.9
    assert sum(after.values()) < 0.5 * sum(before.values())
    assert scores["tragedy"] > 0.9
    assert scores["inequality"] > 0.3


def test_everyone_has_a_harvest_of_their_own_as_a_share_of_an_equal_part():
    """Of 100 and 20 seasons that grow 12.5 at most, 350 in all, an equal part is 70 for each of five."""
    restrained = {f"agent{n}": SUBJECTS["restrained"]() for n in range(1, 5)}
    scores, earned = play({**restrained, "agent5": SUBJECTS["greedy"]()})
    assert {role: scores[f"harvest_{role}"] for role in earned} == pytest.approx(
        {role: got / 70 for role, got in earned.items()}
    )
    assert scores["harvest"] == pytest.approx(sum(earned.values()) / 350)
    assert scores["harvest_agent5"] > scores["harvest_agent1"]


def test_taking_too_little_is_waste_and_no_tragedy():
    scores, _ = play(SUBJECTS["timid"]())
    assert scores["waste"] > 0.9
    assert scores["tragedy"] == 0.0


def test_conditional_cooperators_keep_the_commons_among_themselves_but_not_with_the_greedy():
    among, _ = play(SUBJECTS["conditional"]())
    mixed, _ = play({**{f"agent{n}": SUBJECTS["conditional"]() for n in range(1, 5)}, "agent5": SUBJECTS["greedy"]()})
    assert among["tragedy"] == 0.0
    assert mixed["tragedy"] > 0.9


def test_bad_parameters_are_refused():
    for parameters in ({"agents": 1}, {"growth": 0.0}, {"capacity": -1.0}, {"seasons": 0}):
        with pytest.raises(BadParameter, match="got"):
            next(commons(np.random.default_rng(1), **parameters))
