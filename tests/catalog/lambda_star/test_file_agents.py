"""Agents and collectives in files: in a process of their own they see what they see in this one."""

import json

import numpy as np
import pytest

from mensura.catalog.lambda_star.environment.observation import Observation
from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.catalog.lambda_star.move import MOVE
from mensura.catalog.lambda_star.world import GridWorld
from mensura.dialogue import Ask
from mensura.errors import BadParameter
from mensura.running.run import run
from mensura.store import open_store
from mensura.subjects.outside.decoding import read_ask
from mensura.subjects.outside.protocol import ask_line

MINE = """
from mensura.catalog.lambda_star.agents import Agent, Collective


class Greedy(Agent):
    def act(self, observation):
        best = max(zip(observation.rewards, observation.seen))[1]
        return observation.torus.toward(observation.cell, best) + 1


class Crowd(Collective):
    def decide(self, observations):
        best = max(max(zip(view.rewards, view.seen)) for view in observations)[1]
        return [view.torus.toward(view.cell, best) + 1 for view in observations]
"""
SMALL = {"episodes": 2, "iterations": 8}


@pytest.fixture
def views():
    world = GridWorld(Torus(5, 6), good=[12, 13], evil=[0, 1], starts=[11, 12, 29], team=("mine", "mine", "other"))
    return world.observe()


def sent(view, *roles):
    """Send a view to another process, and make it again there."""
    return Observation.read(read_ask(json.loads(ask_line(asked(view, *roles), number=1))).prompt)


def asked(view, *roles):
    return Ask(view.for_process(roles), MOVE, "episode0", roles[0])


@pytest.mark.parametrize("body", range(3))
def test_an_observation_is_the_same_in_another_process(views, body):
    view = views[body]
    again = sent(view, f"agent{body + 1}")
    for name in ("cell", "iteration", "body", "terms", "torus", "sight", "contents"):
        assert getattr(again, name) == getattr(view, name), name
    assert (list(again.seen), tuple(again.rewards)) == (list(view.seen), tuple(view.rewards))
    assert np.array_equal(again.array(), view.array())
    assert [part.text() for part in again] == [part.text() for part in view]


def test_a_collective_is_sent_the_views_of_its_own_agents_and_no_others(views):
    again = sent(views[0], "agent1", "agent3")
    assert [view is not None for view in again.together] == [True, False, True]
    assert again.together[2].cell == views[2].cell
    assert again.together[0] is again
    assert sent(views[0], "agent1").together[1:] == [None, None]


def test_a_view_holds_nothing_out_of_sight(views):
    def held(view):
        return view.for_process(["agent1"])[-1].data()["views"][0]

    # The third stands far from the others and from both objects.
    [far] = views[2].for_process(["agent3"])[-1].data()["views"]
    assert (far["good"], far["others"]) == (-1, [])
    assert held(views[0])["others"] == [12]
    assert held(views[0])["good"] == 12


def test_an_agent_that_is_shown_something_else_says_so():
    with pytest.raises(BadParameter, match="observations of a Λ\\* test"):
        Observation.read(["three", "other", "parts", "here"])


@pytest.mark.parametrize(
    ("test", "name", "more"),
    [
        ("lambda-star", "Crowd", {"agents": 3}),
        pytest.param("lambda-star", "Greedy", {"agents": 1}, marks=pytest.mark.proof),
        pytest.param("lambda-star-landscape", "Greedy", {"agents": 1}, marks=pytest.mark.proof),
        ("lambda-star-social", "Greedy", {"agents": 2}),
    ],
)
def test_agents_in_a_file_act_as_they_do_in_this_process(tmp_path, test, name, more):
    (tmp_path / "mine.py").write_text(MINE)
    with open_store(tmp_path / "mensura.db") as store:
        outside, inside = (
            run(test, f"{tmp_path}/mine.py:{name}{how}", store=store, seed=3, parameters={**SMALL, **more})
            for how in ("", "#in_process=true")
        )
    assert outside.counts["finished"] == 1, outside.last_words
    assert {name: one.value for name, one in outside.scores.items()} == pytest.approx(
        {name: one.value for name, one in inside.scores.items()}, nan_ok=True
    )
