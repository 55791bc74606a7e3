"""Starts that are made on the spot, and the published ones where they are at hand."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("ale_py", reason="ale-py is not installed")

from mensura.catalog.arcade.starts.file import write_starts
from mensura.catalog.arcade.starts.start import Start, StartSet
from mensura.catalog.arcade.world.episode import GameEpisode
from mensura.catalog.arcade.world.games import score_in, version
from mensura.catalog.arcade.world.rules import Rules

PUBLISHED = Path(__file__).parents[4] / "shared" / "data" / "arcade"


def make_starts(game="montezuma-revenge", states=4, made="scripted", sessions=2, seed=1):
    """Return starts from play by chance: `states` of them, in sessions that alternate between train and test."""
    episode, rng, starts = GameEpisode(game, Rules()), np.random.default_rng(seed), []
    for number in range(states):
        session = number % sessions
        episode.begin()
        for _ in range(20 + 15 * number):
            episode.act(int(rng.integers(18)))
        memory = episode.memory()
        score = score_in(episode.game, memory)
        split = "train" if session % 2 == 0 else "test"
        starts.append(
            Start(
                *(episode.save(), memory, episode.frame, score, episode.lives, made, "tests", f"play {session}", split),
            )
        )
    return StartSet(episode.game, episode.rom, version(), tuple(starts), "made by tests")


@pytest.fixture(scope="session")
def some_starts(tmp_path_factory):
    """Return a file with four scripted starts of Montezuma's Revenge."""
    path = tmp_path_factory.mktemp("starts") / "scripted.json"
    write_starts(make_starts(), path)
    return path


@pytest.fixture
def published():
    """Return the folder of the published starts, or skip."""
    if not PUBLISHED.is_dir():
        pytest.skip("the published starts of 2016 are not beside the project")
    return PUBLISHED
