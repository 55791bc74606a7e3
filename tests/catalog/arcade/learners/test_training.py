"""Training: a finite loss, saves that go on to the same bits, and draws from where they should be."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from mensura.catalog.arcade.dialogue import arcade, in_batch  # noqa: E402
from mensura.catalog.arcade.learners.calling import TrainingCall, train  # noqa: E402
from mensura.catalog.arcade.learners.evaluating import NetworkPolicy  # noqa: E402
from mensura.catalog.arcade.learners.experience import PlaySession, fill, read_play, write_sessions  # noqa: E402
from mensura.catalog.arcade.learners.options import Options, options_for  # noqa: E402
from mensura.catalog.arcade.learners.saving import load_network, read_save  # noqa: E402
from mensura.catalog.arcade.learners.training import Course, Training  # noqa: E402
from mensura.catalog.arcade.starts.file import read_starts, write_starts  # noqa: E402
from mensura.catalog.arcade.subjects import HcrPlayer  # noqa: E402
from mensura.catalog.arcade.world.episode import GameEpisode  # noqa: E402
from mensura.catalog.arcade.world.games import cartridge  # noqa: E402
from mensura.catalog.arcade.world.rules import Rules  # noqa: E402
from mensura.cli.main import cli  # noqa: E402
from mensura.errors import BadFile, BadParameter, MensuraError  # noqa: E402
from mensura.running.take import take  # noqa: E402
from tests.catalog.arcade.conftest import make_starts  # noqa: E402

QUICK = {"warm_up_acts": 200, "batch": 8, "target_acts": 120}


@pytest.fixture(autouse=True)
def one_thread():
    """Keep PyTorch to one thread: results must be the same bits, and other tests run beside."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def call(out, *, frames=2000, **more):
    changes = {**QUICK, **more.pop("changes", {})}
    given = {"game": "montezuma-revenge", "setting": "paper", "method": "dqn", "games": 2, "device": "cpu"}
    return train(TrainingCall(**{**given, **more}, frames=frames, out=out, changes=changes))


def test_some_frames_give_a_finite_loss_and_a_save_goes_on_to_the_same_bits(tmp_path):
    # It is cut at once; the fifty updates that follow would show a difference of one bit.
    learning = {"warm_up_acts": 80, "target_acts": 60}
    whole = call(tmp_path / "whole.pt", frames=1200, changes=learning)
    assert whole["frames"] == 1200
    assert whole["acts"] == 300
    assert whole["updates"] > 50
    assert np.isfinite(whole["loss"])
    assert np.isfinite(whole["q_mean"])
    assert whole["human"] == ["nothing"]
    assert not whole["reached_source"]
    first = call(tmp_path / "cut.pt", frames=1200, until_return=float("inf"), seconds=1e-9, changes=learning)
    assert first["frames"] < 1200
    second = call(tmp_path / "cut.pt", frames=1200, resume=True, changes=learning)
    assert second["calls"] == 2
    one, other = (read_save(tmp_path / name)[0]["network"] for name in ("whole.pt", "cut.pt"))
    assert all(torch.equal(one[name], other[name]) for name in one)
    assert whole["q_mean"] == second["q_mean"]


@pytest.mark.parametrize("changes", [{"double": True, "prioritised": True}])
def test_options_learn_and_go_on_too(tmp_path, changes):
    result = call(tmp_path / "a.pt", frames=1200, changes=changes)
    assert np.isfinite(result["loss"])


@pytest.mark.parametrize(("games", "acts_per_update", "warm_up"), [(2, 4, 4), (3, 2, 20), (1, 4, 9)])
def test_frames_that_end_before_the_first_update_are_refused(tmp_path, games, acts_per_update, warm_up):
    changes = {"warm_up_acts": warm_up, "acts_per_update": acts_per_update}
    with pytest.raises(BadParameter, match=r"first update.*--warm-up-acts") as refused:
        call(tmp_path / "few.pt", frames=24, games=games, changes=changes)
    assert not list(tmp_path.iterdir())
    least = int(re.search(r"--frames (\d+) or more", str(refused.value))[1])
    assert call(tmp_path / "least.pt", frames=least, games=games, changes=changes)["updates"] >= 1
    with pytest.raises(BadParameter, match="first update"):
        call(tmp_path / "less.pt", frames=least - 4 * games, games=games, changes=changes)


@pytest.fixture(scope="module")
def hcr(tmp_path_factory, some_starts):
    """Return a save that was trained at the training starts of the four."""
    out = tmp_path_factory.mktemp("hcr") / "hcr.pt"
    call(out, method="hcr", starts=some_starts, frames=60, changes={"warm_up_acts": 4})
    return out


def evaluated(save, starts, **more):
    parameters = arcade.fill({"starts": str(starts), "cap_frames": 40, "null_starts": 0, **more})
    return in_batch(np.random.default_rng(1), HcrPlayer(str(save)), **parameters)


def test_nobody_is_tested_at_starts_that_the_save_was_trained_at(hcr, some_starts, tmp_path):
    with pytest.raises(BadParameter, match=r"2 of 4 starts.*--split test.*2 others"):
        evaluated(hcr, some_starts)
    found = evaluated(hcr, some_starts, split="test")
    assert found.values["starts"] == found.values["starts"]
    # Neither another file name, nor another order, nor another split makes them other starts.
    told = read_starts(some_starts)
    shuffled = replace(told, starts=tuple(replace(one, split="") for one in told.starts[::-1]))
    write_starts(shuffled, tmp_path / "others.json")
    with pytest.raises(BadParameter, match="2 of 4 starts"):
        evaluated(hcr, tmp_path / "others.json")
    write_starts(make_starts(seed=2), tmp_path / "new.json")
    assert evaluated(hcr, tmp_path / "new.json").values["starts"] is not None


def test_a_run_at_starts_that_the_save_was_trained_at_is_refused_before_anything_is_stored(hcr, some_starts, tmp_path):
    given = ["run", "arcade", "--as", f"hcr#save={hcr}", "--starts", str(some_starts)]
    store = ["--store", f"sqlite:///{tmp_path}/kept.db"]
    result = CliRunner().invoke(cli, [*given, *store])
    assert result.exit_code == 1
    assert "trained at" in str(result.exception)
    assert "arcade" not in CliRunner().invoke(cli, ["list", "runs", *store]).stdout
    other = CliRunner().invoke(cli, ["run", "arcade", "--game", "pong", "--as", f"hcr#save={hcr}", *store])
    assert "add --game montezuma" in str(other.exception)


def test_nobody_plays_act_by_act_from_starts_that_the_save_was_trained_at(hcr, some_starts):
    parameters = arcade.fill({"starts": str(some_starts), "cap_frames": 40, "null_starts": 0})
    with pytest.raises(BadParameter, match="trained at"):
        take(arcade, HcrPlayer(str(hcr)), seed=1, parameters=parameters)


def test_a_save_that_does_not_know_its_starts_plays_a_test_split_only(hcr, some_starts, tmp_path):
    kept = torch.load(hcr, weights_only=True)
    told = json.loads(kept["told"])
    del told["course"]["start_hashes"]
    torch.save({**kept, "told": json.dumps(told)}, tmp_path / "old.pt")
    with pytest.raises(BadParameter, match=r"does not say.*--split test"):
        evaluated(tmp_path / "old.pt", some_starts)
    assert evaluated(tmp_path / "old.pt", some_starts, split="test").values


def test_the_command_printed_after_training_names_the_starts_to_test_on(tmp_path, some_starts):
    given = ["arcade", "train", "--game", "montezuma-revenge", "--method", "hcr", "--starts", str(some_starts)]
    given += ["--frames", "60", "--warm-up-acts", "4", "--batch", "8", "--games", "2", "--device", "cpu"]
    result = CliRunner().invoke(cli, [*given, "-o", str(tmp_path / "a b.pt")])
    assert result.exit_code == 0, result.output
    assert "mean greatest value None" not in result.output
    ran = f"--as 'hcr#save={tmp_path}/a b.pt' --setting paper --starts {some_starts} --split test"
    assert ran in result.output


def test_a_save_without_an_update_is_not_recommended(tmp_path):
    given = ["arcade", "train", "--game", "pong", "--frames", "9e5", "--seconds", "0", "--games", "2"]
    result = CliRunner().invoke(cli, [*given, "--memory-acts", "2000", "--device", "cpu", "-o", str(tmp_path / "a.pt")])
    assert result.exit_code == 0, result.output
    assert "no update" in result.output
    assert "mensura run" not in result.output


def test_hcr_begins_at_training_starts_alone_and_is_cut(tmp_path, some_starts):
    starts = read_starts(some_starts)
    train_states = {start.state for start in starts.starts if start.split == "train"}
    # Where episodes begin does not depend on what is learned: it warms up to the end.
    changes = {"cap_frames": 200, "warm_up_acts": 490}
    result = call(tmp_path / "h.pt", method="hcr", starts=some_starts, changes=changes)
    assert result["starts_in_set"] == len(train_states)
    assert set(result["begun_at"]) == set(range(len(train_states)))
    assert sum(result["begun_at"].values()) == 2 + result["episodes"]
    assert result["episodes"] >= 8
    assert result["human"] == ["nothing"]
    assert options_for("paper", "hcr").cap_frames == 1800
    told = read_save(tmp_path / "h.pt")[1]
    assert told["course"]["starts"].endswith("made by scripted")


def test_hcr_says_that_its_starts_are_human_where_they_are(tmp_path):
    write_starts(make_starts(made="human"), tmp_path / "human.json")
    changes = {"warm_up_acts": 4}
    result = call(tmp_path / "h.pt", method="hcr", starts=tmp_path / "human.json", frames=60, changes=changes)
    assert result["human"] == ["starts"]


def write_play(path, made):
    rng = np.random.default_rng(1)
    actions = tuple(np.repeat(rng.integers(18, size=60), 4).tolist())
    rom = cartridge("montezuma-revenge")[1]
    write_sessions(path, game="montezuma_revenge", rom=rom, sessions=[PlaySession(made, "tests", None, actions)])


def test_her_takes_human_play_only_and_draws_half_of_each_minibatch_from_it(tmp_path):
    write_play(tmp_path / "human.json", "human")
    write_play(tmp_path / "search.json", "search")
    result = call(tmp_path / "her.pt", method="her", memory=tmp_path / "human.json", frames=1000)
    assert result["updates"] > 0
    assert result["drawn"]["own"] == result["drawn"]["second"] == 4 * result["updates"]
    assert result["human"] == ["experience"]
    with pytest.raises(BadParameter, match="er-search"):
        call(tmp_path / "no.pt", method="her", memory=tmp_path / "search.json")
    with pytest.raises(BadParameter, match="--memory"):
        call(tmp_path / "no.pt", method="her")


def test_experience_is_what_the_game_gives_again(tmp_path):
    write_play(tmp_path / "play.json", "human")
    play = read_play(tmp_path / "play.json")
    replay = fill(play, Rules(), torch.device("cpu"))
    episode = GameEpisode("montezuma-revenge", Rules())
    episode.begin()
    assert replay.complete == 60
    for row, action in enumerate(play.sessions[0].actions[::4]):
        assert int(replay.actions[row, 0]) == action
        reward = episode.act(action)
        assert float(replay.rewards[row, 0]) == np.clip(reward, -1, 1)
    assert bool(replay.terminal.any()) == (episode.lives_lost > 0)


def test_a_call_that_was_killed_is_counted_and_the_last_save_kept(tmp_path):
    out = tmp_path / "k.pt"
    changes = {"warm_up_acts": 90}
    call(out, frames=400, changes=changes)
    kept = out.read_bytes()
    with (tmp_path / "k.pt.calls").open("a") as log:
        log.write("begun:400\n")
    (tmp_path / "k.pt.part").write_bytes(kept[:1000])
    result = call(out, frames=600, resume=True, changes=changes)
    assert result["cut_off"] == 1
    assert result["frames"] == 600


def test_a_network_that_is_no_number_stops_and_leaves_the_last_save(tmp_path):
    out = tmp_path / "n.pt"
    call(out, frames=400, changes={"warm_up_acts": 90})
    kept = torch.load(out, weights_only=True)
    kept["network"]["0.weight"][0, 0, 0, 0] = float("nan")
    torch.save(kept, out)
    with pytest.raises(BadFile, match="not numbers"):
        load_network(out)
    before = out.read_bytes()
    with pytest.raises(BadParameter, match="frames"):
        call(out, frames=1, resume=True)
    course = Course("montezuma_revenge", "paper", Rules(), Options(**QUICK), 1200, games=2)
    training = Training(course, torch.device("cpu"))
    with torch.no_grad():
        training.updater.parameters[0][0, 0, 0, 0] = float("nan")
    with pytest.raises(MensuraError, match="not numbers"):
        training.run()
    assert out.read_bytes() == before


def test_saves_that_are_cut_short_or_of_another_course_are_refused(tmp_path):
    out = tmp_path / "s.pt"
    changes = {"warm_up_acts": 90}
    call(out, frames=400, changes=changes)
    with pytest.raises(BadParameter, match="--resume"):
        call(out, frames=400, changes=changes)
    with pytest.raises(BadParameter, match="rate"):
        call(out, frames=800, resume=True, changes={**changes, "rate": 0.1})
    out.write_bytes(out.read_bytes()[:2000])
    with pytest.raises(BadFile, match="cut short"):
        NetworkPolicy(out)


def test_a_small_save_goes_on_with_refilled_memory_and_says_so(tmp_path):
    from mensura.catalog.arcade.learners.saving import resume, save

    options = Options(**{**QUICK, "warm_up_acts": 100})
    course = Course("pong", "paper", Rules(), options, 1200, games=2)
    first = Training(course, torch.device("cpu"))
    first.run(frames=600)
    save(first, tmp_path / "small.pt", whole=False)
    assert (tmp_path / "small.pt").stat().st_size < 16 * 2**20
    second = Training(course, torch.device("cpu"), call=1)
    resume(second, tmp_path / "small.pt")
    assert second.refilled
    assert second.replay.complete == 0
    for one, other in zip(first.updater.parameters, second.updater.parameters, strict=True):
        assert torch.equal(one, other)
    end = second.run()
    assert end["frames"] == 1200
    assert end["updates"] > first.updater.updates


def test_epsilon_falls_over_the_frames_of_its_setting():
    assert options_for("paper", "dqn").epsilon(4e6) == pytest.approx(0.1)
    assert options_for("program", "dqn").epsilon(4e6) == pytest.approx(1 - 0.9 / 4)
    assert replace(options_for("paper", "dqn"), epsilon_frames=1_000_000).epsilon(1e6) == pytest.approx(0.1)
