"""Movement patterns: closed cycles of king steps and stays, made to a wanted complexity."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from mensura.catalog.lambda_star.batch.chance import Stream, below, seeded, uniform
from mensura.catalog.lambda_star.batch.compiled import compiled
from mensura.catalog.lambda_star.environment.complexity import count_components
from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.errors import BadParameter

Counts = npt.NDArray[np.float64]
Cells = npt.NDArray[np.int64]

LOWEST = 2
HIGHEST = 23
TRIES = 2_000_000
CLIMBS = 400
CLIMB_LENGTH = 2_000


@dataclass(frozen=True)
class Reach:
    """The complexities closed patterns can have on a torus within so many iterations: `lowest` to `highest`."""

    lowest: int
    highest: int


@lru_cache(maxsize=256)
def reachable(torus: Torus, *, iterations: int) -> Reach:
    """Return which complexities a pattern can have.

    A cycle of p ≤ ⌊ϑ/2⌋ cells has K ≤ p + 1, and K = p + 1 when they all differ, which a torus of two rows and columns
    or more allows while it has p cells. Elsewhere the highest K is the best a seeded climb finds.

    >>> reachable(Torus(10, 10), iterations=50)
    Reach(lowest=2, highest=26)
    """
    if iterations < 2:
        raise BadParameter(f"A pattern repeats, so an episode has at least 2 iterations; got {iterations}.")
    longest = iterations // 2
    if min(torus.rows, torus.columns) >= 2 and torus.cells >= longest:
        return Reach(LOWEST, longest + 1)
    rows, columns = closing_counts(torus, longest)
    highest = climb_to_highest(rows, columns, longest, iterations, seeded(np.uint64(0), 0, 0))
    return Reach(LOWEST, int(highest))


def wanted_range(torus: Torus, *, iterations: int, lowest: int | None, highest: int | None) -> Reach:
    """Settle the range K is drawn from: by default 2 to the lesser of 23 and what is reachable."""
    possible = reachable(torus, iterations=iterations)
    wanted = Reach(
        possible.lowest if lowest is None else lowest,
        min(HIGHEST, possible.highest) if highest is None else highest,
    )
    if not possible.lowest <= wanted.lowest <= wanted.highest <= possible.highest:
        raise BadParameter(
            f"Complexities from {wanted.lowest} to {wanted.highest} cannot be reached on {torus} with {iterations} "
            f"iterations: patterns there reach K = {possible.lowest} to {possible.highest}. "
            "Choose a range within that, or a larger torus or more iterations."
        )
    return wanted


@lru_cache(maxsize=64)
def closing_counts(torus: Torus, longest: int) -> tuple[Counts, Counts]:
    """Count, per axis, the ways of l steps of -1, 0 or +1 to come home from each offset."""
    return _axis_counts(torus.rows, longest), _axis_counts(torus.columns, longest)


def _axis_counts(length: int, longest: int) -> Counts:
    counts = np.zeros((longest + 1, length))
    counts[0, 0] = 1.0
    # On an axis one cell long every step is the same step: count it once.
    shifts = (0,) if length == 1 else (-1, 0, 1)
    for steps in range(1, longest + 1):
        counts[steps] = sum(np.roll(counts[steps - 1], shift) for shift in shifts) / 3.0
    return counts


@compiled
def draw_closed_steps(counts: Counts, steps: Cells, period: int, stream: Stream) -> None:
    """Fill `steps` with a closed walk along one axis, all such walks equally likely."""
    length = counts.shape[1]
    offset = 0
    for i in range(period):
        if length == 1:
            steps[i] = 0
            continue
        left = counts[period - i - 1]
        back = left[(offset - 1) % length]
        stay = left[offset]
        ahead = left[(offset + 1) % length]
        mark = uniform(stream) * (back + stay + ahead)
        step = -1 if mark < back else (0 if mark < back + stay else 1)
        steps[i] = step
        offset = (offset + step) % length


@compiled
def lay(down: Cells, right: Cells, period: int, rows: int, columns: int, path: Cells) -> None:
    """Write the repeated cycle that begins at cell 0 over the whole of `path`."""
    row = 0
    column = 0
    for i in range(period):
        path[i] = row * columns + column
        # Steps are of one cell at most: cheaper than a remainder.
        row += down[i]
        row += rows if row < 0 else (-rows if row >= rows else 0)
        column += right[i]
        column += columns if column < 0 else (-columns if column >= columns else 0)
    for i in range(period, len(path)):
        path[i] = path[i - period]


@compiled
def alter(
    down: Cells, right: Cells, rows: int, columns: int, period: int, stream: Stream
) -> tuple[Cells, int, int, int, int]:
    """Change one axis of a closed walk a little and keep it closed; return the axis, both places and what was there."""
    along_rows = columns == 1 or (rows > 1 and below(stream, 2) == 0)
    steps = down if along_rows else right
    length = rows if along_rows else columns
    first = below(stream, period)
    second = below(stream, period)
    one = steps[first]
    other = steps[second]
    if length == 2:
        # Forward and back are the same step round two cells, so only their parity matters.
        if first != second:
            steps[first] = 1 - abs(one)
            steps[second] = 1 - abs(other)
    elif below(stream, 2) == 0:
        steps[first] = other
        steps[second] = one
    elif first != second and one < 1 and other > -1:
        steps[first] += 1
        steps[second] -= 1
    return steps, first, second, one, other


@compiled
def make_pattern(
    row_counts: Counts, column_counts: Counts, wanted: int, iterations: int, path: Cells, stream: Stream
) -> bool:
    """Fill `path` with a cycle from cell 0 whose first `iterations` cells have complexity `wanted`.

    A period is drawn uniformly from those that can bear it and a closed walk uniformly from those of that period; the
    walk is then altered step by step, never away from the wanted complexity, and drawn afresh when that leads nowhere.
    """
    rows = row_counts.shape[1]
    columns = column_counts.shape[1]
    longest = iterations // 2
    shortest = wanted - 1
    # Long cycles of low complexity are rare: look for short ones first, and for longer ones as tries fail.
    lengthiest = min(longest, 2 * wanted)
    down = np.zeros(longest, dtype=np.int64)
    right = np.zeros(longest, dtype=np.int64)
    tries = 0
    while tries < TRIES:
        period = shortest + below(stream, lengthiest - shortest + 1)
        draw_closed_steps(row_counts, down, period, stream)
        draw_closed_steps(column_counts, right, period, stream)
        lay(down, right, period, rows, columns, path)
        missing = abs(count_components(path[:iterations]) - wanted)
        left = 20 * period
        while missing > 0 and left > 0:
            steps, first, second, one, other = alter(down, right, rows, columns, period, stream)
            lay(down, right, period, rows, columns, path)
            now = abs(count_components(path[:iterations]) - wanted)
            if now <= missing:
                missing = now
            else:
                steps[first] = one
                steps[second] = other
            left -= 1
            tries += 1
        tries += 1
        if missing == 0:
            return True
        lengthiest = min(longest, lengthiest + 1)
    return False


@compiled
def climb_to_highest(row_counts: Counts, column_counts: Counts, longest: int, iterations: int, stream: Stream) -> int:
    """Return the highest complexity found by climbing from many random cycles."""
    rows = row_counts.shape[1]
    columns = column_counts.shape[1]
    down = np.zeros(longest, dtype=np.int64)
    right = np.zeros(longest, dtype=np.int64)
    path = np.zeros(iterations, dtype=np.int64)
    highest = 2
    for climb in range(CLIMBS):
        period = longest - climb % min(longest, 4)
        draw_closed_steps(row_counts, down, period, stream)
        draw_closed_steps(column_counts, right, period, stream)
        lay(down, right, period, rows, columns, path)
        here = count_components(path)
        for _ in range(CLIMB_LENGTH):
            steps, first, second, one, other = alter(down, right, rows, columns, period, stream)
            lay(down, right, period, rows, columns, path)
            now = count_components(path)
            if now >= here:
                here = now
            else:
                steps[first] = one
                steps[second] = other
        highest = max(highest, here)
    return highest
