"""Bubble: what was said, where vision sees it, until it fades."""

from dataclasses import asdict, dataclass
from typing import Any

LONGEST = 500


@dataclass(frozen=True, slots=True)
class Bubble:
    """A bubble of speech; its place is its lower left corner.

    Parameters
    ----------
    until
        The tick at which it fades.
    """

    speaker: str
    text: str
    place: tuple[float, float]
    until: int

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, lower, right and upper edge."""
        x, y = self.place
        return x, y, x + min(8.0, 1.0 + 0.25 * len(self.text)), y + 1.2

    def data(self) -> dict[str, Any]:
        """Return it as JSON."""
        return asdict(self) | {"place": list(self.place)}

    @classmethod
    def read(cls, data: dict[str, Any]) -> "Bubble":
        """Make it again."""
        return cls(data["speaker"], data["text"], tuple(data["place"]), data["until"])
