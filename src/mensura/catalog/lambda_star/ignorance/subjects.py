"""Reference subjects of the society with a norm."""

from collections.abc import Callable
from typing import Any

from mensura.dialogue import Ask, Choice


class Believer:
    """Reads its own mind and the others' stances from what it is shown; subclasses say what they do with them."""

    recomputes = True

    def __call__(self, ask: Ask) -> Any:
        values = ask.prompt[1].values  # type: ignore[index, union-attr]
        own, others, pressure = float(values[0]), float(values[1]), float(values[2])
        if isinstance(ask.space, Choice):
            return "support" if self.supports(own, others, pressure) else "reject"
        return self.estimate(own, others)

    def supports(self, own: float, others: float, pressure: float) -> bool:
        """Return whether to support the norm in public: own mind, others' public share, weight of fitting in."""
        raise NotImplementedError

    def estimate(self, own: float, others: float) -> float:
        """Estimate the share that supports it in private: what one sees is what they think."""
        return others


class Honest(Believer):
    """Says what it thinks."""

    def supports(self, own: float, others: float, pressure: float) -> bool:
        return own > 0.5


class Conformist(Believer):
    """Does what most others do, and takes what they do for what they think."""

    def supports(self, own: float, others: float, pressure: float) -> bool:
        return others > 0.5 if others != 0.5 else own > 0.5


class Calculating(Believer):
    """Does what pays most now, given what the others did last, and takes what they do for what they think."""

    def supports(self, own: float, others: float, pressure: float) -> bool:
        return (1 - pressure) * own + pressure * others > (1 - pressure) * (1 - own) + pressure * (1 - others)


class Reflective(Calculating):
    """Does what pays, but knows that others may do the same: judges them by itself as much as by what they show."""

    def estimate(self, own: float, others: float) -> float:
        return (own + others) / 2


SUBJECTS: dict[str, Callable[[], Any]] = {
    "honest": Honest,
    "conformist": Conformist,
    "calculating": Calculating,
    "reflective": Reflective,
}
