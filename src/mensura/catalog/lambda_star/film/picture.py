"""Pictures of an episode: one array of colour numbers per iteration."""

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.lambda_star.film.episode import FilmedEpisode
from mensura.catalog.lambda_star.world import gains_of

Picture = NDArray[np.uint8]

PALETTE = (
    (255, 255, 255),  # ground worth nothing
    (222, 226, 230),  # lines between cells
    (198, 235, 205),  # worth half of Good
    (140, 210, 155),  # worth all of Good
    (250, 210, 205),  # worth half of Evil
    (238, 150, 140),  # worth all of Evil
    (24, 128, 56),  # Good
    (190, 30, 35),  # Evil
    (32, 62, 120),  # an agent
    (255, 255, 255),  # plus, minus and the eye of an agent
    (90, 140, 220),  # where an agent has been
)
GROUND, LINE, GOOD_NEAR, GOOD_ON, EVIL_NEAR, EVIL_ON, GOOD, EVIL, AGENT, MARK, TRAIL = range(len(PALETTE))
WORTH = {0.5: GOOD_NEAR, 1.0: GOOD_ON, -0.5: EVIL_NEAR, -1.0: EVIL_ON}
REMEMBERED = 6
"""Iterations for which an agent's trail is shown."""


def draw_frames(episode: FilmedEpisode, *, cell: int = 24) -> list[Picture]:
    """Draw every iteration; `cell` is the side of a cell in pixels."""
    return [_draw(episode, iteration, cell) for iteration in range(len(episode.agents))]


def _draw(episode: FilmedEpisode, iteration: int, side: int) -> Picture:
    torus = episode.torus
    picture = np.full((torus.rows * side + 1, torus.columns * side + 1), GROUND, dtype=np.uint8)
    good, evil = episode.good[iteration], episode.evil[iteration]
    gains, losses = gains_of(torus)[good], gains_of(torus)[evil]
    for cell in set(gains) | set(losses):
        worth = gains.get(cell, 0.0) - losses.get(cell, 0.0)
        _box(episode, picture, cell, side)[:] = WORTH.get(worth, GROUND)
    picture[::side] = LINE
    picture[:, ::side] = LINE
    for before in episode.agents[max(0, iteration - REMEMBERED) : iteration]:
        for cell in before:
            _disc(_box(episode, picture, cell, side), TRAIL, 0.12)
    for cell, colour in ((good, GOOD), (evil, EVIL)):
        box = _box(episode, picture, cell, side)
        _disc(box, colour, 0.42)
        _sign(box, plus=colour == GOOD)
    counts: dict[int, int] = {}
    for cell in episode.agents[iteration]:
        counts[cell] = counts.get(cell, 0) + 1
    for cell, count in counts.items():
        # Many agents on a cell are a larger square, so that a crowd is seen as one.
        _square(_box(episode, picture, cell, side), min(0.14 + 0.04 * (count - 1), 0.34))
    return picture


def _box(episode: FilmedEpisode, picture: Picture, cell: int, side: int) -> Picture:
    row, column = divmod(cell, episode.torus.columns)
    return picture[row * side + 1 : (row + 1) * side, column * side + 1 : (column + 1) * side]


def _disc(box: Picture, colour: int, radius: float) -> None:
    down, across = np.ogrid[: box.shape[0], : box.shape[1]]
    middle = (box.shape[0] - 1) / 2
    box[(down - middle) ** 2 + (across - middle) ** 2 <= (radius * box.shape[0]) ** 2] = colour


def _sign(box: Picture, *, plus: bool) -> None:
    size = box.shape[0]
    near, far = round(size * 0.25), size - round(size * 0.25)
    half = max(1, size // 14)
    middle = size // 2
    box[middle - half : middle + half, near:far] = MARK
    if plus:
        box[near:far, middle - half : middle + half] = MARK


def _square(box: Picture, half: float) -> None:
    size = box.shape[0]
    near, far = round(size * (0.5 - half)), round(size * (0.5 + half))
    box[near:far, near:far] = AGENT
    box[size // 2 - 1 : size // 2 + 1, size // 2 - 1 : size // 2 + 1] = MARK
