"""Explanation: what a test says of a session's scores beside the scores themselves, laid out to be read."""

from collections.abc import Mapping, Sequence
from typing import Any

MOST_ROWS = 1000
"""More rows of a detail than this are not drawn; the page's twin and the exported tables have all."""


def explain(scores: Mapping[str, float | None], details: Mapping[str, Any]) -> dict[str, Any]:
    """Sort details into columns beside the scores, tables, and single facts.

    A detail that gives a number for scores by their names, such as a floor, is a column; a list of records is a table.

    >>> made = explain({"final": 0.5, "web": 0.1}, {"floor": {"final": 0.4}, "lost": [{"points": 0.1}], "n": 3})
    >>> made["columns"], made["facts"]
    ({'floor': {'final': 0.4}}, {'n': 3})
    >>> made["tables"]
    {'lost': {'heads': ['points'], 'rows': [[0.1]], 'count': 1}}
    """
    columns = {name: detail for name, detail in details.items() if _is_column(detail, scores)}
    tables = {name: _table(detail) for name, detail in details.items() if _is_table(detail)}
    facts = {name: detail for name, detail in details.items() if name not in columns and name not in tables}
    return {"columns": columns, "tables": tables, "facts": facts}


def _is_column(detail: Any, scores: Mapping[str, Any]) -> bool:
    return isinstance(detail, Mapping) and bool(detail) and detail.keys() <= scores.keys()


def _is_table(detail: Any) -> bool:
    return isinstance(detail, list) and bool(detail) and all(isinstance(row, Mapping) for row in detail)


def _table(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    heads = list(dict.fromkeys(name for row in rows for name in row))
    shown = [[row.get(name) for name in heads] for row in rows[:MOST_ROWS]]
    return {"heads": heads, "rows": shown, "count": len(rows)}
