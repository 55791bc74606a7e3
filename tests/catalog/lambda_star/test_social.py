"""The social world: company, coverage, reactions and agents that differ, against the plain rules written out."""

import numpy as np
import pytest

from mensura.catalog.lambda_star.agents import Agent
from mensura.catalog.lambda_star.dialogue import lambda_star
from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.catalog.lambda_star.social.dialogue import social
from mensura.catalog.lambda_star.social.subjects import SUBJECTS
from mensura.catalog.lambda_star.social.world import Body, SocialWorld, Society
from mensura.errors import BadParameter
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take


def scores(name, *, seed=1, **parameters):
    taken = take(social, SUBJECTS[name](), seed=seed, parameters={"episodes": 30, **parameters}, trace="summary")
    assert taken.record.status == "finished", taken.session.last_words
    found = score_record(social, taken.record, taken.truths).values
    return {name: items.values for name, items in found.items()}


def world_of(*, society, good=(55, 55, 55), evil=(0, 0, 0), starts=(55, 12), key=1):
    return SocialWorld(Torus(10, 10), good=good, evil=evil, starts=starts, society=society, key=key)


def test_good_pays_only_company_and_evil_always_hurts():
    lonely = world_of(society=Society(needed=2), starts=(55, 12, 0))
    assert lonely.step([5, 5, 5]) == [0.0, 0.0, -1.0]
    joined = world_of(society=Society(needed=2), starts=(55, 44, 0))
    assert joined.step([5, 5, 5]) == [1.0, 0.5, -1.0]
    three = world_of(society=Society(needed=3), starts=(55, 44, 0))
    assert three.step([5, 5, 5]) == [0.0, 0.0, -1.0]


def test_where_one_is_enough_it_is_plain_lambda_star():
    parameters = {"size": "8", "agents": 3, "episodes": 5, "complexity": "2-9"}
    one = take(social, SUBJECTS["random"](), seed=4, parameters={**parameters, "needed": 1})
    plain = take(lambda_star, SUBJECTS["random"](), seed=4, parameters=parameters)
    assert one.truths["episode0"]["good"] == plain.truths["episode0"]["good"]
    first = [answer.reward for answer in one.record.answers if answer.key == "episode0"]
    assert first == [answer.reward for answer in plain.record.answers if answer.key == "episode0"]


def test_rewards_in_the_record_are_those_the_scoring_finds_again():
    for setting in ("coordination", "reacting", "unlike"):
        parameters = social.fill({"episodes": 6}, setting=setting)
        taken = take(social, SUBJECTS["local-search"](), seed=2, parameters=parameters)
        found = score_record(social, taken.record, taken.truths).values["intelligence"].values
        for number, value in enumerate(found):
            rewards = [answer.reward for answer in taken.record.answers if answer.key == f"episode{number}"]
            assert value == pytest.approx(np.mean(rewards))


def test_a_crowd_that_talks_is_more_often_in_company():
    assert scores("bidding")["coordination"].mean() > scores("random")["coordination"].mean() + 0.3


def test_a_patrol_watches_more_than_a_crowd_that_gathers():
    patrol, bidding = scores("patrol"), scores("bidding")
    assert patrol["watch"].mean() > bidding["watch"].mean() + 0.1
    assert patrol["coverage"].mean() > bidding["coverage"].mean()


def test_coverage_counts_cells_that_somebody_saw():
    world = world_of(society=Society(), starts=(55, 55))
    world.observe()
    assert len(world.watched[0]) == 9
    world.step([6, 4])
    world.observe()
    assert len(world.watched[0] | world.watched[1]) == 15


def test_good_flees_and_evil_hunts():
    sure = Society(needed=1, reaction="both", chance=1.0)
    world = SocialWorld(Torus(10, 10), good=[54] * 20, evil=[57] * 20, starts=[55], society=sure, key=1)
    for _ in range(10):
        before = world.torus.distance(world.cells[0], world.evil[world.iteration])
        world.step([5])
        assert world.torus.distance(world.cells[0], world.good[world.iteration]) >= 2
        assert world.torus.distance(world.cells[0], world.evil[world.iteration]) <= max(before - 1, 0)


def test_objects_that_react_still_never_share_a_cell():
    rng = np.random.default_rng(1)
    both = Society(needed=1, reaction="both", chance=0.7)
    for key in range(30):
        paths = [[int(cell)] * 41 for cell in rng.choice(25, size=2, replace=False)]
        world = SocialWorld(Torus(5, 5), good=paths[0], evil=paths[1], starts=[7, 18], society=both, key=key)
        for _ in range(40):
            world.step(rng.integers(1, 10, size=2).tolist())
            assert world.good[world.iteration] != world.evil[world.iteration]


def test_what_follows_depends_on_what_agents_do():
    """The same environment and key, two ways of acting: Good ends elsewhere."""
    flee = Society(needed=1, reaction="flee", chance=1.0)
    ends = []
    for action in (5, 6):
        world = SocialWorld(Torus(10, 10), good=[57] * 9, evil=[0] * 9, starts=[55], society=flee, key=3)
        for _ in range(8):
            world.step([action])
        ends.append(world.good[8])
    assert ends[0] != ends[1]


def test_agents_see_move_and_value_by_their_own_bodies():
    bodies = (Body(sight=1), Body(sight=3, steps="rook", taste=-1.0))
    world = world_of(society=Society(needed=1, bodies=bodies), starts=(55, 55))
    first, second = world.observe()
    assert (len(first.seen), len(second.seen)) == (9, 49)
    assert max(first.rewards) == 1.0
    assert min(second.rewards) == -1.0
    assert world.step([9, 9]) == [0.5, -1.0]
    assert world.cells == [66, 55]


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"needed": 0}, "--needed"),
        ({"reaction": "run"}, "none, flee, hunt, both"),
        ({"reaction_chance": 1.5}, "between 0 and 1"),
        ({"sights": "1,far"}, "'far'"),
        ({"sights": "0"}, "at least 1"),
        ({"steps": "queen"}, "king, rook, bishop"),
    ],
)
def test_bad_parameters_are_refused(parameters, words):
    with pytest.raises(BadParameter, match=words):
        next(social(np.random.default_rng(1), **parameters))


def test_agents_of_ones_own_play_here_as_in_lambda_star():
    class Stayer(Agent):
        def act(self, observation):
            return 5

    assert take(social, Stayer(), seed=1, parameters={"episodes": 2}).record.status == "finished"
