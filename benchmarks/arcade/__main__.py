"""The arcade: `python -m benchmarks arcade`, or a part: stepping, saving, evaluation, search."""

import os
import sys
import time
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import Any

import numpy as np

from mensura.catalog.arcade.batch import play_all
from mensura.catalog.arcade.evaluation import EvaluationPlan, episode_of
from mensura.catalog.arcade.search.explore import explore
from mensura.catalog.arcade.search.keeping import as_starts
from mensura.catalog.arcade.starts.file import read_starts
from mensura.catalog.arcade.starts.start import Start
from mensura.catalog.arcade.subjects import RandomPlayer
from mensura.catalog.arcade.world.episode import GameEpisode
from mensura.catalog.arcade.world.games import cartridge, emulator, find_game
from mensura.catalog.arcade.world.rules import Rules

PUBLISHED = Path(os.environ.get("ARCADE_PUBLISHED", Path(__file__).parents[3] / "shared" / "data" / "arcade"))
FILES = {"montezuma-revenge": "montezuma_train_checkpoints.npy", "private-eye": "private_eye_train_checkpoints.npy"}
BOUNDS = {"montezuma-revenge": 120, "private-eye": 180}
"""Seconds within which 100 starts are to be played to the end on two cores."""
KEY, WITHIN, SEEDS = 100, 500_000, 10


def stepping(acts: int = 3000, rounds: int = 9) -> None:
    """Compare acting through Mensura with the bare emulator, turn by turn, by processor time."""
    episode, machine = GameEpisode("montezuma-revenge", Rules()), emulator().ALEInterface()
    machine.setFloat("repeat_action_probability", 0.0)
    machine.loadROM(cartridge("montezuma-revenge")[0])
    for looks, words in ((False, "an agent that does not look"), (True, "an agent that looks, two frames pooled")):
        episode.watched, bare, own = looks, [], []
        for number in range(rounds):
            actions = np.random.default_rng(number).integers(18, size=acts).tolist()
            bare.append(_seconds(lambda: _bare(machine, actions, looks)))  # noqa: B023
            own.append(_seconds(lambda: _own(episode, actions)))  # noqa: B023
        more = float(np.median(np.array(own) / np.array(bare))) - 1
        print(
            f"stepping, {words}: {4 * acts / np.median(bare):,.0f} frames/s bare, {4 * acts / np.median(own):,.0f} "
            f"through Mensura; {more:+.1%} (median of {rounds} turns; wanted: at most +10 %)"
        )


def _bare(machine: Any, actions: list[int], looks: bool) -> None:
    """Step the emulator as one writes it by hand."""
    machine.reset_game()
    earned, (one, other) = 0, np.zeros((2, 210, 160), dtype=np.uint8)
    for action in actions:
        for frame in range(4):
            earned += machine.act(action)
            if looks and frame == 2:
                machine.getScreenGrayscale(one)
        if looks:
            machine.getScreenGrayscale(other)
        if machine.game_over():
            machine.reset_game()


def _own(episode: GameEpisode, actions: list[int]) -> None:
    plan, left = EvaluationPlan(episode.game, Rules(), 0.05, (), 1, 1, 1), iter(actions)
    action = next(left, None)
    while action is not None:
        playing = episode_of(plan, episode, ("null", None, 0))
        next(playing)
        try:
            while action is not None:
                playing.send(action)
                action = next(left, None)
        except StopIteration:
            action = next(left, None)


def saving(times: int = 2000) -> None:
    """Time saving and taking up a state, by processor time."""
    episode = GameEpisode("montezuma-revenge", Rules())
    state = episode.save()
    kept = _seconds(lambda: [episode.save() for _ in range(times)]) / times
    taken = _seconds(lambda: [episode.restore(state) for _ in range(times)]) / times
    print(f"a state: saved in {1e6 * kept:.0f} µs, taken up in {1e6 * taken:.0f} µs (wanted: each under 1000)")


def evaluation(*games: str) -> None:
    """Play 100 starts of both games to the end by chance, in processes, as `mensura run arcade --as random` does."""
    for game in games or FILES:
        starts, kind = _starts(game)
        plan = EvaluationPlan(find_game(game), Rules(), 0.05, starts, 1, 0, 1)
        before, begun = _spent(), time.monotonic()
        played = play_all(plan, RandomPlayer())
        wall, spent = time.monotonic() - begun, _spent() - before
        frames = sum(one.frames for one in played)
        cores = len(os.sched_getaffinity(0))
        print(
            f"{game}: {len(played)} {kind} starts, {frames:,} frames: {wall:.0f} s on {cores} cores, load "
            f"{os.getloadavg()[0]:.1f}; {spent:.0f} s of processor time, {spent / 2:.0f} s on each of two "
            f"(wanted: under {BOUNDS[game]})"
        )


def search(*seeds: str) -> None:
    """Look for the first key of Montezuma's Revenge from ten seeds, or from those named."""
    found = []
    for seed in map(int, seeds or range(1, SEEDS + 1)):
        begun = time.process_time()
        made = explore("montezuma-revenge", frames=WITHIN, seed=seed, until_reward=True)
        first = made.milestones[0] if made.milestones else None
        found.append(first is not None and first[0] >= KEY)
        said = f"{first[0]:g} points after {first[1]:,} frames" if first else f"nothing in {made.frames:,} frames"
        print(f"  seed {seed}: {said}, {time.process_time() - begun:.0f} s of processor time", flush=True)
    print(f"search: the key in {sum(found)} of {len(found)} seeds within {WITHIN:,} frames (wanted: 9)")


def _starts(game: str) -> tuple[tuple[Start, ...], str]:
    place = PUBLISHED / FILES[game]
    if place.exists():
        return read_starts(place, game=game).starts, "published"
    return as_starts(explore(game, frames=150_000, seed=1), states=100, seed=1).starts, "search-made"


def _seconds(work: object) -> float:
    begun = time.process_time()
    work()  # type: ignore[operator]
    return time.process_time() - begun


def _spent() -> float:
    both = [getrusage(whose) for whose in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in both)


PARTS = {part.__name__: part for part in (stepping, saving, evaluation, search)}


def main(*parts: str) -> None:
    """Run all parts, or the one that is named, for the games or seeds behind its name."""
    if not parts:
        for part in PARTS.values():
            part()
    elif parts[0] in PARTS:
        PARTS[parts[0]](*parts[1:])
    else:
        sys.exit(f"There is no part {parts[0]!r}; there are {', '.join(PARTS)}.")


if __name__ == "__main__":
    main(*sys.argv[1:])
