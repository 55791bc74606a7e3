"""Together: exhibits that show the same of several subjects, made one, so that a page is as long as its questions."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from mensura.exhibit.exhibit import Exhibit, Figure

SENTENCE = re.compile(r"(?<=[.!?:])\s+(?=[A-Z])")


def together(exhibits: Sequence[Exhibit]) -> list[Exhibit]:
    """Make one of exhibits of a kind, in the place of the first; all others stay as they are.

    Tables of two columns of numbers become one with a column for each subject, all others get a column that names it.

    >>> levels = {"a": 0.9, "b": 0.8}
    >>> made = [Exhibit("", "", ("dose", "level"), [[0, level]], kind="Level", of=who) for who, level in levels.items()]
    >>> [(one.title, one.columns, one.rows) for one in together(made)]
    [('Level', ('dose', 'a', 'b'), [[0, 0.9, 0.8]])]
    """
    kinds: dict[tuple[str, tuple[str, ...]], dict[str, Exhibit]] = {}
    order: list[Exhibit | tuple[str, tuple[str, ...]]] = []
    for one in exhibits:
        key = (one.kind, tuple(one.columns))
        if not one.kind or one.of in kinds.get(key, {}):
            order.append(one)
            continue
        if key not in kinds:
            order.append(key)
        kinds.setdefault(key, {})[one.of] = one
    return [one if isinstance(one, Exhibit) else _merged(kinds[one]) for one in order]


def _merged(by: Mapping[str, Exhibit]) -> Exhibit:
    first = next(iter(by.values()))
    if len(by) == 1:
        return first
    said, own = _shared({who: SENTENCE.split(one.words.replace("\n", " ")) for who, one in by.items()})
    noted, noted_of = _shared({who: list(one.notes) for who, one in by.items()})
    columns, rows = _beside(by) or _beneath(by)
    return Exhibit(
        first.title if not first.kind else first.kind,
        said_of(said),
        columns,
        rows,
        _figures(by),
        [*own, *noted, *noted_of],
    )


def said_of(sentences: Sequence[str]) -> str:
    """Return sentences as one text."""
    return " ".join(one for one in sentences if one)


def _shared(by: Mapping[str, Sequence[str]]) -> tuple[list[str], list[str]]:
    """Divide what is said of each into what is said of all, and what is said of some, with their names."""
    shared = [one for one in next(iter(by.values())) if all(one in said for said in by.values())]
    own = {who: said_of([one for one in said if one not in shared]) for who, said in by.items()}
    return shared, [f"{who}: {words}" for who, words in own.items() if words]


def _beside(by: Mapping[str, Exhibit]) -> tuple[tuple[str, ...], list[list[Any]]] | None:
    """Return one table with a column for each; None where a line says more of one than one number."""
    first = next(iter(by.values()))
    if len(first.columns) < 2:
        return None
    lines = {who: {str(row[0]): row for row in one.rows} for who, one in by.items()}
    if any(len(held) < len(one.rows) for held, one in zip(lines.values(), by.values(), strict=True)):
        return None
    places = dict.fromkeys(place for held in lines.values() for place in held)
    rows: list[list[Any]] = []
    for place in places:
        found = [held.get(place) for held in lines.values()]
        known = [row for row in found if row is not None]
        same = all(list(row[2:]) == list(known[0][2:]) for row in known)
        if not same or not all(isinstance(cell, str) for cell in known[0][2:]):
            return None
        rows.append([known[0][0], *(None if row is None else row[1] for row in found), *known[0][2:]])
    return (first.columns[0], *by, *first.columns[2:]), rows


def _beneath(by: Mapping[str, Exhibit]) -> tuple[tuple[str, ...], list[list[Any]]]:
    first = next(iter(by.values()))
    if not first.columns:
        return (), []
    return ("of", *first.columns), [[who, *row] for who, one in by.items() for row in one.rows]


def _figures(by: Mapping[str, Exhibit]) -> list[Figure]:
    most = max(len(one.figures) for one in by.values())
    made: list[Figure] = []
    for place in range(most):
        drawn = {who: one.figures[place] for who, one in by.items() if len(one.figures) > place}
        several = next(iter(drawn.values())).several
        made += list(drawn.values()) if several is None or len(drawn) == 1 else [several(drawn)]
    return made
