"""Knowledge: how much a subject has come to know, as it says itself or by a proxy."""

import json
import lzma
from dataclasses import dataclass
from typing import Any

from mensura.dialogue.canonical import plain
from mensura.errors import BadData

PROXY = "compressed bytes of the snapshot's difference (a proxy: how much was stored anew, not what it is worth)"


@dataclass(frozen=True, slots=True)
class Knowledge:
    """An amount of knowledge, and what it is measured by."""

    amount: float
    measure: str

    @property
    def is_proxy(self) -> bool:
        """Return whether it indicates knowledge without being stated by the subject."""
        return self.measure == PROXY


def knowledge_gained(*, before: Any, after: Any) -> Knowledge:
    """Return how much longer two snapshots compress to than the first alone: 0 where nothing changed.

    Parameters
    ----------
    before, after : bytes or JSON data
        Snapshots of a subject; arrays count as lists.

    Examples
    --------
    >>> table = {"values": [0.0] * 300}
    >>> knowledge_gained(before=table, after=table).amount
    0.0
    >>> learned = {"values": [0.1 * i for i in range(300)]}
    >>> knowledge_gained(before=table, after=learned).amount > 300
    True
    """
    first, second = (_bytes(snapshot) for snapshot in (before, after))
    gained = 0 if first == second else max(0, _size(first + second) - _size(first))
    return Knowledge(float(gained), PROXY)


def _bytes(snapshot: Any) -> bytes:
    if isinstance(snapshot, bytes):
        return snapshot
    try:
        return json.dumps(snapshot, sort_keys=True, default=plain).encode()
    except (TypeError, ValueError) as error:
        raise BadData(f"A snapshot is bytes or JSON data; {error}. Let the subject say by `knowledge()`.") from None


def _size(data: bytes) -> int:
    return len(lzma.compress(data, format=lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_LZMA2, "preset": 6}]))
