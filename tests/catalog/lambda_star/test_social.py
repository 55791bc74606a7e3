"""The social world: company, coverage, reactions and agents that differ, against the plain rules written out."""

from functools import cache

import numpy as np
import pytest

from mensura.catalog.lambda_star.agents import Agent
from mensura.catalog.lambda_star.batch.environments import make_environments
from mensura.catalog.lambda_star.dialogue import lambda_star
from mensura.catalog.lambda_star.environment.pattern import Reach
from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.catalog.lambda_star.social.dialogue import social
from mensura.catalog.lambda_star.social.subjects import SUBJECTS
from mensura.catalog.lambda_star.social.world import SocialBody, SocialWorld, Society
from mensura.errors import BadParameter
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take

GOOD_FLEES = 2
"""A key of environments in which it is Good that flees."""


@cache
def scores(name, *, seed=1, **parameters):
    """Play once for all tests that ask for it."""
    taken = take(social, SUBJECTS[name](), seed=seed, parameters={"episodes": 15, **parameters}, trace="summary")
    assert taken.record.status == "finished", taken.session.last_words
    found = score_record(social, taken.record, taken.truths).values
    return {name: items.values for name, items in found.items()}


def world_of(*, society, good=(55, 55, 55), evil=(0, 0, 0), starts=(55, 12), key=1):
    return SocialWorld(Torus(10, 10), good=good, evil=evil, starts=starts, society=society, key=key)


def test_good_pays_only_company_and_evil_hurts_only_company():
    lonely = world_of(society=Society(needed=2), starts=(55, 12, 0))
    assert lonely.step([5, 5, 5]) == [0.0, 0.0, 0.0]
    joined = world_of(society=Society(needed=2), starts=(55, 44, 0))
    assert joined.step([5, 5, 5]) == [1.0, 0.5, 0.0]
    hurt = world_of(society=Society(needed=2), starts=(55, 99, 0))
    assert hurt.step([5, 5, 5]) == [0.0, -0.5, -1.0]
    three = world_of(society=Society(needed=3), starts=(55, 44, 0))
    assert three.step([5, 5, 5]) == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("needed", [1, 2, 3])
def test_where_good_and_evil_change_places_rewards_change_their_sign(needed):
    rng = np.random.default_rng(needed)
    actions = rng.integers(1, 10, size=(30, 5)).tolist()
    paths = [rng.integers(25, size=31).tolist() for _ in range(2)]
    starts = rng.integers(25, size=5).tolist()
    society = Society(needed=needed, bodies=(SocialBody(), SocialBody(taste=-0.5, steps="rook")))
    earned = []
    for good, evil in (paths, paths[::-1]):
        world = SocialWorld(Torus(5, 5), good=good, evil=evil, starts=starts, society=society, key=1)
        earned.append([world.step(step) for step in actions])
    assert earned[0] == [[-reward for reward in step] for step in earned[1]]


@pytest.mark.parametrize(("needed", "reaction"), [(2, "none"), (1, "flee"), (1, "hunt"), (2, "both")])
def test_random_behaviour_earns_nothing(needed, reaction):
    rng = np.random.default_rng(7)
    torus, society = Torus(5, 5), Society(needed=needed, reaction=reaction)
    made = make_environments(torus, episodes=150, first=0, iterations=20, agents=3, reach=Reach(2, 9), key=4)
    means = []
    for number, (good, evil, starts) in enumerate(zip(made.good, made.evil, made.starts, strict=True)):
        world = SocialWorld(torus, good=good, evil=evil, starts=starts, society=society, key=number)
        # The objects are as often the one that flees as the one that hunts: here once each in every environment.
        for flees in (True, False):
            world.begin()
            world.good_flees = flees
            earned = [world.step(step) for step in rng.integers(1, 10, size=(20, 3)).tolist()]
            means.append(np.mean(earned))
    pairs = np.mean(np.reshape(means, (150, 2)), axis=1)
    assert abs(pairs.mean()) < 3 * pairs.std(ddof=1) / 150**0.5
    if reaction != "none":
        assert np.mean(means[0::2]) < 0 < np.mean(means[1::2])


def test_every_agent_has_its_own_score():
    found = scores("bidding", agents=3, episodes=4)
    own = [found[f"intelligence_agent{number}"] for number in (1, 2, 3)]
    np.testing.assert_allclose(np.mean(own, axis=0), found["intelligence"], atol=1e-12)


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
    world = SocialWorld(Torus(10, 10), good=[54] * 20, evil=[57] * 20, starts=[55], society=sure, key=GOOD_FLEES)
    assert world.good_flees
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
        world = SocialWorld(Torus(10, 10), good=[57] * 9, evil=[0] * 9, starts=[55], society=flee, key=GOOD_FLEES)
        for _ in range(8):
            world.step([action])
        ends.append(world.good[8])
    assert ends[0] != ends[1]


def test_agents_see_move_and_value_by_their_own_bodies():
    bodies = (SocialBody(sight=1), SocialBody(sight=3, steps="rook", taste=-1.0))
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
