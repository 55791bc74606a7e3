"""Items in a program or a notebook: what became of each, subject beside subject."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mensura.data_frame import Form, data_frame
from mensura.errors import unknown
from mensura.library.given import StoreLike, opened
from mensura.library.runs import RunLike, Runs, given_ids
from mensura.running.items.cell import cells_of
from mensura.running.items.summary import share_right, subject_summaries
from mensura.running.items.table import ItemTable, item_table
from mensura.running.items.view import ItemView


def items(
    *runs: RunLike,
    rows: str = "items",
    where: Mapping[str, str] | Iterable[tuple[str, str]] = (),
    score: str | None = None,
    sort: str = "bank",
    form: Form = "pandas",
    store: StoreLike = None,
) -> Any:
    """Return the items of runs side by side as a table; people and models are paired by content.

    Parameters
    ----------
    runs
        Ids of stored runs ("last", "last~1"), or what `mensura.run` gave.
    rows
        "items": one row for each item, with its mean over subjects (the share that is right, for a proportion) and an
        interval. "cells": one for each item and subject. "subjects": one for each subject, over all items that are
        looked at.
    where
        Conditions as for `mensura items --where`: tag, subject, outcome, differ, text.
    score
        By which score; None: the one that the most items have.
    sort
        bank, hardest, easiest, differ, tokens, cost or seconds.
    form
        "pandas", "polars" or "arrow"; each needs its own package, and only that.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from mensura.library.runs import run
    >>> with TemporaryDirectory() as folder:
    ...     made = run("coin", ["stated", "chance"], seed=1, parameters={"flips": 3}, store=f"{folder}/x.db")
    ...     frame = items(made, rows="cells")
    >>> list(frame["subject"])
    ['stated', 'chance', 'stated', 'chance', 'stated', 'chance']
    """
    kinds = {"items": _items, "cells": _cells, "subjects": _subjects}
    if rows not in kinds:
        raise unknown("kind of rows", rows, known=kinds, see=f"There are {', '.join(kinds)}.")
    conditions = where.items() if isinstance(where, Mapping) else where
    view = ItemView.of(conditions, sort=sort)
    places = [one.store for one in runs if isinstance(one, Runs)]
    with opened(store if store is not None else next(iter(places), None)) as place:
        table = item_table([id for run in runs for id in given_ids(run)], store=place, score=score)
        return data_frame(kinds[rows](table, view), form)


def _items(table: ItemTable, view: ItemView) -> Iterator[dict[str, Any]]:
    for row in view.rows(table).tolist():
        over = share_right(table, row)
        told = {"value": over.value, "low": over.low, "high": over.high, "subjects": over.n, "method": over.method}
        yield {**_named(table, row), "score": table.score.name, **told}


def _cells(table: ItemTable, view: ItemView) -> Iterator[dict[str, Any]]:
    for row in view.rows(table).tolist():
        for run, label, cell in zip(table.runs, table.labels, cells_of(table, row), strict=True):
            told = {"run": run.head.id, "subject": label, "people": run.circumstances.people}
            yield {**_named(table, row), **told, "score": table.score.name, **cell.as_json()}


def _subjects(table: ItemTable, view: ItemView) -> Iterator[dict[str, Any]]:
    for one in subject_summaries(table, view.rows(table), view=view):
        said = one.estimate.as_json()
        totals = {"tokens": one.tokens.value, "cost": one.cost.value, "seconds": one.seconds}
        yield {"run": one.run, "subject": one.label, "items": one.items, **said, **totals, "outcomes": one.outcomes}


def _named(table: ItemTable, row: int) -> dict[str, Any]:
    item = table.rows[row]
    return {"item": item.name, "prompt": item.prompt, "tags": item.tags}
