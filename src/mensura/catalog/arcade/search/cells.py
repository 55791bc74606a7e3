"""What counts as a new place in a game: facts in memory where they are known, else a coarse picture."""

from collections.abc import Callable, Hashable

import numpy as np

from mensura.catalog.arcade.world.episode import GameEpisode
from mensura.catalog.arcade.world.sight import average, pieces_of
from mensura.errors import BadParameter

Cell = Hashable
ROWS, COLUMNS, GREYS = 8, 11, 8
"""Of the coarse picture, as in Go-Explore (Ecoffet et al. 2021)."""


def _montezuma(memory: bytes) -> Cell:
    """Return room, place by 8 × 16 points, and what is held."""
    return memory[3], memory[42] // 8, memory[43] // 16, memory[65]


RAM_CELLS: dict[str, Callable[[bytes], Cell]] = {"montezuma_revenge": _montezuma}


def cell_of(game: str, kind: str) -> tuple[Callable[[GameEpisode], Cell], str]:
    """Return what gives the cell of a moment, and its kind: `ram` where memory is known, else `screen`."""
    if kind == "auto":
        kind = "ram" if game in RAM_CELLS else "screen"
    if kind == "screen":
        return _coarse, kind
    if game not in RAM_CELLS:
        raise BadParameter(
            f"Nobody has said where {game.replace('_', '-')} keeps its places in memory; known are "
            f"{', '.join(name.replace('_', '-') for name in RAM_CELLS)}. Take --cells screen."
        )
    read = RAM_CELLS[game]
    return lambda episode: read(episode.memory()), kind


def _coarse(episode: GameEpisode) -> Cell:
    picture = episode.machine.getScreenGrayscale()
    height, width = picture.shape
    small = average(picture, pieces_of(height, ROWS), pieces_of(width, COLUMNS))
    cell: bytes = (small * (GREYS / 256)).astype(np.uint8).tobytes()
    return cell
