"""The plain world: rewards, views, waits, and what agents are shown."""

import numpy as np
import pytest

from mensura.catalog.lambda_star.batch.environments import make_environments
from mensura.catalog.lambda_star.environment.pattern import Reach
from mensura.catalog.lambda_star.environment.torus import ACTIONS, Torus
from mensura.catalog.lambda_star.move import MOVE
from mensura.catalog.lambda_star.world import GridWorld
from mensura.dialogue import prompt_data, prompt_text
from mensura.errors import Invalid


def world_of(size="5", *, episode=0, agents=2, sight=1, reach=Reach(2, 8)):
    torus = Torus.of(size)
    made = make_environments(torus, episodes=1, first=episode, iterations=20, agents=agents, reach=reach, key=4)
    good, evil, starts = (part[0].tolist() for part in (made.good, made.evil, made.starts))
    return GridWorld(torus, good=good, evil=evil, starts=starts, sight=sight, original=reach is None)


def reward_at(world, cell, iteration):
    """The definition, written out: 1/(d + 1) below distance 2, for Good less that for Evil."""
    distances = (world.torus.distance(cell, place) for place in (world.good[iteration], world.evil[iteration]))
    good, evil = (1 / (distance + 1) if distance < 2 else 0.0 for distance in distances)
    return good - evil


@pytest.mark.parametrize("size", ["10", "5", "3", "2x7", "1x2"])
@pytest.mark.parametrize("sight", [1, 2, 3])
def test_views_and_rewards_are_those_of_the_definition(size, sight):
    rng = np.random.default_rng(1)
    for episode in range(5):
        world = world_of(size, episode=episode, sight=sight, reach=Reach(2, 4))
        for iteration in range(world.iterations):
            for view, seen in zip(world.observe(), [world.seen[cell] for cell in world.cells], strict=True):
                assert list(view.rewards) == [reward_at(world, cell, iteration) for cell in seen]
            rewards = world.step(rng.integers(1, 10, size=2).tolist())
            assert rewards == [reward_at(world, cell, iteration + 1) for cell in world.cells]


def test_actions_lead_where_they_say():
    world = world_of("10", agents=9)
    before = list(world.cells)
    world.step(list(range(1, 10)))
    assert world.cells == [world.torus.moves[cell][action] for action, cell in enumerate(before)]


def test_who_does_nothing_stays():
    world = world_of()
    before = list(world.cells)
    world.step([None, None])
    assert world.cells == before


def test_the_program_first_shows_a_lone_punishment_on_its_first_cell():
    world = world_of("5", agents=25, reach=None)
    for view in world.observe():
        expected = [-0.5 if cell == 0 else 0.0 for cell in world.seen[view.cell]]
        assert list(view.rewards) == expected
        assert "G" not in "".join(view.contents)
    world.step([5] * 25)
    assert any(reward == 1.0 or reward == 0.5 for view in world.observe() for reward in view.rewards)


def test_contents_show_objects_and_other_agents_in_sight_and_nothing_further():
    torus = Torus(10, 10)
    world = GridWorld(torus, good=[11, 12], evil=[55, 55], starts=[0, 1, 99])
    view = world.observe()[0]
    assert view.contents == ["a", "", "", "", "", "a", "", "", "G"]


def test_an_observation_is_shown_as_a_grid_with_rewards_and_place():
    world = GridWorld(Torus(5, 5), good=[13, 13], evil=[11, 11], starts=[12])
    [view] = world.observe()
    grid, rewards, place = prompt_data(view)
    assert grid["cells"] == [["-0.5", "", "+0.5"], ["E -1", "@", "G +1"], ["-0.5", "", "+0.5"]]
    assert grid["title"] == "Iteration 1 of 1"
    assert (rewards["values"], rewards["names"]) == ([-0.5, 0, 0.5, -1, 0, 1, -0.5, 0, 0.5], list(ACTIONS))
    assert (place["values"], place["names"]) == ([3, 3, 1], ["row", "column", "iteration"])
    assert "G: Good" in prompt_text(view)


def test_an_observation_never_tells_where_unseen_objects_are():
    far = GridWorld(Torus(10, 10), good=[55, 55], evil=[77, 77], starts=[0])
    further = GridWorld(Torus(10, 10), good=[44, 44], evil=[66, 66], starts=[0])
    assert prompt_data(far.observe()[0]) == prompt_data(further.observe()[0])


def test_the_array_form_has_rewards_contents_and_place():
    world = GridWorld(Torus(5, 5), good=[13, 13], evil=[11, 11], starts=[12, 17])
    array = world.observe()[0].array()
    np.testing.assert_allclose(array[:9], [-0.5, 0, 0.5, -1, 0, 1, -0.5, 0, 0.5])
    np.testing.assert_allclose(array[9:18], [0, 0, 0, -1, 0, 1, 0, 0, 0])
    np.testing.assert_allclose(array[18:27], [0, 0, 0, 0, 0, 0, 0, 1, 0])
    np.testing.assert_allclose(array[27:], [0.4, 0.4, 0.0])


def test_moves_are_numbers_from_1_to_9_or_names():
    assert [MOVE.check(name) for name in ACTIONS] == list(range(1, 10))
    assert [MOVE.check(number) for number in range(1, 10)] == list(range(1, 10))
    assert MOVE.from_gym(np.int64(8)) == 9
    for wrong in (0, 10, -1, 4.5, "north", None, True):
        with pytest.raises(Invalid, match="from 1 to 9"):
            MOVE.check(wrong)


def test_moves_drawn_at_random_are_all_nine():
    rng = np.random.default_rng(0)
    assert {MOVE.draw(rng) for _ in range(500)} == set(range(1, 10))
