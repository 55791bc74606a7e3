"""Search finds places, says how, and its ways lead where it says."""

import pytest

from mensura.catalog.arcade.search.explore import explore, way_to
from mensura.catalog.arcade.search.keeping import as_starts, write_trajectories
from mensura.catalog.arcade.starts.recording import cut_starts, read_play
from mensura.catalog.arcade.starts.splitting import demand_clean
from mensura.catalog.arcade.world.episode import GameEpisode
from mensura.catalog.arcade.world.rules import Rules
from mensura.errors import BadData, BadFile, BadParameter


@pytest.fixture(scope="module")
def found():
    """Return a short search of Montezuma's Revenge."""
    return explore("montezuma-revenge", frames=8_000, seed=1)


def test_every_place_is_where_its_way_leads(found):
    assert len(found.places) > 15
    for place in sorted(found.places.values(), key=lambda one: -one.frames)[:4]:
        episode = GameEpisode(found.game, Rules())
        episode.begin()
        for action in way_to(place):
            episode.try_act(action)
        assert episode.memory() == place.memory
        assert place.frames == 4 * len(way_to(place))


def test_the_same_seed_finds_the_same(found):
    again = explore("montezuma-revenge", frames=8_000, seed=1)
    assert list(again.places) == list(found.places)
    assert set(explore("montezuma-revenge", frames=8_000, seed=2).places) != set(found.places)


def test_starts_of_a_search_are_labelled_so(found):
    starts = as_starts(found, states=10, seed=1)
    assert 5 <= len(starts.starts) <= 10
    assert starts.made == {"search": len(starts.starts)}
    assert not starts.human
    assert "seed 1" in starts.starts[0].by
    demand_clean(starts)


def test_screen_cells_need_no_knowledge_of_memory():
    assert len(explore("private-eye", frames=3_000, cells="screen", seed=1).places) > 5
    with pytest.raises(BadParameter, match="montezuma-revenge"):
        explore("private-eye", frames=100, cells="ram", seed=1)


def test_play_written_is_cut_into_starts_spread_over_time(found, tmp_path):
    path = tmp_path / "ways.json"
    write_trajectories(found, path)
    play = read_play(path)
    starts = cut_starts(play, states=6, split="train", seed=1)
    assert len(starts.starts) >= 5
    assert {start.split for start in starts.starts} == {"train"}
    assert starts.made == {"search": len(starts.starts)}
    assert cut_starts(play, states=6, split="train", seed=1) == starts
    with pytest.raises(BadData, match="frames, and"):
        cut_starts(play, states=10**7, split="", seed=1)
    path.write_text(path.read_text()[:200])
    with pytest.raises(BadFile, match="cut short"):
        read_play(path)


@pytest.mark.proof
def test_search_finds_the_first_key_in_nine_of_ten_seeds():
    rewards = [
        explore("montezuma-revenge", frames=500_000, seed=seed, until_reward=True).milestones for seed in range(10)
    ]
    assert sum(bool(found) for found in rewards) >= 9
