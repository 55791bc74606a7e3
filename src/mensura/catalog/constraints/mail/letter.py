"""Letter: what one agent sends another. Its data are copied on the way, so that agents share no object."""

from typing import Any, NamedTuple

import numpy as np

from mensura.errors import Invalid


class AgentLetter(NamedTuple):
    """One message, as its reader sees it."""

    sender: str
    kind: str
    data: Any = None


Letter = AgentLetter


ATOMS = frozenset({int, float, str, bool, type(None)})


def frozen(data: Any) -> tuple[Any, int]:
    """Copy data as they arrive, arrays as tuples, and count their leaves: the size of a message.

    Names of an object's members are not counted. What was read from JSON and what was never written as JSON come out
    the same, so that a run and its replay do.

    >>> frozen([["x1", 3], {"x2": None}])
    ((('x1', 3), {'x2': None}), 3)
    """
    kind = type(data)
    if kind in ATOMS:
        return data, 1
    if kind is tuple or kind is list:
        if ATOMS.issuperset(map(type, data)):
            return (data if kind is tuple else tuple(data)), len(data)
        copies, size = [], 0
        for part in data:
            copy, more = frozen(part)
            copies.append(copy)
            size += more
        return tuple(copies), size
    if kind is dict:
        copied, size = {}, 0
        for name, part in data.items():
            if type(name) is not str:
                raise Invalid(f"Names in a message are texts; got {name!r:.60}.")
            copied[name], more = frozen(part)
            size += more
        return copied, size
    if isinstance(data, np.ndarray):
        table = np.array(data)
        table.flags.writeable = False
        return table, int(table.size)
    if isinstance(data, np.generic):
        return data.item(), 1
    raise Invalid(f"A message holds what JSON can; got {type(data).__name__} {data!r:.60}.")
