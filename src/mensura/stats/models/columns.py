"""Columns: tables handed in by name, checked and brought into the form that models of statsmodels take."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mensura.errors import BadData, unknown
from mensura.stats.intervals.sample import numbers


def frame_of(
    columns: Mapping[str, Sequence[object]], *, numeric: Sequence[str], labels: Sequence[str]
) -> tuple[Any, int]:
    """Return a data frame with columns x0, x1 ... (numeric ones first), and how many incomplete rows were left out.

    Plain names keep user's names with spaces or quotes out of formulas.

    >>> frame, dropped = frame_of({"score": [1, None], "who": ["a", "b"]}, numeric=["score"], labels=["who"])
    >>> list(frame.columns), len(frame), dropped
    (['x0', 'x1'], 1, 1)
    """
    import pandas

    for name in (*numeric, *labels):
        if name not in columns:
            raise unknown("column", name, known=[str(key) for key in columns], see=f"There are {list(columns)}.")
    lengths = {name: len(columns[name]) for name in (*numeric, *labels)}
    if len(set(lengths.values())) > 1:
        raise BadData(f"Columns must be equally long; got {lengths}.")
    data: dict[str, Any] = {}
    for name in numeric:
        data[f"x{len(data)}"] = numbers(np.asarray(columns[name], dtype=object), name=f"column {name!r}")
    for name in labels:
        data[f"x{len(data)}"] = [None if _is_missing(value) else str(value) for value in columns[name]]
    frame = pandas.DataFrame(data)
    complete = frame.dropna().reset_index(drop=True)
    if len(complete) == 0:
        raise BadData("No row is complete: every one has an unknown value.")
    return complete, len(frame) - len(complete)


def _is_missing(value: object) -> bool:
    return value is None or value != value
