"""A game is played by its rules, and its state kept and taken up again."""

import time

import numpy as np
import pytest

from mensura.catalog.arcade.world import episode as world
from mensura.catalog.arcade.world.episode import GameEpisode
from mensura.catalog.arcade.world.games import cartridge, emulator, find_game, games
from mensura.catalog.arcade.world.rules import Rules
from mensura.catalog.arcade.world.sight import matrices, shrink, shrinking
from mensura.errors import BadParameter, UnknownName


def play(episode, rng, acts):
    """Return everything that can be seen over some random acts."""
    seen = []
    for _ in range(acts):
        reward = episode.act(int(rng.integers(len(episode.actions))))
        seen.append((reward, episode.memory(), episode.picture().tobytes(), episode.over))
    return seen


def test_stepping_equals_the_bare_emulator():
    episode = GameEpisode("montezuma-revenge", Rules())
    machine = emulator().ALEInterface()
    machine.setFloat("repeat_action_probability", 0.0)
    machine.setInt("random_seed", 1)
    machine.loadROM(cartridge("montezuma-revenge")[0])
    machine.reset_game()
    episode.begin()
    rng = np.random.default_rng(1)
    for _ in range(100):
        action = int(rng.integers(18))
        pictures, reward = [], 0
        for _ in range(4):
            reward += machine.act(action)
            pictures.append(machine.getScreenGrayscale())
        assert episode.act(action) == reward
        assert np.array_equal(episode.picture(), np.maximum(pictures[2], pictures[3]))
        assert episode.memory() == bytes(machine.getRAM())


def test_a_state_taken_up_plays_on_alike_in_another_machine():
    first, second = GameEpisode("pong", Rules()), GameEpisode("pong", Rules())
    play(first, np.random.default_rng(1), 60)
    state = first.save()
    first.begin(state)
    second.begin(state)
    assert play(first, np.random.default_rng(2), 80) == play(second, np.random.default_rng(2), 80)


@pytest.mark.parametrize("game", ["montezuma-revenge", "breakout"])
def test_a_machine_that_was_used_before_plays_as_a_new_one_does(monkeypatch, game):
    monkeypatch.setattr(world, "_idle", {})

    def played(seed):
        episode = GameEpisode(game, Rules())
        first = (episode.snapshot(), episode.frame, episode.colours().tobytes(), episode.picture().tobytes())
        return id(episode.machine), (*first, play(episode, np.random.default_rng(seed), 60), episode.snapshot())

    machine, seen = played(1)
    other, _ = played(2)
    again, same = played(1)
    assert machine == other == again
    assert same == seen


def test_episodes_that_are_played_side_by_side_have_machines_of_their_own():
    episodes = [GameEpisode("pong", Rules()) for _ in range(3)]
    assert len({id(episode.machine) for episode in episodes}) == 3


def test_a_snapshot_goes_on_with_pictures_chance_and_counts():
    rules = Rules(sticky=0.25)
    first = GameEpisode("breakout", rules, np.random.default_rng(3))
    play(first, np.random.default_rng(1), 30)
    kept, chance = first.snapshot(), first.rng.bit_generator.state
    seen = play(first, np.random.default_rng(2), 30)
    second = GameEpisode("breakout", rules, np.random.default_rng(9))
    second.take_up(kept)
    second.rng.bit_generator.state = chance
    assert play(second, np.random.default_rng(2), 30) == seen
    assert (first.frames, first.lives_lost) == (second.frames, second.lives_lost)


def test_sticky_actions_repeat_the_last_in_the_share_they_say():
    """Wherever the paddle would go another way, a quarter of the frames still go the old one."""
    held = []

    class Machine:
        def act(self, action):
            held.append(action.value)
            return 0

        def __getattr__(self, name):
            return getattr(machine, name)

    episode = GameEpisode("pong", Rules(sticky=0.25), np.random.default_rng(4))
    machine, episode.machine = episode.machine, Machine()
    wanted = []
    for number in range(1500):
        episode.act(number % 2)
        wanted += [number % 2] * 4
    first = [place for place in range(4, len(held)) if wanted[place] != wanted[place - 1]]
    share = np.mean([held[place] != wanted[place] for place in first])
    assert 0.21 < share < 0.29


def test_an_episode_ends_with_the_cap_the_game_or_a_life_as_its_rules_say():
    capped = GameEpisode("montezuma-revenge", Rules(cap_frames=40))
    play(capped, np.random.default_rng(1), 10)
    assert capped.cut
    assert not capped.over
    by_life = GameEpisode("breakout", Rules(ends="life"))
    rng = np.random.default_rng(1)
    while not by_life.ended:
        by_life.act(int(rng.integers(18)))
    assert by_life.over
    assert by_life.lives_lost == 1
    assert by_life.lives > 0


def test_games_are_found_however_their_words_are_joined():
    assert find_game("montezuma-revenge") == find_game("MontezumaRevenge") == "montezuma_revenge"
    assert len(games()) > 100
    with pytest.raises(UnknownName, match="montezuma-revenge"):
        find_game("montezumas-revenge")


@pytest.mark.parametrize(
    "wrong",
    [{"actions": "some"}, {"sticky": 1.0}, {"skip": 0}, {"cap_frames": 2}, {"sight": "sound"}, {"ends": "never"}],
)
def test_rules_that_nobody_can_play_by_are_refused(wrong):
    with pytest.raises(BadParameter):
        Rules(**wrong)


def test_shrinking_keeps_the_mean_of_a_picture():
    picture = np.random.default_rng(1).integers(256, size=(210, 160), dtype=np.uint8)
    assert abs(shrink(picture).mean() - picture.mean()) < 0.5
    assert np.allclose(shrinking(210, 84).sum(axis=1), 1)
    flat = np.full((210, 160), 77, dtype=np.uint8)
    assert (shrink(flat) == 77).all()
    assert (shrink(flat, "84x110-cropped") == 77).all()


@pytest.mark.parametrize("sight", ["84x84", "84x110-cropped"])
def test_shrinking_is_the_product_with_whole_matrices(sight):
    picture = np.random.default_rng(1).integers(256, size=(210, 160), dtype=np.uint8)
    left, right = matrices(210, 160, sight)
    whole = left.astype(float) @ picture @ right
    assert np.abs(shrink(picture, sight) - whole).max() < 0.5001


def test_saving_and_restoring_take_under_a_millisecond_of_processor_time():
    episode = GameEpisode("montezuma-revenge", Rules())
    state = episode.save()
    begun = time.process_time()
    for _ in range(200):
        episode.save()
        episode.restore(state)
    assert (time.process_time() - begun) / 400 < 0.001
