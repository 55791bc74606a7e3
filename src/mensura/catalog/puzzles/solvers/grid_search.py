"""Grid search: programs of a small language of transformations, the likeliest first."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from mensura.catalog.puzzles.kinds.kind import Kind
from mensura.catalog.puzzles.solvers.solver import PuzzleSolver

Grid = NDArray[np.int64]
Move = Callable[[Grid], Any]
LARGEST = 30
"""Side of the largest grid of an ARC task."""
DEEPEST = 3
"""Moves of a program, before the colours are matched."""
TOUCHING = np.ones((3, 3), dtype=int)


class GridSearch(PuzzleSolver):
    """Tries transformations on all examples at once, going on from those whose results are most like what is wanted.

    Its last step is not searched but solved for: where results and wanted grids differ only in colours, each of
    which always becomes the same other one, these are exchanged.

    Parameters
    ----------
    budget
        How many transformations may be carried out for one puzzle.
    """

    attempts: ClassVar[tuple[str, ...]] = ("grid",)

    def __init__(self, *, budget: int = 2000) -> None:
        self.budget = budget

    def solve(self, kind: Kind, shown: Any) -> Any:
        return searched(shown, budget=self.budget)


def searched(shown: Any, *, budget: int) -> Any:
    """Return what the first program found that fits all pairs makes of the new grid; None where none is found."""
    targets = [np.array(after) for _, after in shown["pairs"]]
    start = [np.array(grid) for grid in (*(before for before, _ in shown["pairs"]), shown["new"])]
    language = list(_language(sorted({int(colour) for grid in (*start, *targets) for colour in np.unique(grid)} - {0})))
    order = count()
    queue: list[tuple[float, int, int, list[Grid]]] = [(0.0, next(order), 0, start)]
    seen = {_key(start)}
    answer, spent = _recoloured(start, targets), 0
    while queue and answer is None and spent < budget:
        _, _, depth, grids = heappop(queue)
        for move in language:
            spent += 1
            made = _moved(move, grids)
            if made is None or _key(made) in seen:
                continue
            seen.add(_key(made))
            answer = _recoloured(made, targets)
            if answer is not None:
                break
            if depth + 1 < DEEPEST:
                heappush(queue, (depth + 1 + 2 * _unlike(made, targets), next(order), depth + 1, made))
    return None if answer is None else answer.tolist()


def _moved(move: Move, grids: Sequence[Grid]) -> list[Grid] | None:
    made = []
    for grid in grids:
        one = move(grid)
        if not one.size or max(one.shape) > LARGEST:
            return None
        made.append(one)
    return made


def _key(grids: Sequence[Grid]) -> tuple[Any, ...]:
    return tuple((grid.shape, grid.tobytes()) for grid in grids)


def _recoloured(made: Sequence[Grid], targets: Sequence[Grid]) -> Grid | None:
    """Return the last grid with its colours exchanged as the others must be; None where they cannot be."""
    becomes: dict[int, int] = {}
    for one, target in zip(made, targets, strict=False):
        if one.shape != target.shape:
            return None
        for pair in np.unique(one.ravel() * 10 + target.ravel()):
            before, after = divmod(int(pair), 10)
            if becomes.setdefault(before, after) != after:
                return None
    table = np.array([becomes.get(colour, colour) for colour in range(10)])
    return np.asarray(table[made[-1]])


def _unlike(made: Sequence[Grid], targets: Sequence[Grid]) -> float:
    """Return the mean share of cells that differ; where sizes do, all of them."""
    differing = [
        float((one != target).mean()) if one.shape == target.shape else 1.0
        for one, target in zip(made, targets, strict=False)
    ]
    return float(np.mean(differing))


def _language(colours: Sequence[int]) -> Iterator[Move]:
    """List the moves, those that most puzzles use first."""
    yield from (
        np.fliplr,
        np.flipud,
        np.transpose,
        partial(np.rot90, k=1),
        partial(np.rot90, k=2),
        partial(np.rot90, k=3),
    )
    yield lambda grid: np.rot90(grid, 2).T
    yield from (_box, _largest, _clean, _enlarged, _distinct)
    yield from (partial(_dropped, quarters=quarters) for quarters in range(4))
    yield from (partial(_shifted, by=by, axis=axis) for by in (1, -1) for axis in (0, 1))
    yield from (partial(np.tile, reps=reps) for reps in ((1, 2), (2, 1), (2, 2), (1, 3), (3, 1), (3, 3)))
    yield from (partial(np.kron, np.ones((by, by), dtype=int)) for by in (2, 3))
    yield from (partial(_joined, turn=turn) for turn in (np.fliplr, np.flipud, np.transpose, partial(np.rot90, k=2)))
    for axis in (0, 1):
        yield from (partial(_half, axis=axis, second=second) for second in (False, True))
        yield from (partial(_beside, axis=axis, mirrored=mirrored) for mirrored in (False, True))
        yield from (
            partial(_halves, axis=axis, rule=rule) for rule in (np.logical_and, np.logical_or, np.logical_xor, _neither)
        )
    for colour in colours:
        yield from (partial(_filled, colour=colour), partial(_bordered, colour=colour))
        yield partial(_only, colour=colour)
        yield from (partial(_painted, colour=colour, other=other) for other in (0, *colours) if other != colour)


def _box(grid: Grid) -> Grid:
    rows, columns = np.nonzero(grid)
    return grid[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1] if len(rows) else grid[:0]


def _largest(grid: Grid) -> Grid:
    labels, found = ndimage.label(grid, TOUCHING)
    sizes = np.bincount(labels.ravel(), minlength=2)[1:]
    return np.where(labels == 1 + sizes.argmax(), grid, 0) if found else grid


def _clean(grid: Grid) -> Grid:
    near = ndimage.convolve((grid != 0).astype(int), TOUCHING, mode="constant")
    return np.where(near > 1, grid, 0)


def _enlarged(grid: Grid) -> Grid:
    """Put the grid where each of its own cells is full."""
    return np.kron((grid != 0).astype(int), grid) if max(grid.shape) <= 5 else grid[:0]


def _distinct(grid: Grid) -> Grid:
    """Leave out rows and columns that repeat the one before."""
    rows = np.r_[True, (grid[1:] != grid[:-1]).any(axis=1)]
    columns = np.r_[True, (grid[:, 1:] != grid[:, :-1]).any(axis=0)]
    return grid[rows][:, columns]


def _dropped(grid: Grid, *, quarters: int) -> Grid:
    turned = np.rot90(grid, quarters)
    order = np.argsort(turned != 0, axis=0, kind="stable")
    return np.rot90(np.take_along_axis(turned, order, axis=0), -quarters)


def _shifted(grid: Grid, *, by: int, axis: int) -> Grid:
    made = np.roll(grid, by, axis=axis)
    np.moveaxis(made, axis, 0)[0 if by > 0 else -1] = 0
    return made


def _joined(grid: Grid, *, turn: Move) -> Grid:
    image = turn(grid)
    return np.where(grid == 0, image, grid) if image.shape == grid.shape else grid[:0]


def _half(grid: Grid, *, axis: int, second: bool) -> Grid:
    middle = grid.shape[axis] // 2
    return np.take(grid, range(-middle, 0) if second else range(middle), axis=axis)


def _beside(grid: Grid, *, axis: int, mirrored: bool) -> Grid:
    return np.concatenate([grid, np.flip(grid, axis)] if mirrored else [np.flip(grid, axis), grid], axis=axis)


def _halves(grid: Grid, *, axis: int, rule: Callable[[Any, Any], Any]) -> Grid:
    one, other = (_half(grid, axis=axis, second=second) != 0 for second in (False, True))
    return np.asarray(rule(one, other)).astype(int)


def _neither(one: Any, other: Any) -> Any:
    return ~(one | other)


def _filled(grid: Grid, *, colour: int) -> Grid:
    return np.where(ndimage.binary_fill_holes(grid != 0) & (grid == 0), colour, grid)


def _bordered(grid: Grid, *, colour: int) -> Grid:
    return np.where(ndimage.binary_dilation(grid != 0, TOUCHING) & (grid == 0), colour, grid)


def _only(grid: Grid, *, colour: int) -> Grid:
    return np.where(grid == colour, grid, 0)


def _painted(grid: Grid, *, colour: int, other: int) -> Grid:
    return np.where(grid == colour, other, grid)
