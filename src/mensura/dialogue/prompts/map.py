"""Map: points, lines and regions in the plane."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from mensura.dialogue.prompts.base import Prompt


@dataclass(frozen=True)
class Feature:
    """Something on a map: a point (one place), a line or a region (several places), or a circle (with radius)."""

    shape: str
    """One of "point", "line", "region", "circle"."""
    places: Sequence[tuple[float, float]]
    label: str = ""
    layer: str = ""
    colour: str = ""
    radius: float = 0.0

    def data(self) -> dict[str, Any]:
        """Return the feature as JSON."""
        return {
            "shape": self.shape,
            "places": [list(place) for place in self.places],
            "label": self.label,
            "layer": self.layer,
            "colour": self.colour,
            "radius": self.radius,
        }


@dataclass(frozen=True)
class Map(Prompt):
    """Features in a rectangle of the plane, y upwards, with a unit for the scale bar.

    >>> print(Map((0, 0), (10, 10), [Feature("point", [(3, 4)], label="attack")], unit="mile").text())
    Map from (0, 0) to (10, 10), in mile:
    - point attack at (3, 4)
    """

    kind: ClassVar[str] = "map"
    low: tuple[float, float]
    high: tuple[float, float]
    features: Sequence[Feature]
    unit: str = ""
    words: str = ""

    def text(self) -> str:
        def place(point: tuple[float, float]) -> str:
            return f"({point[0]:g}, {point[1]:g})"

        lines = [f"Map from {place(self.low)} to {place(self.high)}{', in ' + self.unit if self.unit else ''}:"]
        for feature in self.features:
            places = " ".join(place(point) for point in feature.places)
            radius = f", radius {feature.radius:g}" if feature.radius else ""
            lines.append(f"- {feature.shape} {feature.label} at {places}{radius}".replace("  ", " "))
        return "\n".join([*([self.words] if self.words else []), *lines])
