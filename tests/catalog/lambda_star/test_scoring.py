"""Scores: the group's and everyone's own, the complexity that was walked, and what both forms share."""

import numpy as np
import pytest

from mensura.catalog.lambda_star.agents import LocalSearch, Oracle, Random
from mensura.catalog.lambda_star.batch.environments import make_environments, walked_complexity
from mensura.catalog.lambda_star.dialogue import lambda_star, play_batch
from mensura.catalog.lambda_star.environment.pattern import Reach
from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.catalog.lambda_star.scoring import MOST_AGENTS, parts_of
from mensura.catalog.lambda_star.subjects import NamedTeam
from mensura.dialogue import generator
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take
from tests.catalog.lambda_star.definition import lempel_ziv_by_definition


def plain(subject, *, trace="summary", **parameters):
    taken = take(lambda_star, subject, seed=1, parameters=parameters, trace=trace)
    return taken, score_record(lambda_star, taken.record, taken.truths)


def batch(subject, **parameters):
    return play_batch(generator(1), subject, **lambda_star.fill(parameters))


def means(scores):
    return {name: items.values for name, items in scores.values.items()}


def test_every_agent_of_a_group_has_its_own_score():
    taken, scores = plain({"agent1": Oracle(), "agent2": Random()}, agents=2, episodes=6)
    found = means(scores)
    assert set(found) == {"intelligence", "intelligence_agent1", "intelligence_agent2"}
    for episode in range(6):
        by_hand = {
            role: np.mean([a.reward for a in taken.record.answers if (a.role, a.key) == (role, f"episode{episode}")])
            for role in ("agent1", "agent2")
        }
        for role, mean in by_hand.items():
            assert found[f"intelligence_{role}"][episode] == pytest.approx(mean)
        assert found["intelligence"][episode] == pytest.approx(sum(by_hand.values()) / 2)
    assert found["intelligence_agent1"].mean() > 0.7 > 0.2 > found["intelligence_agent2"].mean()


def test_a_kind_scores_the_mean_of_its_agents_in_both_forms():
    parameters = {"team": "oracle:2,random:3", "episodes": 60}
    for scores in (plain(NamedTeam(), **parameters)[1], batch(NamedTeam(), **parameters)):
        found = means(scores)
        own = [found[f"intelligence_agent{n}"] for n in range(1, 6)]
        np.testing.assert_allclose(found["intelligence_oracle"], np.mean(own[:2], axis=0), atol=1e-12)
        np.testing.assert_allclose(found["intelligence_random"], np.mean(own[2:], axis=0), atol=1e-12)
        np.testing.assert_allclose(found["intelligence"], np.mean(own, axis=0), atol=1e-12)
        assert set(found) == set(lambda_star.declared_scores(lambda_star.fill(parameters)))


def test_one_agent_has_one_score_and_a_crowd_has_those_of_its_kinds():
    assert parts_of(agents=1, team="") == {}
    assert parts_of(agents=MOST_AGENTS + 1, team="") == {}
    assert list(parts_of(agents=1, team="oracle:30,random:30")) == ["oracle", "random"]


def test_who_stands_still_because_another_failed_has_only_what_it_did_itself():
    class Fails(LocalSearch):
        def act(self, observation):
            if observation.iteration == 5:
                raise RuntimeError("out of ideas")
            return super().act(observation)

    taken, scores = plain({"agent1": Oracle(), "agent2": Fails()}, agents=2, episodes=3, iterations=20)
    own = [a.reward for a in taken.record.answers if (a.role, a.key, a.status) == ("agent1", "episode0", "answered")]
    found = means(scores)["intelligence_agent1"]
    assert 5 <= len(own) <= 6
    assert found[0] == pytest.approx(np.mean(own))
    assert np.isnan(found[1:]).all()


def test_the_complexity_printed_is_that_of_the_way_good_goes():
    """Patterns of Good and Evil cross on a small torus, and one that waits no longer goes the planned way."""
    taken, scores = plain(LocalSearch(), size="5", episodes=60)
    walked = [lempel_ziv_by_definition(truth["good"][:50]) for truth in taken.truths.values()]
    rows = scores.details["by_complexity"]
    assert {int(k): row["n"] for k, row in rows.items()} == {k: walked.count(k) for k in set(walked)}
    planned = [truth["complexity"] for truth in taken.truths.values()]
    assert walked != planned
    often = max(set(walked), key=walked.count)
    there = [one for one, k in zip(planned, walked, strict=True) if k == often]
    assert rows[str(often)]["planned"] == pytest.approx(np.mean(there))


def test_the_walked_complexity_differs_often_on_a_small_torus_and_seldom_on_a_large_one():
    shares = []
    for size in (5, 10, 30):
        made = make_environments(
            Torus(size, size), episodes=400, first=0, iterations=50, agents=1, reach=Reach(2, 23), key=1
        )
        shares.append((walked_complexity(made) != made.complexity).mean())
    assert 0.5 > shares[0] > 0.3 > shares[1] > 0.05 > shares[2]


@pytest.mark.parametrize("rules", ["paper", "original"])
def test_both_forms_have_the_same_environments_and_bounds_under_one_seed(rules):
    """All that is not the agents' own chance is shared: environments, start cells, complexities and bounds."""
    parameters = {"rules": rules, "agents": 2, "episodes": 12}
    one, other = plain(LocalSearch(), **parameters)[1], batch(LocalSearch(), **parameters)
    assert one.details["bounds"] == other.details["bounds"]
    assert one.details["entropy_bits"] == other.details["entropy_bits"]
    for k, row in one.details["by_complexity"].items():
        assert (row["n"], row["planned"]) == tuple(other.details["by_complexity"][k][part] for part in ("n", "planned"))


def test_an_agent_without_chance_scores_the_same_in_both_forms_wherever_it_sits():
    search, oracle = LocalSearch(), Oracle()
    cast = {"agent1": search, "agent2": oracle, "agent3": search, "agent4": oracle}
    one, other = (means(form) for form in (plain(cast, agents=4, episodes=8)[1], batch(cast, agents=4, episodes=8)))
    for agent in ("agent2", "agent4"):
        np.testing.assert_allclose(one[f"intelligence_{agent}"], other[f"intelligence_{agent}"], atol=1e-12)
    assert not np.allclose(one["intelligence_agent1"], other["intelligence_agent1"])
