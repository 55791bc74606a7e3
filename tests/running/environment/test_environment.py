"""Tests as environments: Gymnasium's and PettingZoo's own checkers pass, and the world is the session's world."""

import warnings

import numpy as np
import pytest

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env
from pettingzoo.test import parallel_api_test, parallel_seed_test

from mensura.catalog.find import find_test
from mensura.dialogue import (
    Action,
    Address,
    Ask,
    Break,
    Choice,
    Instance,
    Outcome,
    Readings,
    Round,
    Save,
    Sees,
    Session,
    Timing,
    make_record,
    test,
)
from mensura.errors import BadParameter, BrokenTest, Invalid, MensuraError
from mensura.running.environment.environment import as_env, as_parallel_env
from mensura.running.environment.episode import Episode
from mensura.running.take import take

MOVES = Action(("left", "right"))
SEES = Sees((1,), -1e9, 1e9, np.float64)


@pytest.mark.parametrize("name", ["corridor", "gym:CartPole-v1", "gym:Pendulum-v1"])
def test_gymnasiums_own_checker_passes(name):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        check_env(as_env(find_test(name), render_mode="ansi"))
    # Only an environment of Gymnasium's registry has a spec, and Pendulum's own bounds are not those recommended.
    allowed = ("not having a spec", "For Box action spaces", "observation space m")
    assert [str(one.message) for one in said if not any(words in str(one.message) for words in allowed)] == []


def test_pettingzoos_own_tests_pass():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(as_parallel_env(find_test("dilemma"), rounds=50), num_cycles=100)
        parallel_seed_test(lambda: as_parallel_env(find_test("dilemma"), noise=0.2))


def test_an_episode_is_the_session_of_the_same_seed():
    corridor = find_test("corridor")
    env = as_env(corridor, seed=7)
    for number in range(3):
        session = Session(Instance(corridor, corridor.fill(), 7, Address(session=number)))
        session.start()
        seen, _ = env.reset()
        assert seen.tolist() == corridor.sees.view(session.open["subject"].prompt).tolist()
        over = False
        while not over:
            seen, reward, terminated, truncated, _ = env.step(1)
            session.answer(1)
            over = terminated or truncated
            if not over:
                ask = session.open["subject"]
                assert (seen.tolist(), reward) == (corridor.sees.view(ask.prompt).tolist(), ask.reward)
        assert session.status == "finished"
        assert (reward, truncated) == (session.outcome.reward, session.outcome.truncated)
        assert seen.tolist() == corridor.sees.view(session.outcome.prompt).tolist()


def test_a_seed_begins_anew_and_no_seed_goes_on():
    env = as_env(find_test("corridor"))
    goals = [env.reset(seed=3)[0][1], *(env.reset()[0][1] for _ in range(30))]
    again = [env.reset(seed=3)[0][1], *(env.reset()[0][1] for _ in range(30))]
    assert goals == again
    assert set(goals) == {0.0, 1.0}


def test_actions_outside_their_space_are_refused_and_nothing_moves():
    env = as_env(find_test("corridor"), seed=1, slip=0.0)
    env.reset()
    with pytest.raises(Invalid, match="A move is a number from 0 to 1"):
        env.step(2)
    seen, *_ = env.step(np.int64(1))
    assert seen[0] == pytest.approx(0.6)


def test_a_step_after_the_end_or_before_the_beginning_is_refused():
    env = as_env(find_test("corridor"), most_steps=1)
    with pytest.raises(MensuraError, match="call reset"):
        env.step(0)
    env.reset()
    env.step(0)
    with pytest.raises(MensuraError, match="call reset"):
        env.step(0)
    many = as_parallel_env(find_test("dilemma"), rounds=1)
    with pytest.raises(MensuraError, match="call reset"):
        many.step({})
    many.reset()
    with pytest.raises(MensuraError, match="no action for second"):
        many.step({"first": 0})


def test_rewards_that_are_told_count_for_the_step_before():
    env = as_env(find_test("corridor"), seed=2, episodes=2, slip=0.0)
    seen, _ = env.reset()
    for _ in range(5):
        seen, reward, terminated, _, info = env.step(int(seen[1]))
    assert reward == pytest.approx(0.99)
    assert not terminated
    assert info["told"] == ["You are at the goal."]


def test_a_person_can_read_what_the_agent_sees():
    env = as_env(find_test("corridor"), render_mode="ansi", length=3, seed=1)
    assert env.render() == ""
    env.reset()
    assert "A: you" in env.render()
    assert as_env(find_test("corridor")).render() is None
    many = as_parallel_env(find_test("dilemma"), render_mode="ansi")
    _, infos = many.reset()
    assert "[second]\nRound 1." in many.render()
    assert "again and again" in infos["first"]["told"][0]
    assert as_parallel_env(find_test("dilemma")).render() is None


@test("timed-v1", sees=SEES, acts=MOVES, timing=Timing(cost=3))
def timed(rng, *, clock):
    """Say what comes of answers on a clock."""
    for _ in range(3):
        answer = yield Ask(Readings([clock.now]), MOVES, until=10 * (1 + clock.now // 10))
        yield Save({})
        yield Break()
        yield Ask(f"{answer} at {clock.now}", reward=1.0)
    got = yield Round([Ask(Readings([clock.now]), MOVES)], until=clock.now + 2)
    yield Round([Ask(f"{got}")])
    return Outcome(reward=2.0)


def test_clocks_saves_breaks_and_rounds_are_kept():
    env = as_env(timed)
    env.reset()
    told = []
    for _ in range(3):
        _, reward, *_, info = env.step(1)
        told += info["told"]
        assert reward == 1.0
    assert told == ["1 at 3", "1 at 6", "1 at 9"]
    # The last answer comes at tick 12, after the round's deadline of 11.
    _, reward, terminated, _, info = env.step(1)
    assert info["told"] == ["{}"]
    assert (reward, terminated) == (2.0, True)


@test("turns-v1", roles=("a", "b"), sees=SEES, acts=MOVES)
def turns(rng):
    """Ask one role after the other."""
    for i in range(2):
        yield Ask(Readings([i]), MOVES, role="ab"[i])
    return Outcome(reward={"a": 1.0, "b": -1.0})


def test_roles_that_are_not_asked_wait():
    env = as_parallel_env(turns)
    seen, infos = env.reset()
    assert [infos[agent]["asked"] for agent in "ab"] == [True, False]
    assert seen["b"].tolist() == [0.0]
    seen, rewards, *_, infos = env.step({"a": 0})
    assert [infos[agent]["asked"] for agent in "ab"] == [False, True]
    _, rewards, terminated, truncated, _ = env.step({"a": 0, "b": 1})
    assert rewards == {"b": -1.0, "a": 1.0}
    assert terminated == {"a": True, "b": True}
    assert truncated == {"a": False, "b": False}
    assert env.agents == []


def test_tests_that_cannot_be_environments_say_why():
    with pytest.raises(BadParameter, match="use as_parallel_env"):
        as_env(find_test("dilemma"))
    with pytest.raises(BadParameter, match="does not say what agents see and do"):
        as_env(find_test("coin"))

    @test("silent-v1", sees=SEES, acts=MOVES)
    def silent(rng):
        yield Ask("Nothing.")

    with pytest.raises(BrokenTest, match="asks nothing of subject"):
        as_env(silent).reset()

    @test("wide-v1", sees=SEES, acts=MOVES)
    def wide(rng):
        yield Ask(Readings([1.0, 2.0]), MOVES)

    with pytest.raises(BrokenTest, match=r"an array of shape \(2,\); it declares \(1,\)"):
        as_env(wide).reset()

    @test("odd-v1", sees=SEES, acts=MOVES)
    def odd(rng):
        yield "not an ask"

    with pytest.raises(BrokenTest, match="yielded str"):
        as_env(odd).reset()


@test("ticking-v1", roles=lambda *, roles, **rest: tuple("xyz"[:roles]), timing=Timing(cost=2), sees=SEES, acts=MOVES)
def ticking(rng, clock, *, roles: int = 2, gap: int = 3, need: str = "all", shared: bool = True):
    """Ask everyone again and again, tell them something now and then, and reward all of it."""
    names = "xyz"[:roles]
    for number in range(4):
        asks = [Ask(Readings([1.0]), MOVES, f"k{number}", role, reward=rng.random()) for role in names]
        yield Round(asks, need=need, until=clock.now + gap)
        if number == 1:
            yield Ask("Well done.", role="x", reward=100.0)
    return Outcome("The end.", reward=7.0 if shared else dict.fromkeys(names, 3.0))


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("need", ["all", "any"])
@pytest.mark.parametrize("gap", [1, 2, 3, 8])
@pytest.mark.parametrize("roles", [1, 2, 3])
def test_what_steps_return_sums_to_the_rewards_of_the_record(roles, gap, need, shared, monkeypatch):
    monkeypatch.setitem(Episode.__init__.__kwdefaults__, "trace", "full")
    parameters = {"roles": roles, "gap": gap, "need": need, "shared": shared}
    env = as_parallel_env(ticking, seed=1, **parameters)
    env.reset()
    session = env._episodes.now.session
    paid = dict.fromkeys(env.possible_agents, 0.0)
    wrong = 0
    while env.agents:
        try:
            for role, reward in env.step(dict.fromkeys(env.agents, 5 if wrong == 1 else 0))[1].items():
                paid[role] += reward
        except Invalid:
            pass
        wrong += 1
    taken = take(ticking, lambda ask: 0, seed=1, parameters=parameters).record
    records = [make_record(session.drain(), test=ticking.id, parameters=parameters), taken]
    for role, sum_of_steps in paid.items():
        assert sum_of_steps == pytest.approx(np.nansum(records[0].rewards(role=role)))
    assert all(record.of(role)[-1].reward is not None for record in records for role in paid)


def test_an_action_outside_its_space_is_an_invalid_answer_and_the_third_ends_the_episode():
    @test("named-v1", sees=SEES, acts=Choice(("a", "b")))
    def named(rng):
        """Ask for one of two."""
        yield Ask(Readings([1.0]), Choice(("a", "b")), "k")

    env = as_env(named, seed=1)
    env.reset()
    for action in (-1, 1.9):
        with pytest.raises(Invalid, match=f"got the action {action}"):
            env.step(action)
    assert env.step("b")[2:4] == (False, True)
    assert env._episodes.now.session.status == "invalid"
