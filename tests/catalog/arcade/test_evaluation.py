"""Evaluations: what counts, from which starts it comes, and that neither form nor order matters."""

from dataclasses import replace

import numpy as np
import pytest

from mensura.catalog.arcade.batch import play_all
from mensura.catalog.arcade.dialogue import arcade, in_batch
from mensura.catalog.arcade.evaluation import EvaluationPlan, PlayedEpisode, by_start
from mensura.catalog.arcade.scoring import (
    median_estimate,
    normalised,
    score_played,
    trimmed_estimate,
    variance,
)
from mensura.catalog.arcade.starts.file import write_starts
from mensura.catalog.arcade.subjects import NoopPlayer, RandomPlayer, RepeatLast, SearchPlanner
from mensura.catalog.arcade.world.rules import Rules
from mensura.errors import BadData, BadParameter
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take
from tests.catalog.arcade.conftest import make_starts

SMALL = {"cap_frames": 80, "null_starts": 1}


def plan_of(starts, **more):
    given = {"episodes_per_start": 2, "null_starts": 1, "seed": 5, **more}
    return EvaluationPlan("montezuma_revenge", Rules(cap_frames=120), 0.05, starts, **given)


def test_episodes_do_not_depend_on_the_order_or_number_of_starts():
    starts = make_starts().starts
    played = [
        dict(by_start(plan.tasks(), play_all(plan, RandomPlayer()))) for plan in map(plan_of, (starts, starts[::-1]))
    ]
    assert played[0] == played[1]
    alone = plan_of(starts[2:3], null_starts=0)
    assert dict(by_start(alone.tasks(), play_all(alone, RandomPlayer())))[starts[2].id] == played[0][starts[2].id]


def test_processes_change_nothing(monkeypatch):
    plan = plan_of(make_starts().starts, episodes_per_start=1)
    here = play_all(plan, RandomPlayer())
    monkeypatch.setattr("mensura.catalog.arcade.batch.APART", 2)
    assert play_all(plan, RandomPlayer()) == here


@pytest.mark.parametrize("name", ["random", "noop", "repeat-last"])
def test_the_dialogue_scores_the_same_kinds_as_the_batch(some_starts, name):
    parameters = arcade.fill({**SMALL, "starts": str(some_starts)})
    taken = take(arcade, arcade.subjects[name](), seed=3, parameters=parameters)
    plain = score_record(arcade, taken.record, taken.truths)
    batch = in_batch(np.random.default_rng(3), arcade.subjects[name](), **parameters)
    assert set(plain.values) == set(batch.values)
    assert "starts" in plain.values
    assert "human_starts" not in plain.values
    assert [row["frames"] for row in plain.details["by_start"]] == [row["frames"] for row in batch.details["by_start"]]
    acts = [answer for answer in taken.record.answers if answer.status == "answered"]
    assert len(acts) == (len(make_starts().starts) + 1) * 20


def test_pairs_of_agents_meet_the_same_chance(some_starts):
    """The world's own chance comes from start, number and seed, not from what an agent does."""
    plan = plan_of(make_starts().starts)
    name = plan.tasks()[0][0]
    assert plan.chance(name, 0, 1).random() == plan.chance(name, 0, 1).random()
    assert plan.chance(name, 0, 1).random() != plan.chance(name, 1, 1).random()


def test_human_starts_need_a_human_in_every_state(tmp_path):
    made = make_starts(made="human")
    path = tmp_path / "human.json"
    write_starts(made, path)
    parameters = arcade.fill({**SMALL, "starts": str(path)})
    assert "human_starts" in in_batch(np.random.default_rng(1), NoopPlayer(), **parameters).values
    write_starts(replace(made, starts=(*made.starts[:3], replace(made.starts[3], made="search"))), path)
    import os

    os.utime(path, (1, 1))
    assert "human_starts" not in in_batch(np.random.default_rng(1), NoopPlayer(), **parameters).values


def test_clipped_rewards_are_told_and_whole_ones_scored(tmp_path):
    """In Private Eye points are lost by hundreds at a time."""
    given = {"game": "private-eye", "null_starts": 1, "cap_frames": 3000}
    told = []
    for clipping in (False, True):
        parameters = arcade.fill({**given, "clipping": clipping})
        taken = take(arcade, arcade.subjects["random"](), seed=3, parameters=parameters)
        told.append([answer.reward for answer in taken.record.answers if answer.reward])
        assert abs(score_record(arcade, taken.record, taken.truths).values["null_starts"]) >= 1
    assert max(map(abs, told[0])) > 1
    assert [np.sign(one) for one in told[0]] == told[1]


def test_a_learner_of_another_game_is_refused(monkeypatch):
    player = RandomPlayer()
    monkeypatch.setattr(player, "about", lambda: {"game": "pong"}, raising=False)
    with pytest.raises(BadParameter, match="trained on pong"):
        in_batch(np.random.default_rng(1), player, **arcade.fill(SMALL))


def test_a_split_that_shares_a_state_is_not_evaluated(tmp_path):
    made = make_starts()
    double = replace(made.starts[0], split="test", session="another")
    write_starts(replace(made, starts=(*made.starts, double)), tmp_path / "shared.json")
    given = {**SMALL, "starts": str(tmp_path / "shared.json")}
    assert arcade.fill({**given, "split": "all"})
    with pytest.raises(BadData, match="share 1 state"):
        arcade.fill({**given, "split": "test"})


def test_doing_nothing_is_seen_in_its_share(some_starts):
    parameters = arcade.fill({**SMALL, "starts": str(some_starts), "epsilon": 0.0})
    scores = in_batch(np.random.default_rng(1), NoopPlayer(), **parameters)
    assert scores.values["noop_share"] == 1.0
    scores = in_batch(np.random.default_rng(1), RepeatLast(), **parameters)
    assert scores.values["noop_share"] < 0.9


def test_the_planner_finds_a_point_that_chance_misses(tmp_path):
    write_starts(make_starts("breakout", states=2), tmp_path / "b.json")
    given = {
        "game": "breakout",
        "starts": str(tmp_path / "b.json"),
        "null_starts": 0,
        "cap_frames": 240,
        "epsilon": 0.0,
    }
    parameters = arcade.fill(given)
    rng = np.random.default_rng(1)
    planned, chance = (
        np.mean(in_batch(rng, one, **parameters).values["starts"].values) for one in (SearchPlanner(), NoopPlayer())
    )
    assert planned > chance
    assert SearchPlanner.knows == "truth"


@pytest.mark.parametrize(
    "wrong", [{"null_starts": 0}, {"episodes_per_start": 0}, {"epsilon": 2.0}, {"show": "smell"}, {"sticky": 1.0}]
)
def test_what_cannot_be_played_is_refused(wrong):
    with pytest.raises(BadParameter):
        arcade.fill(wrong)


def played(earned, **more):
    given = {"acts": 10, "frames": 40, "first_reward": None, "negative": 0, "lives_lost": 0, "noops": 1, "cut": False}
    return PlayedEpisode(earned, **{**given, **more})


def test_scores_worked_by_hand():
    about = {"game": "montezuma_revenge", "human": True, "starts": {}, "per_start": 1}
    earned = [0, 0, 0, 100, 300, 0, 0, 0, 0, 600]
    found = {f"s{n}": [played(e, first_reward=50 if e else None, lives_lost=n % 2)] for n, e in enumerate(earned)}
    scores = score_played(about, found, [played(0), played(100)])
    assert scores.values["human_starts"].values.mean() == 100
    assert scores.values["median"] == 0
    assert scores.values["trimmed_mean"] == 50
    assert scores.values["share_positive"].values.mean() == pytest.approx(0.3)
    assert scores.values["nearest_reward_collected"] == pytest.approx(0.3)
    assert scores.values["lives_lost"] == 0.5
    assert scores.values["null_starts"] == 50
    assert scores.values["noop_share"] == pytest.approx(0.1)
    assert scores.values["normalised"] == pytest.approx((100 - 25) / (4182 - 25))


def test_no_interval_leaves_its_scale_or_claims_what_did_not_vary():
    about = {"game": "montezuma_revenge", "human": False, "starts": {}, "per_start": 1}
    found = {f"s{n}": [played(0, lives_lost=int(n == 1))] for n in range(4)}
    estimates = score_played(about, found, [played(0), played(0)]).details["estimates"]
    for name in ("lives_lost", "negative_rewards", "nearest_reward_collected", "noop_share"):
        assert estimates[name]["low"] is None or estimates[name]["low"] >= 0, name
    assert estimates["nearest_reward_collected"]["high"] > 0.3
    for name in ("trimmed_mean", "normalised", "null_starts"):
        assert estimates[name]["low"] is None, name


def test_variance_is_split_as_it_was_made():
    rng = np.random.default_rng(1)
    groups = [list(rng.normal(rng.normal(0, 30), 10, size=4)) for _ in range(400)]
    split = variance(groups)
    assert split["between"] == pytest.approx(900, rel=0.2)
    assert split["within"] == pytest.approx(100, rel=0.2)
    assert variance([[1.0], [2.0]])["between"] is None
    # What did not vary has no error that is known, not one of 0.
    assert "error_these_starts" not in variance([[0.0, 0.0], [0.0, 0.0]])


@pytest.mark.parametrize(("estimate", "truth"), [(median_estimate, np.log(2)), (trimmed_estimate, None)])
def test_intervals_cover_at_least_nearly_as_often_as_they_say(estimate, truth):
    rng = np.random.default_rng(2)
    if truth is None:
        truth = estimate(rng.exponential(size=400_000)).value
    covers = [not estimate(rng.exponential(size=40)).excludes(truth) for _ in range(1000)]
    assert np.mean(covers) > 0.92


def test_scores_do_not_depend_on_the_order_of_starts():
    about = {"game": "pong", "human": False, "starts": {}, "per_start": 1}
    found = {f"s{n}": [played(n)] for n in range(8)}
    first = score_played(about, found, [])
    second = score_played(about, dict(reversed(found.items())), [])
    for name in ("median", "trimmed_mean", "lives_lost"):
        assert first.values[name] == second.values[name]
    assert np.isnan(normalised(3.0, game="pong"))
