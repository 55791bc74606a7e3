"""What the literature of PAGI World shows: success by room and by latency."""

from collections.abc import Sequence
from typing import Any

from mensura.exhibit import Exhibit, Group


def exhibits(groups: Sequence[Group]) -> list[Exhibit]:
    """Show nothing beyond the scores yet, whose tables every report has."""
    found: list[Any] = []
    return found
