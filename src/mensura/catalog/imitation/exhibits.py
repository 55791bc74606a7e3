"""Exhibits of the game."""

from collections.abc import Sequence

from mensura.exhibit import Exhibit, Group


def exhibits(groups: Sequence[Group]) -> list[Exhibit]:
    """Return what the game's own literature shows."""
    return []
