"""Grids of colours, 0 being the background, and what can be done to them; compiled, for proofs try thousands."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.machine_code import compiler

compiled = compiler(Path(__file__).parent, extra="puzzles")
Grid = NDArray[np.uint8]
LARGEST_SIDE = 18
"""Grids beyond it are not made: nobody would count their cells."""
ROTATE, REFLECT, TRANSLATE, SCALE, REPEAT, RECOLOUR, SWAP, REMOVE = range(8)
CROP, FALL, FILL, OUTLINE, SYMMETRISE, CLEAN, KEEP_LARGEST = range(8, 15)
CODES = {
    "rotate": ROTATE, "reflect": REFLECT, "translate": TRANSLATE, "scale": SCALE, "repeat": REPEAT,
    "recolour": RECOLOUR, "swap": SWAP, "remove": REMOVE, "crop": CROP, "fall": FALL, "fill": FILL,
    "outline": OUTLINE, "symmetrise": SYMMETRISE, "clean": CLEAN, "keep-largest": KEEP_LARGEST,
}  # fmt: skip
"""Operation → the number by which compiled functions know it."""


@compiled
def transformed(code: int, x: int, y: int, grid: Grid) -> Grid:
    """Do one operation to a grid; the result has no cells where it cannot be done or would be too large.

    `x` and `y` are its constants: quarter turns; a mirror (0 left-right, 1 top-bottom, 2 and 3 the diagonals); a
    direction (0 up, 1 down, 2 left, 3 right); a factor; copies (1 across, 2 down, 3 both); colours.
    """
    height, width = grid.shape
    if code in (ROTATE, REFLECT):
        return _placed(code, x, grid)
    if code == SCALE:
        return _repeated(grid, x, x, True)
    if code == REPEAT:
        return _repeated(grid, 2 if x & 2 else 1, 2 if x & 1 else 1, False)
    if code == CROP:
        return _cropped(grid)
    if code == TRANSLATE:
        made = np.zeros_like(grid)
        down, right = (x == 1) - (x == 0), (x == 3) - (x == 2)
        for i in range(height):
            for j in range(width):
                if 0 <= i + down < height and 0 <= j + right < width:
                    made[i + down, j + right] = grid[i, j]
        return made
    made = grid.copy()
    if code == FALL:
        # Seen from the side to which they fall, all things rise.
        if x < 2:
            _rise(made if x == 0 else made[::-1])
        else:
            _rise(made.T if x == 2 else made[:, ::-1].T)
    elif code == FILL:
        outside, _ = _objects(grid, True)
        made = np.where((grid == 0) & (outside == 0), np.uint8(x), grid)
    elif code == KEEP_LARGEST:
        labels, largest = _objects(grid, False)
        made = np.where(labels == largest, grid, np.uint8(0))
    else:
        for i in range(height):
            for j in range(width):
                made[i, j] = _recoloured(code, x, y, grid, i, j)
    return made


@compiled
def _recoloured(code: int, x: int, y: int, grid: Grid, i: int, j: int) -> Any:
    height, width = grid.shape
    colour = grid[i, j]
    if code == RECOLOUR:
        return y if colour == x else colour
    if code == SWAP:
        return y if colour == x else x if colour == y else colour
    if code == REMOVE:
        return 0 if colour == x else colour
    if code == SYMMETRISE:
        if colour != 0:
            return colour
        return grid[i, width - 1 - j] if x == 0 else grid[height - 1 - i, j]
    if (code == OUTLINE and colour != 0) or (code == CLEAN and colour == 0):
        return colour
    touches = False
    for down in range(-1, 2):
        for right in range(-1, 2):
            at, beside = i + down, j + right
            if (down != 0 or right != 0) and 0 <= at < height and 0 <= beside < width:
                touches = touches or grid[at, beside] != 0
    if code == OUTLINE:
        return x if touches else 0
    return colour if touches else 0


@compiled
def _placed(code: int, x: int, grid: Grid) -> Grid:
    if code == ROTATE:
        if x == 2:
            return np.ascontiguousarray(grid[::-1, ::-1])
        return np.ascontiguousarray(grid.T[:, ::-1]) if x == 1 else np.ascontiguousarray(grid.T[::-1])
    if x < 2:
        return np.ascontiguousarray(grid[:, ::-1]) if x == 0 else np.ascontiguousarray(grid[::-1])
    return np.ascontiguousarray(grid.T) if x == 2 else np.ascontiguousarray(grid[::-1, ::-1].T)


@compiled
def _repeated(grid: Grid, down: int, across: int, in_place: bool) -> Grid:
    height, width = grid.shape
    if height * down > LARGEST_SIDE or width * across > LARGEST_SIDE:
        return np.zeros((0, 0), dtype=np.uint8)
    made = np.zeros((height * down, width * across), dtype=np.uint8)
    for i in range(height * down):
        for j in range(width * across):
            made[i, j] = grid[i // down, j // across] if in_place else grid[i % height, j % width]
    return made


@compiled
def _cropped(grid: Grid) -> Grid:
    height, width = grid.shape
    top, bottom, left, right = height, 0, width, 0
    for i in range(height):
        for j in range(width):
            if grid[i, j] != 0:
                top, bottom = min(top, i), max(bottom, i + 1)
                left, right = min(left, j), max(right, j + 1)
    return grid[top:bottom, left:right].copy() if bottom else np.zeros((0, 0), dtype=np.uint8)


@compiled
def _rise(grid: Grid) -> None:
    for j in range(grid.shape[1]):
        free = 0
        for i in range(grid.shape[0]):
            colour = grid[i, j]
            if colour != 0:
                grid[i, j] = 0
                grid[free, j] = colour
                free += 1


@compiled
def _objects(grid: Grid, outside: bool) -> Any:
    """Number the objects (cells that touch, by edges or corners), or mark the background that reaches the rim by edges.

    Also return the number of the largest object, the first in reading order among equals.
    """
    height, width = grid.shape
    labels = np.zeros((height, width), dtype=np.int64)
    stack = np.empty((height * width, 2), dtype=np.int64)
    number = largest = most = 0
    for i in range(height):
        for j in range(width):
            rim = i == 0 or j == 0 or i == height - 1 or j == width - 1
            if labels[i, j] or (grid[i, j] == 0) != outside or (outside and not rim):
                continue
            number += 1
            labels[i, j] = number
            stack[0] = i, j
            waiting, size = 1, 0
            while waiting:
                waiting -= 1
                size += 1
                at, beside = stack[waiting]
                for down in range(-1, 2):
                    for right in range(-1, 2):
                        row, column = at + down, beside + right
                        if outside and down != 0 and right != 0:
                            continue
                        inside = 0 <= row < height and 0 <= column < width
                        if inside and labels[row, column] == 0 and (grid[row, column] == 0) == outside:
                            labels[row, column] = number
                            stack[waiting] = row, column
                            waiting += 1
            if size > most:
                largest, most = number, size
    return labels, largest
