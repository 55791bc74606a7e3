"""The recorded human does again what was recorded, from the very start that was cut out of it."""

import numpy as np
import pytest

from mensura.catalog.arcade.dialogue import arcade, in_batch
from mensura.catalog.arcade.learners.experience import Play, PlaySession, write_sessions
from mensura.catalog.arcade.starts.file import write_starts
from mensura.catalog.arcade.starts.recording import cut_starts
from mensura.catalog.arcade.world.doing import unpack
from mensura.catalog.arcade.world.games import cartridge
from mensura.errors import BadParameter

ACTIONS = tuple(np.random.default_rng(1).integers(18, size=120).repeat(4).tolist())


def test_it_goes_on_as_the_person_did(tmp_path):
    play = Play("breakout", cartridge("breakout")[1], (PlaySession("human", "ann", None, ACTIONS),))
    write_sessions(tmp_path / "play.json", game=play.game, rom=play.rom, sessions=play.sessions)
    starts = cut_starts(play, states=4, split="", seed=1)
    write_starts(starts, tmp_path / "s.json")
    given = {"game": "breakout", "starts": str(tmp_path / "s.json"), "cap_frames": 60, "epsilon": 0.0, "null_starts": 1}
    made = arcade.subjects["recorded-human"](play=str(tmp_path / "play.json"))
    details = in_batch(np.random.default_rng(1), made, **arcade.fill({**given, "skip": 1})).details
    assert details["player"]["method"] == "recorded-human"
    done = [unpack(row["actions"][0]) for row in details["by_start"]]
    # Every stretch that was played stands in the recording, later starts later; after its end nothing is done.
    places = [bytes(ACTIONS).find(one.rstrip(bytes(1))) for one in done]
    assert places == sorted(places)
    assert 0 < places[0] < places[-1]
    assert {len(one) for one in done} == {60}
    # Where nobody was, it does nothing.
    assert set(unpack(details["by_null"]["actions"][0])) == {0}


def test_only_people_are_recorded_humans(tmp_path):
    rom = cartridge("breakout")[1]
    write_sessions(
        tmp_path / "demo.json", game="breakout", rom=rom, sessions=[PlaySession("demo", "agent", None, ACTIONS)]
    )
    with pytest.raises(BadParameter, match="by demo"):
        arcade.subjects["recorded-human"](play=str(tmp_path / "demo.json"))
    with pytest.raises(BadParameter, match="play=FILE"):
        arcade.subjects["recorded-human"]()
