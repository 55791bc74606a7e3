"""Gymnasium environments taken as tests."""

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium import spaces  # noqa: E402

from mensura.catalog.gym.actions import as_action, as_space  # noqa: E402
from mensura.catalog.gym.dialogue import gym_test  # noqa: E402
from mensura.dialogue import Action, Refused, Vector, generator  # noqa: E402
from mensura.errors import BadParameter, UnknownName  # noqa: E402
from mensura.running.scoring.scoring import score_record  # noqa: E402
from mensura.running.take import take  # noqa: E402
from mensura.subjects.chance import Chance  # noqa: E402


def scores_of(test, subject, *, seed=1, **parameters):
    taken = take(test, subject, seed=seed, parameters=parameters)
    return taken, score_record(test, taken.record, taken.truths).values


def test_an_episode_earns_what_the_environment_itself_pays():
    test = gym_test("CartPole-v1")
    moves = []

    def lean(ask):
        moves.append(int(ask.prompt.values[2] > 0))
        return moves[-1]

    _, scores = scores_of(test, lean, seed=4)
    env = gymnasium.make("CartPole-v1")
    env.reset(seed=int(generator(4).integers(2**31)))
    total, over, steps = 0.0, False, 0
    while not over:
        _, reward, terminated, truncated, _ = env.step(moves[steps])
        total, over, steps = total + reward, terminated or truncated, steps + 1
    assert scores == {"return": total, "steps": steps}


def test_being_cut_short_is_told_from_falling():
    test = gym_test("Pendulum-v1")
    taken, scores = scores_of(test, lambda ask: [0.0])
    assert taken.record.outcome["truncated"] is True
    assert scores["steps"] == 200
    fallen, _ = scores_of(gym_test("CartPole-v1"), lambda ask: 0)
    assert fallen.record.outcome["truncated"] is False


def test_our_own_limit_of_steps_cuts_short_too():
    taken, scores = scores_of(gym_test("CartPole-v1"), Chance(), most_steps=3)
    assert scores["steps"] == 3
    assert taken.record.outcome["truncated"] is True


def test_who_declines_to_move_ends_the_episode():
    taken, _ = scores_of(gym_test("CartPole-v1"), lambda ask: Refused("no"))
    assert taken.record.outcome["truncated"] is True
    assert taken.record.counts()["refused"] == 1


def test_who_crashes_keeps_what_was_earned_until_then():
    moves = iter([0, 1, 0])
    taken, scores = scores_of(gym_test("CartPole-v1"), lambda ask: next(moves))
    assert taken.record.status == "crashed"
    assert scores == {"return": 3.0, "steps": 3.0}


def test_giving_up_does_not_pay_where_every_step_costs():
    _, scores = scores_of(gym_test("MountainCar-v0"), lambda ask: Refused("no"))
    assert scores == {"return": -200.0, "steps": 0.0}


@pytest.mark.parametrize("name", ["CartPole-v1", "Pendulum-v1", "Taxi", "Blackjack-v1", "Acrobot-v1"])
def test_chance_can_take_all_kinds_of_environment(name):
    test = gym_test(name)
    taken, scores = scores_of(test, Chance())
    assert taken.record.status == "finished"
    assert np.isfinite(scores["return"])
    prompt = next(test(generator(1), most_steps=1)).prompt
    assert test.sees.view(prompt).shape == test.sees.shape


def test_the_newest_version_is_found_and_the_nearest_named():
    assert gym_test("CartPole").id == "gym:CartPole-v1"
    with pytest.raises(UnknownName, match="Did you mean CartPole-v1"):
        gym_test("CartPol-v1")
    with pytest.raises(UnknownName, match="There is no package 'nowhere'"):
        gym_test("nowhere:Env-v0")


@pytest.mark.parametrize(
    ("space", "expected"),
    [
        (spaces.Discrete(3, start=2), Action(("2", "3", "4"))),
        (spaces.MultiDiscrete([2, 3]), Vector((0, 0), (1, 2), integer=True)),
        (spaces.MultiBinary(2), Vector((0, 0), (1, 1), integer=True)),
        (spaces.Box(-1, 1, (2,)), Vector((-1, -1), (1, 1))),
    ],
)
def test_actions_come_back_as_the_environment_wants_them(space, expected):
    ours = as_space(space, "Some-v0")
    assert ours == expected
    rng = np.random.default_rng(1)
    for _ in range(50):
        action = as_action(space, ours.check(ours.draw(rng)))
        assert space.contains(action), action


def test_composed_actions_are_refused_with_a_sentence():
    with pytest.raises(BadParameter, match="of kind Dict, which cannot be asked for"):
        as_space(spaces.Dict({"a": spaces.Discrete(2)}), "Some-v0")
