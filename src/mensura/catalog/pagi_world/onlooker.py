"""Onlooker: who looks on while a room is played: told of what is called, what is told, and that a tick has passed."""

from collections.abc import Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol
from weakref import ReferenceType, ref

if TYPE_CHECKING:
    from mensura.catalog.pagi_world.play import RoomPlay


class Onlooker(Protocol):
    """Looks on, and changes nothing."""

    @property
    def play(self) -> "RoomPlay | None":
        """The room that is played."""

    def begun(self, play: "RoomPlay") -> None:
        """Note that a room begins to be played, or goes on from what was saved."""

    def called(self, play: "RoomPlay", role: str, row: tuple[Any, ...]) -> None:
        """Note what a role called."""

    def told(self, play: "RoomPlay", role: str, replies: Sequence[Any]) -> None:
        """Note what a role was told."""

    def passed(self, play: "RoomPlay") -> None:
        """Note that a tick has passed."""


class Bystander:
    """An onlooker that knows which room is played as long as it is, and notes nothing."""

    def __init__(self) -> None:
        self._play: ReferenceType[RoomPlay] | None = None

    @property
    def play(self) -> "RoomPlay | None":
        """The room that is played."""
        return None if self._play is None else self._play()

    def begun(self, play: "RoomPlay") -> None:
        """Note that a room begins to be played."""
        self._play = ref(play)

    def called(self, play: "RoomPlay", role: str, row: tuple[Any, ...]) -> None:
        """Leave what a role called."""

    def told(self, play: "RoomPlay", role: str, replies: Sequence[Any]) -> None:
        """Leave what a role was told."""

    def passed(self, play: "RoomPlay") -> None:
        """Leave the tick."""


ONLOOKER: ContextVar[Onlooker | None] = ContextVar("onlooker", default=None)
"""Who looks on at rooms that begin to be played in this context."""
