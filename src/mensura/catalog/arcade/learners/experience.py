"""Experience of others: recorded play, told as states and actions, from which transitions are played again."""

import base64
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mensura.catalog.arcade.learners.replay import EDGE, Replay
from mensura.catalog.arcade.learners.torch_extra import import_torch
from mensura.catalog.arcade.world.episode import GameEpisode
from mensura.catalog.arcade.world.games import cartridge, find_game
from mensura.catalog.arcade.world.rules import Rules
from mensura.catalog.arcade.world.sight import shrink
from mensura.errors import BadFile, BadParameter
from mensura.json_file import loads

FORMAT = "mensura-play-1"


@dataclass(frozen=True)
class PlaySession:
    """A session of play.

    Parameters
    ----------
    made, by
        How and by whom: `human`, `search`, `scripted` or `demo`.
    begun
        The state it began at; None for the beginning of the game.
    actions
        The action of every frame, by its number among all 18.
    pauses
        Frames at which the player paused, with the seconds.
    """

    made: str
    by: str
    begun: bytes | None
    actions: tuple[int, ...]
    pauses: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True)
class Play:
    """Recorded sessions of one game."""

    game: str
    rom: str
    sessions: tuple[PlaySession, ...]


def write_sessions(path: Path, *, game: str, rom: str, sessions: Sequence[PlaySession]) -> None:
    """Write recorded play; frames are not stored, for the actions give them again."""
    told = [
        {
            "made": one.made,
            "by": one.by,
            "begun": None if one.begun is None else base64.b64encode(zlib.compress(one.begun, 9)).decode(),
            "actions": runs(one.actions),
            "pauses": [list(pause) for pause in one.pauses],
        }
        for one in sessions
    ]
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps({"format": FORMAT, "game": game, "rom": rom, "sessions": told}) + "\n", encoding="utf-8")
    part.replace(path)


def read_play(path: Path) -> Play:
    """Read recorded play, and check that its game is the one that is installed."""
    try:
        told = loads(path.read_text(encoding="utf-8"))
        if told["format"] != FORMAT:
            raise ValueError(f"its format is {told['format']!r}, not {FORMAT!r}")
        play = Play(find_game(told["game"]), told["rom"], tuple(_session(one) for one in told["sessions"]))
    except OSError as error:
        raise BadFile(f"The play {path} cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        raise BadFile(
            f"{path} cannot be read as recorded play ({type(error).__name__}: {error}). Is it cut short?"
        ) from None
    if play.rom != cartridge(play.game)[1]:
        raise BadFile(
            f"{path} was played with another cartridge of {play.game}: its MD5 sum is {play.rom}, the installed one "
            f"has {cartridge(play.game)[1]}."
        )
    if not any(one.actions for one in play.sessions):
        raise BadFile(f"{path} holds no act.")
    return play


def read_memory(path: Path, *, game: str, rules: Rules, method: str, device: Any) -> tuple[Replay, str]:
    """Return a replay memory filled with recorded play, and a sentence on whose play it is.

    `her` takes the play of humans only; what a search found is replayed by `er-search`.
    """
    play = read_play(path)
    if play.game != game:
        raise BadParameter(f"{path} is play of {play.game}, not of {game}.")
    ways = sorted({one.made for one in play.sessions})
    wanted = "human" if method == "her" else "search"
    if ways != [wanted]:
        other = "er-search" if method == "her" else "her"
        raise BadParameter(
            f"{method} replays what a {wanted} did, and {path} was made by {', '.join(ways)}. "
            f"For that there is {other}."
        )
    replay = fill(play, rules, device)
    return replay, f"{replay.complete} acts of {len(play.sessions)} sessions made by {wanted}"


def fill(play: Play, rules: Rules, device: Any) -> Replay:
    """Play sessions again and remember their transitions: an act is as many frames as the rules hold one."""
    torch = import_torch()
    acts = sum(len(one.actions) // rules.skip for one in play.sessions)
    replay = Replay(max(acts + len(play.sessions) + EDGE + 8, 32), 1, device)
    episode, column, row = GameEpisode(play.game, rules), slice(0, 1), 0
    for session in play.sessions:
        episode.begin(session.begun)
        first = True
        for at in range(0, len(session.actions) - rules.skip + 1, rules.skip):
            frames = session.actions[at : at + rules.skip]
            replay.see(
                row,
                column,
                torch.from_numpy(shrink(episode.picture(), rules.sight)).to(device)[None],
                _flag(first, device),
            )
            replay.acted(row, column, torch.tensor([max(set(frames), key=frames.count)], device=device))
            before = episode.lives_lost
            earned = episode.play_frames(frames)
            died = episode.lives_lost > before
            last = at + 2 * rules.skip > len(session.actions)
            terminal = episode.over or died
            clipped = torch.tensor([float(np.clip(earned, -1, 1))], device=device)
            replay.earned(row, column, clipped, _flag(terminal, device), _flag(terminal or not last, device))
            row, first = row + 1, terminal
            if episode.over:
                episode.begin()
    # What was seen last has no act after it.
    replay.see(
        row, column, torch.from_numpy(shrink(episode.picture(), rules.sight)).to(device)[None], _flag(True, device)
    )
    replay.completed(row)
    return replay


def runs(actions: Sequence[int]) -> list[list[int]]:
    """Return actions as runs of the same: action and how often.

    >>> runs([0, 0, 3, 3, 3])
    [[0, 2], [3, 3]]
    """
    found: list[list[int]] = []
    for action in actions:
        if found and found[-1][0] == action:
            found[-1][1] += 1
        else:
            found.append([int(action), 1])
    return found


def _session(told: dict[str, Any]) -> PlaySession:
    actions = tuple(int(action) for action, times in told["actions"] for _ in range(int(times)))
    if any(not 0 <= action < 18 for action in actions):
        raise ValueError("an action lies outside 0 to 17")
    begun = None if told["begun"] is None else zlib.decompress(base64.b64decode(told["begun"]))
    return PlaySession(told["made"], told["by"], begun, actions, tuple((int(at), float(s)) for at, s in told["pauses"]))


def _flag(value: bool, device: Any) -> Any:
    return import_torch().tensor([value], device=device)
