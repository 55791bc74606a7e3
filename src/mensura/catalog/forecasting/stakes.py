"""Stakes: a distribution answered by moving a point, while what each alternative would pay changes in view."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from mensura.dialogue import Distribution
from mensura.scores.rule import rule


@dataclass(frozen=True)
class Stakes(Distribution):
    """Probabilities over exclusive alternatives, paid by the logarithm with a floor.

    On a page it is a slider for two alternatives, a triangle for three and sliders for more, each with the points
    that every alternative would pay if it proved true. To programs it is a distribution.

    >>> Stakes(("a", "b")).check({"a": 0.25, "b": 0.75})
    {'a': 0.25, 'b': 0.75}
    """

    kind: ClassVar[str] = "stakes"
    page: ClassVar[Mapping[str, Any]] = {
        "package": __package__,
        "template": "stakes.html",
        "script": "stakes.js",
        "style": "stakes.css",
    }
    points: float = 100.0
    """Points to the nat."""
    floor: float = 0.01
    """Smallest probability that is paid for."""

    def pay(self, answer: Mapping[str, float]) -> dict[str, float]:
        """Return the points of each alternative if it proves true.

        >>> {name: round(points) for name, points in Stakes(("a", "b")).pay({"a": 0.5, "b": 0.5}).items()}
        {'a': 0, 'b': 0}
        """
        payoffs = rule("log", floor=self.floor).payoffs([float(answer[name]) for name in self.options])
        return {name: self.points * float(pay) for name, pay in zip(self.options, payoffs, strict=True)}
