"""Starts cut out of recorded play: random frames of a session, one from each stretch of time."""

import itertools

import numpy as np

from mensura.catalog.arcade.learners.experience import Play, read_play
from mensura.catalog.arcade.starts.start import Start, StartSet
from mensura.catalog.arcade.world.episode import GameEpisode
from mensura.catalog.arcade.world.games import score_in, version
from mensura.catalog.arcade.world.rules import Rules
from mensura.errors import BadData


def cut_starts(play: Play, *, states: int, split: str, seed: int) -> StartSet:
    """Return starts from recorded play, as many as wanted in all, spread over sessions by their length.

    Each session is cut into stretches of equal length and one frame is drawn from each, so that early and late play
    are both there; moments at which the game was over are passed over.
    """
    rng = np.random.default_rng([seed, 7])
    lengths = np.array([len(one.actions) for one in play.sessions])
    if lengths.sum() < states:
        raise BadData(f"The play has {int(lengths.sum())} frames, and {states} starts were asked for.")
    edges = np.linspace(0, lengths.sum(), states + 1).astype(int)
    wanted = {int(rng.integers(low, max(high, low + 1))) for low, high in itertools.pairwise(edges)}
    episode, starts, passed = GameEpisode(play.game, Rules()), [], 0
    for number, session in enumerate(play.sessions, 1):
        episode.begin(session.begun)
        earned = 0
        for action in session.actions:
            if episode.over:
                episode.begin()
                earned = 0
            earned += episode.play_frames((action,))
            if passed in wanted and not episode.over:
                memory = episode.memory()
                known = score_in(play.game, memory)
                score = earned if known is None else known
                name = f"{session.by} {number}"
                starts.append(
                    Start(
                        episode.save(),
                        memory,
                        episode.frame,
                        score,
                        episode.lives,
                        session.made,
                        session.by,
                        name,
                        split,
                    )
                )
            passed += 1
    if not starts:
        raise BadData("Every moment that was drawn lay after the end of a game; try another --seed.")
    return StartSet(play.game, play.rom, version(), tuple(starts), f"recorded play, seed {seed}")


__all__ = ["cut_starts", "read_play"]
