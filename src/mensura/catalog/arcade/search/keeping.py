"""What is kept of a search: starts spread over its places, and the ways to the best of them."""

import itertools
from pathlib import Path
from typing import Any

import numpy as np

from mensura.catalog.arcade.learners.experience import PlaySession, write_sessions
from mensura.catalog.arcade.search.explore import FoundPlaces, SearchPlace, way_to
from mensura.catalog.arcade.starts.splitting import split_sessions
from mensura.catalog.arcade.starts.start import Start, StartSet
from mensura.catalog.arcade.world.episode import GameEpisode
from mensura.catalog.arcade.world.games import score_in, version
from mensura.catalog.arcade.world.rules import Rules

BRANCHES = 8
"""Into how many parts of its tree a search is cut, so that whole parts are trained on or tested on."""
WAYS = 20


def as_starts(found: FoundPlaces, *, states: int, seed: int) -> StartSet:
    """Return starts spread over the places of a search, by score and frame; the places are drawn by the seed."""
    places = [place for place in found.places.values() if _lasts(found.game, place)]
    places.sort(key=lambda place: (place.score, place.frames))
    if len(places) > states:
        # One from each of as many stretches: all that was reached is covered, not the crowd at the beginning.
        rng = np.random.default_rng([seed, 6])
        edges = np.linspace(0, len(places), states + 1).astype(int)
        places = [places[int(rng.integers(low, high))] for low, high in itertools.pairwise(edges)]
    episode = GameEpisode(found.game, Rules())
    starts = []
    for place in places:
        episode.begin(place.state)
        score = score_in(found.game, place.memory)
        starts.append(
            Start(
                state=place.state,
                memory=place.memory,
                frame=episode.frame,
                score=int(place.score) if score is None else score,
                lives=place.lives,
                made="search",
                by=f"seed {found.seed}, cells by {found.cells_by}, {found.frames} frames",
                session=_branch(place),
            )
        )
    source = f"search with seed {found.seed} over {found.frames} frames"
    return StartSet(found.game, found.rom, version(), split_sessions(tuple(starts)), source)


def write_trajectories(found: FoundPlaces, path: Path) -> None:
    """Write the ways to the best places of a search, as experience for `er-search`."""
    best = sorted(found.places.values(), key=lambda place: (-place.score, place.frames))[:WAYS]
    episode = GameEpisode(found.game, Rules())
    sessions = [
        PlaySession("search", f"seed {found.seed}", None, tuple(np.repeat(way_to(place), episode.rules.skip).tolist()))
        for place in best
        if place.way is not None
    ]
    write_sessions(path, game=found.game, rom=found.rom, sessions=sessions)


def _branch(place: SearchPlace) -> str:
    """Name the part of the search's tree that a place lies in: by the first steps away from the beginning."""
    chain = [place]
    while chain[-1].way is not None:
        chain.append(chain[-1].way[0])
    step = chain[-2] if len(chain) > 1 else chain[-1]
    return f"branch {step.number % BRANCHES}"


def _lasts(game: str, place: SearchPlace) -> bool:
    """Return whether a place is not already lost: doing nothing for a second costs no life there."""
    episode = _episode(game)
    episode.begin(place.state)
    lives = episode.lives
    for _ in range(15):
        episode.try_act(0)
    return not episode.over and episode.lives == lives


def _episode(game: str) -> Any:
    if game not in _EPISODES:
        _EPISODES[game] = GameEpisode(game, Rules())
    return _EPISODES[game]


_EPISODES: dict[str, GameEpisode] = {}
