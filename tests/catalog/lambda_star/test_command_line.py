"""The commands a user types."""

import itertools
import json

import pytest
from click.testing import CliRunner

from mensura.catalog.lambda_star.agents import LocalSearch
from mensura.catalog.lambda_star.batch import administration
from mensura.cli.main import cli


def run(words, *, store):
    done = CliRunner().invoke(cli, ["run", "lambda-star", *words.split(), "--store", str(store), "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.fixture
def store(tmp_path):
    return tmp_path / "mensura.db"


def test_the_command_gives_intelligence_with_complexity_and_entropy_beside_it(store):
    words = "--as local-search --setting paper --size 10 --agents 1 --episodes 1000 --iterations 50 --seed 1"
    result = run(words, store=store)
    score = result["scores"]["intelligence"]
    assert score["n"] == 1000
    assert score["low"] < score["value"] < score["high"]
    assert result["entropy_bits"] == pytest.approx(13.2732, abs=5e-5)
    assert sum(row["n"] for row in result["by_complexity"].values()) == 1000
    assert result["condition"] == "paper"
    assert result["bounds"]["random"]["low"] < 0 < result["bounds"]["random"]["high"]


def test_the_setting_of_2016_is_named(store):
    result = run("--as oracle --setting original --size 5 --episodes 1000 --seed 1", store=store)
    assert result["condition"] == "original"
    assert result["scores"]["intelligence"]["value"] == pytest.approx(0.887, abs=0.015)


def test_a_team_needs_no_other_subject(store):
    result = run("--team local-search:3,q-learning:2 --episodes 50 --seed 1", store=store)
    assert result["subject"] == "team"
    assert result["scores"]["intelligence"]["n"] == 50


def test_rows_and_columns_may_differ(store):
    result = run("--as bidding --size 8x12 --agents 4 --episodes 50 --seed 1", store=store)
    assert result["entropy_bits"] == pytest.approx(13.1547, abs=1e-3)


def test_ctrl_c_gives_the_scores_of_what_was_played_and_the_run_can_be_resumed(store, monkeypatch):
    words = "run lambda-star --as local-search --size 5 --episodes 1000 --seed 3 --json --store"
    whole = json.loads(CliRunner().invoke(cli, [*words.split(), str(store)]).stdout)["scores"]["intelligence"]
    play = administration.play_chunk

    def stopped(plan, team, first):
        if first >= 500:
            raise KeyboardInterrupt
        return play(plan, team, first)

    monkeypatch.setattr(administration, "play_chunk", stopped)
    done = CliRunner().invoke(cli, [*words.split(), str(store)])
    assert done.exit_code == 1
    assert "Interrupted" in done.stderr
    result = json.loads(done.stdout)
    assert result["sessions"]["open"] == 1
    assert result["scores"]["intelligence"]["n"] == result["anytime"]["n"] == 500
    monkeypatch.undo()
    again = CliRunner().invoke(cli, ["resume", "last", "--json", "--store", str(store)])
    assert again.exit_code == 0, again.output
    assert json.loads(again.stdout)["scores"]["intelligence"] == whole


def test_ctrl_c_gives_the_scores_of_a_session_that_was_under_way(store, monkeypatch):
    words = "run lambda-star --as local-search --trace full --episodes 5 --iterations 10 --seed 1 --json --store"
    whole = json.loads(CliRunner().invoke(cli, [*words.split(), str(store)]).stdout)["scores"]["intelligence"]
    act, moves = LocalSearch.act, itertools.count()

    def stopped(self, observation):
        if next(moves) == 25:
            raise KeyboardInterrupt
        return act(self, observation)

    monkeypatch.setattr(LocalSearch, "act", stopped)
    done = CliRunner().invoke(cli, [*words.split(), str(store)])
    assert done.exit_code == 1
    result = json.loads(done.stdout)
    assert result["scores"]["intelligence"]["n"] == 3
    assert result["outcomes"]["answered"] == 25
    monkeypatch.undo()
    again = CliRunner().invoke(cli, ["resume", "last", "--json", "--store", str(store)])
    assert json.loads(again.stdout)["scores"]["intelligence"] == whole


def test_the_same_seed_gives_the_same_score(store):
    words = "--as stigmergy --agents 5 --episodes 200 --seed 9"
    assert run(words, store=store)["scores"] == run(words, store=store)["scores"]
