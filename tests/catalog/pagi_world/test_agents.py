"""Agents of other sorts take the rooms: language models by calls, learners by arrays."""

import numpy as np
import pytest

import mensura
from mensura.catalog.pagi_world.dialogue import pagi_world
from mensura.running.take import take
from mensura.subjects import SubjectSpec
from tests.subjects.model.scripted import answered, model_server


def test_a_language_model_takes_a_room_by_calls():
    look = [{"call": "sensorRequest", "arguments": {"sensor": "BP"}}, {"call": "step", "arguments": {"ticks": 2}}]
    say = [
        {"call": "answerQuestion", "arguments": {"question": "heavier", "answer": "small"}},
        {"call": "step", "arguments": {"ticks": 2000}},
    ]
    with model_server(answered(look), answered(say)) as server:
        model = SubjectSpec(f"llm:small@{server.url}", {}).make(pagi_world)
        taken = take(pagi_world, model, seed=1, parameters={"room": "large-or-strong"})
    result = taken.truths["result"]
    assert result["success"] == (result["drawn"]["truth"] == "small")
    asked = str(server.requests)
    assert "Which block is heavier" in asked
    # What it sensed in its first answer is in the second request.
    assert "BP, [0, 1.14]" in asked


def test_an_agent_of_arrays_sees_its_senses_to_the_end_and_is_paid_for_the_apple():
    gymnasium = pytest.importorskip("gymnasium", reason='pip install "mensura[gym]"')
    env = gymnasium.make("mensura/pagi-world-v1", room="jump-the-wall", stride=6)
    seen, _ = env.reset(seed=1)
    assert seen.shape == (9 + 7 * 18 + 4 * 176,)
    still = np.zeros(10)
    still[7:9] = -1
    right = still.copy()
    right[4] = 1.0
    before = seen[2]
    for _ in range(5):
        seen, reward, over, truncated, _ = env.step(right)
    assert seen[2] > before
    while not (over or truncated):
        seen, reward, over, truncated, _ = env.step(still)
    assert (reward, truncated) == (0.0, True)
    assert seen[2] > before


def test_agents_of_arrays_share_a_room():
    pytest.importorskip("pettingzoo", reason='pip install "mensura[gym]"')
    from pettingzoo.test import parallel_api_test

    env = mensura.as_parallel_env(mensura.find_test("pagi-world"), seed=1, room="three-pills", stride=30)
    parallel_api_test(env, num_cycles=10)
