"""Go back to a place, explore from it, keep what is new: after the first phase of Go-Explore."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mensura.catalog.arcade.search.cells import Cell, cell_of
from mensura.catalog.arcade.world.episode import GameEpisode
from mensura.catalog.arcade.world.games import room_in
from mensura.catalog.arcade.world.rules import Rules

ACTS = 60
"""Acts of one try."""
KEEP = 0.95
"""The chance with which a try repeats its last action."""
MOST_CELLS = 20_000
"""Places that are kept: of a picture that moves there are more than memory can hold."""


@dataclass(slots=True)
class SearchPlace:
    """A place that was reached: its state, and the way to it."""

    state: bytes = field(repr=False)
    memory: bytes = field(repr=False)
    score: float
    frames: int
    lives: int
    way: tuple[Any, tuple[int, ...]] | None = field(repr=False)
    number: int = 0
    visits: int = 0


@dataclass
class FoundPlaces:
    """What a search found.

    Parameters
    ----------
    game, rom, seed, cells_by
        The game, its cartridge's sum, the seed, and what counted as a place.
    frames
        How many frames of the game it took.
    places
        Every place by its cell.
    milestones
        Scores above all before, with the frames of the search at which they were reached.
    """

    game: str
    rom: str
    seed: int
    cells_by: str
    frames: int
    places: dict[Cell, SearchPlace]
    milestones: list[tuple[float, int]]

    def as_json(self) -> dict[str, Any]:
        """Return what was found, without the states."""
        rooms = {room_in(self.game, place.memory) for place in self.places.values()} - {None}
        return {
            "game": self.game,
            "seed": self.seed,
            "cells_by": self.cells_by,
            "frames": self.frames,
            "cells": len(self.places),
            "rooms": sorted(rooms),
            "best": max(place.score for place in self.places.values()),
            "first_reward": self.milestones[0][1] if self.milestones else None,
            "milestones": self.milestones,
        }


def explore(
    game: str,
    *,
    frames: int,
    cells: str = "auto",
    seed: int,
    begin_at: bytes | None = None,
    until_reward: bool = False,
) -> FoundPlaces:
    """Search a game for places.

    Parameters
    ----------
    game
        Its name.
    frames
        For how many frames.
    cells
        What counts as a place: `ram`, `screen`, or `auto`.
    seed
        From which all chance comes.
    begin_at
        A state to search from; None for the beginning of the game.
    until_reward
        Whether to stop at the first reward.

    Returns
    -------
    FoundPlaces
        All places, with the way to each from where the search began.
    """
    rng = np.random.default_rng([seed, 5])
    episode = GameEpisode(game, Rules(pooling=False))
    episode.begin(begin_at)
    cell_at, kind = cell_of(episode.game, cells)
    first = SearchPlace(episode.save(), episode.memory(), 0.0, 0, episode.lives, None)
    found = FoundPlaces(episode.game, episode.rom, seed, kind, 0, {cell_at(episode): first}, [])
    best, order = 0.0, [first]
    weights = np.ones(1024)
    while found.frames < frames:
        place = order[_choose(weights[: len(order)], rng)]
        place.visits += 1
        weights[place.number] = 1 / np.sqrt(1 + place.visits)
        episode.restore(place.state)
        score, lives, played = place.score, place.lives, 0
        actions: list[int] = []
        action = int(rng.integers(len(episode.actions)))
        renew = (rng.random(ACTS) > KEEP).tolist()
        for again in renew:
            if again:
                action = int(rng.integers(len(episode.actions)))
            score += episode.try_act(action)
            actions.append(action)
            played += episode.rules.skip
            if episode.over or episode.lives < lives:
                break
            if score > best:
                best = score
                found.milestones.append((score, found.frames + played))
            cell = cell_at(episode)
            known = found.places.get(cell)
            total = place.frames + played
            if known is None and len(found.places) >= MOST_CELLS:
                continue
            if known is not None and (score, -total) <= (known.score, -known.frames):
                continue
            number = len(order) if known is None else known.number
            way = (place, tuple(actions))
            reached = SearchPlace(episode.save(), episode.memory(), score, total, episode.lives, way, number)
            found.places[cell] = reached
            if known is None:
                order.append(reached)
                if len(order) > len(weights):
                    weights = np.concatenate([weights, np.ones(len(weights))])
            else:
                # A better way to a known place: it is tried as if it were new.
                order[number] = reached
                weights[number] = 1.0
        found.frames += played
        if until_reward and found.milestones:
            break
    return found


def way_to(place: SearchPlace) -> list[int]:
    """Return the actions that lead to a place from where its search began."""
    parts = []
    at: SearchPlace | None = place
    while at is not None and at.way is not None:
        at, actions = at.way
        parts.append(actions)
    return [action for part in reversed(parts) for action in part]


def _choose(weights: Any, rng: np.random.Generator) -> int:
    sums = np.cumsum(weights)
    return int(np.searchsorted(sums, rng.random() * sums[-1], side="right").clip(max=len(weights) - 1))
