"""The test of task environments: what is told, asked and scored, in words, arrays and batches."""

import json

import numpy as np
import pytest
from scipy.stats import ks_2samp

from mensura.catalog.task_environments.agents.full_throttle import FullThrottle
from mensura.catalog.task_environments.attempt import Attempt, Briefing, describe
from mensura.catalog.task_environments.dialogue import task_environments
from mensura.catalog.task_environments.playing import play_batch
from mensura.catalog.task_environments.task.goal import Goal
from mensura.catalog.task_environments.task.sensor import Sensor
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.tasks.find import find_task
from mensura.dialogue import Refused, generator
from mensura.errors import MensuraError
from mensura.running.check import CheckOptions, check_test
from mensura.running.environment.environment import as_env, as_parallel_env
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take
from tests.proofs import proofs


def taken(subject, **parameters):
    return take(task_environments, subject, seed=5, parameters=parameters)


def scores_of(held):
    return {
        name: items.values for name, items in score_record(task_environments, held.record, held.truths).values.items()
    }


class Coaster:
    """Full power until it can coast to the finish, then none; it notes what it is told and rewarded."""

    def __init__(self):
        self.told, self.rewards, self.seen = [], [], []

    def feedback(self, told):
        self.told.append(told.prompt)

    def __call__(self, ask):
        self.rewards.append(ask.reward)
        self.seen.append(ask.prompt)
        place, speed = ask.prompt.values
        return [200.0 if place + speed**2 / 4 < 96 else 0.0]


def test_full_throttle_is_as_fast_as_can_be_and_costs_as_much():
    scores = scores_of(taken(FullThrottle(), episodes=8))
    assert scores["solved"].tolist() == [1.0] * 8
    assert scores["energy"] == pytest.approx(200 * scores["time"])
    assert scores["regret_time"] == pytest.approx(np.zeros(8), abs=1e-6)
    assert (scores["regret_time"] > 0).all()
    assert (scores["regret_energy"] < 0.5).all()


def test_who_saves_energy_has_little_regret_of_energy():
    scores = scores_of(taken(Coaster(), episodes=3))
    assert scores["solved"].all()
    full = scores_of(taken(FullThrottle(), episodes=3))
    assert (scores["energy"] < full["energy"]).all()
    assert (scores["regret_energy"] >= 0).all()
    # Full power, then none: whatever energy that took, nothing is faster with it.
    assert scores["regret_time"] == pytest.approx(np.zeros(3), abs=1e-6)


def test_who_does_nothing_is_charged_with_all():
    scores = scores_of(taken(lambda ask: Refused("no"), episodes=2))
    assert scores["solved"].tolist() == [0.0, 0.0]
    assert scores["time"].tolist() == [60.0, 60.0]
    assert scores["energy"].tolist() == [5000.0, 5000.0]
    assert (scores["regret_time"] > 50).all()


def test_starts_do_not_depend_on_what_was_done_before():
    starts = []
    for subject in (FullThrottle(), lambda ask: [0.0]):
        held = taken(subject, episodes=3)
        starts.append([held.truths[f"result{attempt}"]["drawn"] for attempt in range(3)])
    assert starts[0] == starts[1]
    assert len({row[0] for row in starts[0]}) == 3


@pytest.mark.parametrize(
    ("told", "goal", "rewarded"), [("goal", True, True), ("reward", False, True), ("neither", False, False)]
)
def test_instruction_is_a_knob(told, goal, rewarded):
    subject = Coaster()
    taken(subject, told=told)
    assert ("finish: car at 100, at most 5 off" in subject.told[0]) is goal
    assert subject.rewards[0] is None
    assert all((reward is not None) is rewarded for reward in subject.rewards[1:])
    if rewarded:
        assert subject.rewards[-1] > subject.rewards[1] > -1


def test_other_physics_print_what_they_created_and_no_regret():
    scores = scores_of(taken(FullThrottle(), physics="paper"))
    assert "regret_time" not in scores
    assert scores["created"][0] > 0


def test_a_reward_channel_is_no_observation_and_is_the_reward():
    data = find_task("car-race").data()
    data["sensors"].append(Sensor("pleasure", ("car",), reads="velocity", reward=True).__dict__)
    task = Task.read(data)
    attempt = Attempt(Briefing(task, "exact", 0.25, "reward", False, key=1), 0)
    assert [name for _, name in task.observed("subject")] == ["place", "speed"]
    attempt.act({"subject": [200.0]})
    assert attempt.reward == attempt.world.state.velocity[0] > 0


def test_a_ladder_of_nearer_starts_comes_first_and_does_not_count():
    held = taken(FullThrottle(), ladder=4, episodes=2)
    keys = list(dict.fromkeys(answer.key for answer in held.record.answers))
    assert keys == ["ladder0", "ladder1", "ladder2", "ladder3", "attempt0", "attempt1"]
    assert set(held.truths) == {"result0", "result1"}
    terms = Briefing(find_task("car-race"), "exact", 0.25, "goal", False, key=3, ladder=4)
    drawn = Attempt(Briefing(find_task("car-race"), "exact", 0.25, "goal", False, key=3), 1).drawn[0]
    assert Attempt(terms, 1).drawn[0] == pytest.approx(95 + (drawn - 95) * 2 / 5)


class Signaller:
    """Asks for help at first, and stops when it has been told its goals."""

    def __init__(self):
        self.told = []

    def feedback(self, told):
        self.told.append(told.prompt)

    def __call__(self, ask):
        assert ask.space.low == (-200.0, -2.0)
        return [0.0, -2.0 if any("Your goals" in words for words in self.told) else -1.0]


def test_help_can_be_asked_for_and_one_may_stop():
    subject = Signaller()
    held = taken(subject, told="neither", signals=True)
    assert [answer.value for answer in held.record.answers] == [[0.0, -1.0], [0.0, -2.0]]
    result = held.truths["result0"]
    assert (result["helped"], result["stopped"], result["solved"]) == (1, True, False)
    assert "finish" in subject.told[1]


def test_people_who_have_buttons_are_told_of_no_numbers():
    attempt = Attempt(Briefing(find_task("car-race"), "exact", 0.25, "goal", signals=True, key=1), 0)
    told, shown = attempt.terms.words("subject"), attempt.shown("subject")["words"]
    assert "The last number" in str(told)
    assert "The last number" not in str(shown)
    assert "finish: car at 100" in str(shown)


def test_two_agents_push_together():
    held = take(task_environments, {"agent1": FullThrottle(), "agent2": FullThrottle()}, seed=5,
                parameters={"task": "two-agents"})  # fmt: skip
    scores = scores_of(held)
    assert scores["energy"] == pytest.approx(200 * scores["time"])
    assert scores["regret_time"] == pytest.approx([0.0], abs=1e-6)


@pytest.mark.parametrize("name", ["full-throttle"])
def test_the_batch_form_has_the_same_instances_and_scores_alike(name):
    parameters = task_environments.fill({"episodes": 60})
    plain = scores_of(taken(task_environments.subjects[name](), episodes=60))
    batch = play_batch(np.random.default_rng(9), task_environments.subjects[name](), **parameters).values
    assert set(plain) == set(batch)
    for score in ("time", "energy"):
        assert ks_2samp(plain[score], batch[score].values).pvalue > 0.001
    assert play_batch(np.random.default_rng(9), lambda ask: [0.0], **parameters) is None


@pytest.mark.parametrize(("sessions", "cuts"), [(8, 8), *proofs((30, 25))])
def test_it_keeps_the_contract_with_arrays(sessions, cuts):
    options = CheckOptions(sessions=sessions, cuts=cuts)
    report = check_test("task-environments", options=options, episodes=3, task="locking-plotter")
    assert report.passed, str(report)


def test_it_is_a_gymnasium_environment():
    env = as_env("task-environments", seed=1, task="plotter")
    seen, _ = env.reset()
    assert seen.shape == (3,)
    assert env.action_space.shape == (2,)
    over = False
    while not over:
        seen, reward, over, cut, _ = env.step(env.action_space.high)
        assert not cut
    assert reward == 0.0
    assert seen[0] > 90


def test_two_agents_are_a_pettingzoo_environment():
    env = as_parallel_env("task-environments", seed=1, task="two-agents")
    env.reset()
    while env.agents:
        _, rewards, over, _, _ = env.step({agent: env.action_space(agent).high for agent in env.agents})
    assert set(over.values()) == {True}
    assert rewards == {"agent1": 0.0, "agent2": 0.0}


def test_roles_with_different_numbers_of_sensors_see_arrays_of_one_shape(tmp_path):
    seen = find_task("two-agents").data()
    seen["sensors"][0]["agents"] = ["agent1"]
    (tmp_path / "apart.json").write_text(json.dumps(seen))
    env = as_parallel_env("task-environments", seed=1, task=str(tmp_path / "apart.json"))
    found, _ = env.reset()
    widths = [len(find_task(str(tmp_path / "apart.json")).observed(role)) for role in env.possible_agents]
    assert widths[0] > widths[1]
    assert {array.shape for array in found.values()} == {(widths[0],)}
    assert found["agent2"][-1] == 0
    found, *_ = env.step({agent: env.action_space(agent).high for agent in env.agents})
    assert found["agent1"][0] != 0
    assert all(env.observation_space(agent).contains(array) for agent, array in found.items())


def test_goals_are_described_in_words():
    goal = Goal("dock", "ship", "pier", 0.5, held=3.0, after=2.0, requires=("slow",), present=True)
    assert describe(goal) == "dock: ship at pier, at most 0.5 off, for 3 s, after 2 s, while slow"
    assert describe(Goal("line", "car", 10.0, crossing=True)) == "line: car passes 10"


@pytest.mark.parametrize("wrong", [{"episodes": 0}, {"ladder": -1}, {"task": "no-such"}, {"tick": 0.0}])
def test_impossible_parameters_are_refused(wrong):
    with pytest.raises(MensuraError):
        next(task_environments(generator(1), **task_environments.fill(wrong)))
