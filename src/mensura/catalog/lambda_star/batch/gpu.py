"""The GPU form (extra `gpu`): local search and Q-learning for millions of agents at once, in JAX.

It plays environments that are given as arrays, those of `batch` for instance, and gives the same scores within chance.
It runs on any device that JAX knows, a plain processor included.
"""

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mensura.catalog.lambda_star.batch.situations import CLASSES, SITUATIONS, Situations, situations_of
from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.catalog.lambda_star.settings import LEARNING, LearningValues
from mensura.errors import MissingExtra

try:
    import jax
    import jax.numpy as jnp
    from jax import lax
except ImportError:
    raise MissingExtra("The GPU forms of Λ*", package="jax", extra="gpu") from None

Array = Any
GOLDEN = 0x9E3779B9


class Paths(NamedTuple):
    """Rows and columns of Good and Evil: an array per iteration, one place per episode."""

    good_row: Array
    good_column: Array
    evil_row: Array
    evil_column: Array


class Tables(NamedTuple):
    """Situations on a torus as arrays of the device."""

    row_class: Array
    column_class: Array
    reward: Array
    count: Array
    best: Array
    away_count: Array
    away: Array


def local_search(
    torus: Torus, *, good: ArrayLike, evil: ArrayLike, starts: ArrayLike, original: bool = False, seed: int = 0
) -> NDArray[np.float32]:
    """Let local-search agents of sight 1 play; give each episode's mean reward.

    Parameters
    ----------
    torus
        The ground.
    good, evil
        Cells of the objects at iterations 0 to ϑ, a row per episode.
    starts
        Start cells, a row per episode and a column per agent.
    original
        Whether the first view is that of the program of 2016.
    seed
        What chance begins with.
    """
    cells = jnp.asarray(starts, dtype=jnp.int32)
    paths = _paths(torus, good, evil)
    total = _search(_tables(torus), paths, cells, jnp.uint32(seed), torus.rows, torus.columns, original)
    return np.asarray(total / (paths.good_row.shape[0] - 1), dtype=np.float32)


def q_learning(
    torus: Torus,
    *,
    good: ArrayLike,
    evil: ArrayLike,
    starts: ArrayLike,
    original: bool = False,
    seed: int = 0,
    values: LearningValues = LEARNING,
) -> NDArray[np.float32]:
    """Let Q-learning agents, each with its own table, train and play.

    Parameters are those of `local_search`, and `values`, how they learn. Gives, a row per episode, the mean reward in
    every training session and, last, in the episode that counts. Tables take 36 · m · n · ϑ bytes per agent.
    """
    cells = jnp.asarray(starts, dtype=jnp.int32)
    paths = _paths(torus, good, evil)
    earned = _learn(_tables(torus), paths, cells, jnp.uint32(seed), torus.rows, torus.columns, original, values)
    return np.asarray(earned.T / (paths.good_row.shape[0] - 1), dtype=np.float32)


@partial(jax.jit, static_argnums=(4, 5, 6))
def _search(tables: Tables, paths: Paths, cells: Array, seed: Array, rows: int, columns: int, original: bool) -> Array:
    streams = _streams(cells.shape, seed)
    row, column = cells // columns, cells % columns
    now = jax.tree.map(lambda part: part[0][:, None], paths)
    seen = _situation(tables, now, row, column, rows, columns)
    total = jnp.zeros(cells.shape, dtype=jnp.float32)
    steps = jnp.arange(paths.good_row.shape[0] - 1, dtype=jnp.uint32)
    if original:
        zero = _near(tables, 0, 0, row, column, rows, columns)
        chosen = _pick(_bits(streams, steps[0]), tables.away_count[zero])
        action = tables.away[zero * 9 + chosen]
        moved = _moved(row, column, action, rows, columns)
        seen, gain = _look(tables, jax.tree.map(lambda part: part[1], paths), *moved, rows, columns)
        row, column, total, steps = *moved, gain, steps[1:]

    def step(state: tuple[Array, ...], moment: tuple[Array, Paths]) -> tuple[tuple[Array, ...], None]:
        row, column, seen, total = state
        chosen = _pick(_bits(streams, moment[0]), tables.count[seen])
        row, column = _moved(row, column, tables.best[seen * 9 + chosen], rows, columns)
        seen, gain = _look(tables, moment[1], row, column, rows, columns)
        return (row, column, seen, total + gain), None

    later = jax.tree.map(lambda part: part[-steps.shape[0] :], paths)
    (_, _, _, total), _ = lax.scan(step, (row, column, seen, total), (steps, later))
    return total.mean(axis=1)


@partial(jax.jit, static_argnums=(4, 5, 6, 7))
def _learn(
    tables: Tables,
    paths: Paths,
    cells: Array,
    seed: Array,
    rows: int,
    columns: int,
    original: bool,
    values: LearningValues,
) -> Array:
    shape, space = cells.shape, rows * columns
    agents = shape[0] * shape[1]
    iterations = paths.good_row.shape[0] - 1
    streams = _streams(shape, seed).ravel()
    starts = cells.ravel()
    # One row of nine values per agent, iteration and cell; the iteration after the last is worth nothing.
    values_table = jnp.full((agents * iterations * space, 9), values.initial, dtype=jnp.float32)
    base = jnp.arange(agents, dtype=jnp.int32) * (iterations * space)
    later = jax.tree.map(lambda part: part[1:], paths)
    steps = jnp.arange(iterations, dtype=jnp.int32)

    def step(
        state: tuple[Array, ...], moment: tuple[Array, Array, Paths], training: bool
    ) -> tuple[tuple[Array, ...], None]:
        table, cell, row_values, total = state
        i, clock, places = moment
        action = _greedy(row_values, _bits(streams, clock))
        row, column = _moved(cell // columns, cell % columns, action, rows, columns)
        _, gain = _look(tables, places, row.reshape(shape), column.reshape(shape), rows, columns)
        gain = gain.ravel()
        arrived = row * columns + column
        following = base + jnp.minimum(i + 1, iterations - 1) * space + arrived
        # All is read at once and what is written depends on it, else XLA copies the whole table at every step.
        ahead, first = table[jnp.stack([following, base + arrived])] if original else (table[following], None)
        if training:
            # The program of 2016 looked the next state up in the first iteration's row.
            worth = jnp.where(i + 1 < iterations, ahead.max(axis=1), 0.0) if first is None else first.max(axis=1)
            entry = jnp.take_along_axis(row_values, action[:, None], axis=1)[:, 0]
            learned = entry + values.rate * (gain + values.discount * worth - entry)
            table = table.at[base + i * space + cell, action].set(learned, unique_indices=True)
        return (table, arrived, ahead, total + gain), None

    def session(table: Array, number: Array, training: bool) -> tuple[Array, Array]:
        clock = (number * iterations + steps).astype(jnp.uint32)
        first = (table, starts, table[base + starts], jnp.zeros(agents, dtype=jnp.float32))
        (table, _, _, total), _ = lax.scan(partial(step, training=training), first, (steps, clock, later))
        return table, total.reshape(shape).mean(axis=1)

    table, trained = lax.scan(
        partial(session, training=True), values_table, jnp.arange(values.sessions, dtype=jnp.int32)
    )
    _, scored = session(table, jnp.int32(values.sessions), training=False)
    return jnp.concatenate([trained, scored[None]])


def _paths(torus: Torus, good: ArrayLike, evil: ArrayLike) -> Paths:
    good_cells, evil_cells = _by_iteration(good), _by_iteration(evil)
    columns = torus.columns
    return Paths(good_cells // columns, good_cells % columns, evil_cells // columns, evil_cells % columns)


def _by_iteration(cells: ArrayLike) -> Array:
    return jnp.asarray(np.ascontiguousarray(np.asarray(cells).T), dtype=jnp.int32)


def _tables(torus: Torus) -> Tables:
    known: Situations = situations_of(torus)
    return Tables(
        jnp.asarray(known.row_class, dtype=jnp.int32),
        jnp.asarray(known.column_class, dtype=jnp.int32),
        jnp.asarray(known.reward, dtype=jnp.float32),
        jnp.asarray(known.best[:, 0], dtype=jnp.uint32),
        jnp.asarray(known.best[:, 1:].ravel(), dtype=jnp.int32),
        jnp.asarray(known.away[:, 0], dtype=jnp.uint32),
        jnp.asarray(known.away[:, 1:].ravel(), dtype=jnp.int32),
    )


def _near(tables: Tables, to_row: Any, to_column: Any, row: Array, column: Array, rows: int, columns: int) -> Array:
    down = tables.row_class[to_row - row + (rows - 1)]
    right = tables.column_class[to_column - column + (columns - 1)]
    return down * CLASSES + right


def _situation(tables: Tables, places: Paths, row: Array, column: Array, rows: int, columns: int) -> Array:
    good = _near(tables, places.good_row, places.good_column, row, column, rows, columns)
    evil = _near(tables, places.evil_row, places.evil_column, row, column, rows, columns)
    return good * SITUATIONS + evil


def _look(tables: Tables, places: Paths, row: Array, column: Array, rows: int, columns: int) -> tuple[Array, Array]:
    """Return the situation of everyone after a move, and what it is worth."""
    seen = _situation(tables, jax.tree.map(lambda part: part[:, None], places), row, column, rows, columns)
    return seen, tables.reward[seen]


def _moved(row: Array, column: Array, action: Array, rows: int, columns: int) -> tuple[Array, Array]:
    row = row + action // 3 - 1
    column = column + action % 3 - 1
    row = jnp.where(row < 0, row + rows, jnp.where(row >= rows, row - rows, row))
    return row, jnp.where(column < 0, column + columns, jnp.where(column >= columns, column - columns, column))


def _streams(shape: tuple[int, ...], seed: Array) -> Array:
    """Give every agent a number of its own to draw chance from."""
    agents = jnp.arange(shape[0] * shape[1], dtype=jnp.uint32).reshape(shape)
    return _mixed(agents * jnp.uint32(GOLDEN) + _mixed(seed + jnp.uint32(1)))


def _bits(streams: Array, moment: Array) -> Array:
    """Draw 32 bits for every agent at a moment."""
    return _mixed(streams + _mixed(moment.astype(jnp.uint32) * jnp.uint32(GOLDEN) + jnp.uint32(7)))


def _mixed(bits: Array) -> Array:
    """Scramble 32 bits (Wellons' lowbias32)."""
    bits = (bits ^ (bits >> 16)) * jnp.uint32(0x7FEB352D)
    bits = (bits ^ (bits >> 15)) * jnp.uint32(0x846CA68B)
    return bits ^ (bits >> 16)


def _pick(bits: Array, count: Array) -> Array:
    """Turn bits into a number below a small count."""
    return (((bits >> 16) * count.astype(jnp.uint32)) >> 16).astype(jnp.int32)


def _greedy(values: Array, bits: Array) -> Array:
    """Choose among the actions of highest value, each as likely."""
    best = values == values.max(axis=1, keepdims=True)
    order = jnp.cumsum(best.astype(jnp.int32), axis=1)
    chosen = _pick(bits, order[:, -1])
    return jnp.argmax(order == chosen[:, None] + 1, axis=1).astype(jnp.int32)
