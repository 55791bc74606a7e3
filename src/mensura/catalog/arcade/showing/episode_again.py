"""Episodes of an evaluation, played again from start and actions: their pictures were never stored."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mensura.catalog.arcade.evaluation import NULL
from mensura.catalog.arcade.screen import png
from mensura.catalog.arcade.world.doing import unpack
from mensura.catalog.arcade.world.episode import GameEpisode
from mensura.catalog.arcade.world.games import room_in
from mensura.catalog.arcade.world.rules import Rules
from mensura.errors import BadData, BadParameter, unknown

STRIP = 40
"""Pictures side by side: rows that are alike stand near each other, and take little room."""
MOST_PICTURES = 1_500


@dataclass(frozen=True)
class EpisodeAgain:
    """An episode that was played again.

    Parameters
    ----------
    start, number
        Which.
    earned, frames
        What came of it, and its length.
    every
        Of how many frames one is shown.
    rewards
        Frame and points of each reward.
    shown
        Of each picture: frame, action, points so far, lives, and room where that is known.
    strips
        The pictures, `STRIP` in each.
    """

    start: str
    number: int
    earned: float
    frames: int
    every: int
    rewards: list[tuple[int, int]]
    shown: list[list[Any]]
    strips: list[str] = field(repr=False)

    def data(self) -> dict[str, Any]:
        """Return what its page draws."""
        return {**vars(self), "strip": STRIP}


def rows_of(details: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the rows of an evaluation by start, the beginning of the game last; those without episodes left out."""
    rows = [*details.get("by_start", ()), *([details["by_null"]] if details.get("by_null") else [])]
    found = {row["start"]: row for row in rows if row["episodes"]}
    if not any(any(row.get("actions", ())) for row in found.values()):
        raise BadData("This evaluation kept no actions, so it cannot be played again. Run it anew.")
    return found


def play_again(
    details: Mapping[str, Any], states: Mapping[str, bytes], *, start: str, number: int, every: int
) -> EpisodeAgain:
    """Play an episode of an evaluation again, and prove that it comes to what was recorded.

    Parameters
    ----------
    details
        What the scoring kept.
    states
        The states of the starts, by id.
    start, number
        Which start, and which of its episodes, from 1.
    every
        Of how many frames one is to be shown; more where there would be too many.
    """
    rows = rows_of(details)
    if start not in rows:
        raise unknown("start", start, known=list(rows), see="Without --start the one with the most points is shown.")
    row = rows[start]
    if not 1 <= number <= len(row["episodes"]):
        raise BadParameter(f"From {start} {len(row['episodes'])} episodes were played; there is no episode {number}.")
    state = None if start == NULL else states.get(start.partition("#")[0])
    if state is None and start != NULL:
        raise BadData(f"The set of starts does not hold {start} (any more): give the one it was evaluated on.")
    done = unpack(row["actions"][number - 1])
    frames, earned = row["frames"][number - 1], row["episodes"][number - 1]
    every = max(every, -(-frames // MOST_PICTURES))
    again = _play(str(details["game"]), state, done, len(done) - frames, every)
    points = sum(reward for _, reward in again[0])
    if points != earned:
        raise BadData(
            f"Played again, episode {number} from {start} comes to {points:g} points, and {earned:g} were recorded: "
            "another emulator, another cartridge, or a record that was changed."
        )
    return EpisodeAgain(start, number, earned, frames, every, *again)


def _play(
    game: str, state: bytes | None, done: bytes, before: int, every: int
) -> tuple[list[tuple[int, int]], list[list[Any]], list[str]]:
    episode = GameEpisode(game, Rules(skip=1))
    episode.begin(state)
    episode.play_frames(list(done[:before]))
    total, rewards, shown, pictures = 0, [], [], [episode.indexed()]
    shown.append([0, "noop", 0, episode.lives, room_in(game, episode.memory())])
    for frame, action in enumerate(done[before:], 1):
        reward = episode.act(action)
        if reward:
            total += reward
            rewards.append((frame, reward))
        if frame % every == 0 or frame == len(done) - before:
            pictures.append(episode.indexed())
            shown.append([frame, episode.names[action], total, episode.lives, room_in(game, episode.memory())])
    return rewards, shown, strips_of(pictures, episode)


def strips_of(pictures: Sequence[Any], episode: GameEpisode) -> list[str]:
    """Return pictures side by side, as addresses that hold all of them."""
    groups = [pictures[at : at + STRIP] for at in range(0, len(pictures), STRIP)]
    packed = [png(np.concatenate(group, axis=1), episode.palette, level=9) for group in groups]
    return [f"data:image/png;base64,{b64encode(one).decode()}" for one in packed]
