"""Reducing: the epochs of each item become one number, and answers from a cache count once."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from mensura.dialogue import Score
from mensura.errors import BadParameter
from mensura.running.results.rows import Row, SampleRows
from mensura.stats import Reducer, read_population, read_reducer
from mensura.stats.population import ITEMS
from mensura.stats.wording import several, times

if TYPE_CHECKING:
    from mensura.store.head import RunHead

MEAN = "mean"
MAJORITY = "majority"


def with_reducer(head: "RunHead", name: str | None, *, generalise: str | None = None) -> "RunHead":
    """Return a run whose epochs are reduced by this name; by the one that it was begun with where none is given.

    Raises
    ------
    BadParameter
        If its items were not asked one by one, or not often enough, or the population is not items.
    """
    chosen = name or head.details.get("reduce", MEAN)
    reducer = read_reducer(chosen)
    if chosen != MEAN:
        check_reducer(
            reducer,
            sessions=int(head.details.get("sessions", 1)),
            apart="items" in head.details,
            generalise=generalise or head.details.get("generalise"),
        )
    return replace(head, details={**head.details, "reduce": chosen}) if name else head


def check_reducer(reducer: Reducer, *, sessions: int, apart: bool, generalise: str | None) -> None:
    """Refuse a reducer that a run cannot have: it works inside the items of a bank, each asked several times."""
    if reducer.rule == MEAN:
        return
    if not apart:
        raise BadParameter(f"--reduce {reducer.name} is for banks whose items are asked one by one. Leave it out here.")
    if reducer.fewest > sessions:
        raise BadParameter(
            f"--reduce {reducer.name} needs {reducer.fewest} answers to each item, and each is asked "
            f"{times(sessions)}: --sessions {reducer.fewest}, or more."
        )
    if generalise is not None and read_population(generalise) != ITEMS:
        raise BadParameter(f"With --reduce {reducer.name} the item is the unit: leave out --generalise {generalise}.")


def same_reducer(first: "RunHead", second: "RunHead") -> str:
    """Return by what both runs are reduced, or refuse to compare what is reduced in two ways."""
    names = [str(head.details.get("reduce", MEAN)) for head in (first, second)]
    if names[0] != names[1]:
        raise BadParameter(
            f"{first.id} is reduced by {names[0]} and {second.id} by {names[1]}. Choose one for both: "
            f"--reduce {names[0]}"
        )
    return names[0]


def reducer_for(score: Score, name: str) -> Reducer | None:
    """Return what reduces a score; None for the mean, which is also for scores that are not right or wrong."""
    reducer = read_reducer(name or MEAN)
    if reducer.rule == MEAN or (reducer.k and not score.proportion):
        return None
    return reducer


def reduced_score(score: Score, reducer: Reducer | None) -> Score:
    """Return what is declared of a score once it is reduced: its bounds stay, but it need not be 0 or 1 any more."""
    return score if reducer is None else replace(score, proportion=False, label=f"{score.title} ({reducer.name})")


def counted_once(rows: SampleRows) -> SampleRows:
    """Leave out answers from a cache: where an item has others, all of them; else all but the first."""
    if not rows.any_shared(lambda row: row.cached):
        return rows
    fresh = {row.id for row in rows if not row.cached}
    kept = SampleRows()
    for row in rows:
        if not row.cached or row.id not in fresh:
            kept.append(row)
            fresh.add(row.id)
    return kept


def reduced(rows: SampleRows, reducer: Reducer) -> Iterator[Row]:
    """Make one row of all rows of an item; an item with too few answers that count is left out."""
    for own in rows.where(lambda row: not np.isnan(row.value)).by_item():
        if len(own) >= reducer.fewest:
            value = reducer([row.value for row in own], answers=[row.answer or "" for row in own])
            yield replace(own[0], value=value)


def note_of_reducing(score: Score, rows: SampleRows, *, name: str, repeated: int) -> str:
    """Return what must be said beside a reduced estimate, in sentences; nothing where all is well."""
    said = []
    if repeated:
        said.append(f"Left out: {several(repeated, 'answer')} from a cache, which are not new observations.")
    reducer = reducer_for(score, name)
    if reducer is None and read_reducer(name or MEAN).rule != MEAN:
        said.append(f"{name} is for answers that are right or wrong; this is the mean.")
    if reducer is not None:
        counts = np.bincount(rows.ids.ranked()[1], weights=~np.isnan(rows.values))
        few = int((counts < reducer.fewest).sum())
        if few:
            said.append(f"Left out: {several(few, 'item')} with fewer than {reducer.fewest} answers that count.")
    return " ".join(said)
