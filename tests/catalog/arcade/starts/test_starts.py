"""Sets of starts: files, what they refuse, splits, and the published states of 2016."""

import json
from dataclasses import replace

import numpy as np
import pytest

from mensura.catalog.arcade.starts.authors import import_states
from mensura.catalog.arcade.starts.card import CardBudget, make_card
from mensura.catalog.arcade.starts.file import read_starts, write_starts
from mensura.catalog.arcade.starts.splitting import check_split, demand_clean, split_sessions
from mensura.errors import BadData, BadFile
from tests.catalog.arcade.conftest import make_starts


def test_a_set_written_is_read_again(some_starts):
    found = read_starts(some_starts)
    assert found == make_starts()
    assert found.made == {"scripted": 4}
    assert not found.human


def test_only_a_set_of_humans_alone_is_human():
    ours = make_starts()
    humans = tuple(replace(start, made="human") for start in ours.starts)
    assert replace(ours, starts=humans).human
    assert not replace(ours, starts=(*humans[:3], ours.starts[3])).human


@pytest.mark.parametrize("cut", [0, 40, 5000])
def test_a_file_cut_short_is_refused_in_a_sentence(some_starts, tmp_path, cut):
    short = tmp_path / "short.json"
    short.write_bytes(some_starts.read_bytes()[:cut])
    with pytest.raises(BadFile, match="cut short"):
        read_starts(short)


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("rom", "0" * 32, "another cartridge"),
        ("emulator", "0.5.0", "0.5.0, and ale-py 0."),
        ("format", "x", "not a set"),
    ],
)
def test_a_set_that_cannot_be_played_here_says_why(some_starts, tmp_path, field, value, words):
    told = json.loads(some_starts.read_text())
    told[field] = value
    other = tmp_path / "other.json"
    other.write_text(json.dumps(told))
    with pytest.raises(BadFile, match=words):
        read_starts(other)


def test_a_state_that_was_changed_is_refused(some_starts, tmp_path):
    told = json.loads(some_starts.read_text())
    told["states"][0]["state"] = told["states"][1]["state"]
    other = tmp_path / "other.json"
    other.write_text(json.dumps(told))
    with pytest.raises(BadFile, match="another content"):
        read_starts(other)


def test_a_set_of_another_game_is_refused(some_starts):
    with pytest.raises(BadFile, match="not of pong"):
        read_starts(some_starts, game="pong")


def test_splits_that_share_a_state_or_a_session_are_refused():
    found = make_starts()
    assert demand_clean(found).nearest_bytes > 0
    double = replace(found.starts[0], split="test", session="another")
    with pytest.raises(BadData, match="share 1 state"):
        demand_clean(replace(found, starts=(*found.starts, double)))
    same = (
        replace(found.starts[0], split="train", session="one"),
        replace(found.starts[1], split="test", session="one"),
    )
    check = check_split(replace(found, starts=same))
    assert check.shared_sessions == ("one",)
    assert check.nearest_frames == abs(same[0].frame - same[1].frame)
    with pytest.raises(BadData, match="'one'"):
        demand_clean(replace(found, starts=same))


def test_splitting_keeps_sessions_whole_and_ignores_order():
    starts = make_starts(states=8, sessions=4).starts
    split = split_sessions(starts)
    assert len({(one.session, one.split) for one in split}) == 4
    assert sum(one.split == "train" for one in split) == 4
    assert set(split_sessions(starts[::-1])) == set(split)


def test_a_double_of_a_trained_start_is_tested_nowhere():
    starts = make_starts(states=4, sessions=2).starts
    split = split_sessions((*starts, replace(starts[0], session="play 1")))
    sides = [one.split for one in split if one.id == starts[0].id]
    assert sorted(sides) in (["", "train"], ["train", "train"])


@pytest.mark.parametrize(
    ("file", "game", "distinct", "frames", "rooms"),
    [
        ("montezuma_train_checkpoints.npy", "montezuma-revenge", 99, (124, 14_230), 11),
        ("private_eye_train_checkpoints.npy", "private-eye", 95, (873, 21_086), None),
    ],
)
def test_the_published_states_load_with_equal_memory(published, tmp_path, file, game, distinct, frames, rooms):
    done = import_states(published / file, game=game)
    told = done.as_json()
    assert (told["states"], told["distinct"], told["ram_equal"]) == (100, distinct, 100)
    starts = done.found.starts
    assert (min(start.frame for start in starts), max(start.frame for start in starts)) == frames
    assert rooms is None or len({start.memory[3] for start in starts}) == rooms
    assert done.found.human
    assert all(start.inferred for start in starts)
    assert demand_clean(done.found).nearest_bytes > 0
    write_starts(done.found, tmp_path / "set.json")
    assert read_starts(tmp_path / "set.json") == done.found
    assert read_starts(published / file).game == done.found.game


def test_damaged_published_files_are_refused(published, tmp_path):
    table = np.load(published / "private_eye_train_checkpoints.npy")
    short = tmp_path / "short.npy"
    short.write_bytes((published / "private_eye_train_checkpoints.npy").read_bytes()[:5000])
    with pytest.raises(BadFile, match="cut short"):
        import_states(short, game="private-eye")
    with pytest.raises(BadFile, match="another cartridge"):
        import_states(published / "private_eye_train_checkpoints.npy", game="pong")
    np.save(tmp_path / "cut.npy", table[:2, :900])
    with pytest.raises(BadFile, match="row 1, is not a state"):
        import_states(tmp_path / "cut.npy", game="private-eye")
    np.save(tmp_path / "noise.npy", table[:2].astype(float) + 0.5)
    with pytest.raises(BadFile, match="not bytes"):
        import_states(tmp_path / "noise.npy", game="private-eye")


def test_a_card_of_one_start_claims_no_interval():
    one = make_starts("breakout", states=2)
    card = make_card(replace(one, starts=one.starts[:1]), CardBudget(1, 1, 0, 80), seed=1)
    assert "(no interval)" in "\n".join(card.lines())
    assert card.as_json()["random"]["mean"]["low"] is None
