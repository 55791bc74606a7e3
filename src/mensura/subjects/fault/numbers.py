"""Faults of what is seen and done: noise, distortion, a dead part, and acts that slip.

Numbers are seen in prompts that are readings, and done in answers that are numbers; elsewhere only `slip` and the dead
part of what is done have a meaning.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from mensura.dialogue import Ask, Readings
from mensura.errors import BadParameter, SubjectCrashed
from mensura.subjects.fault.fault import LOST, Disturbance, share
from mensura.subjects.fault.messages import seen_or_done


class Slip(Disturbance):
    """Does something else than was answered: in a share of the asks, any answer at random."""

    def __init__(self, rate: float = 0.1) -> None:
        self.rate = share(rate)

    def answered(self, ask: Ask, value: Any, rng: np.random.Generator) -> Any:
        return ask.space.draw(rng) if rng.random() < self.rate else value  # type: ignore[union-attr]


class Changed(Disturbance):
    """Changes numbers that are seen or done; a subclass says how."""

    what = "seen"

    def change(self, numbers: Any, rng: np.random.Generator) -> Any:
        """Return other numbers in place of these."""
        raise NotImplementedError

    def idle(self) -> bool:
        """Return whether nothing is changed at this dose."""
        return False

    def asked(self, ask: Ask, rng: np.random.Generator) -> list[Ask]:
        if self.what == "done" or self.idle():
            return [ask]
        if not isinstance(ask.prompt, Readings):
            kind = getattr(ask.prompt, "kind", type(ask.prompt).__name__)
            raise SubjectCrashed(f"This fault changes numbers that are seen, and the prompt is no readings but {kind}.")
        values = np.asarray(ask.prompt.values)
        changed = self.change(values.astype(float), rng)
        return [replace(ask, prompt=replace(ask.prompt, values=changed.astype(values.dtype)))]

    def told(self, told: Ask, rng: np.random.Generator) -> list[Ask]:
        return [told]

    def answered(self, ask: Ask, value: Any, rng: np.random.Generator) -> Any:
        if self.what == "seen" or self.idle():
            return value
        space: Any = ask.space
        numbers = np.atleast_1d(np.asarray(value, dtype=float)) if space.kind in NUMBERS else None
        if numbers is None:
            raise SubjectCrashed(f"This fault changes numbers that are done, and the answer is of kind {space.kind}.")
        low, high = (0, 1) if space.kind == "probability" else (space.low, space.high)
        changed = self.change(numbers, rng)
        # A motor cannot do more than it can, whatever it is told.
        bounds = [-np.inf if low is None else low, np.inf if high is None else high]
        changed = np.clip(changed, *(np.asarray(bound, dtype=float) for bound in bounds))
        changed = np.rint(changed) if getattr(space, "integer", False) else changed
        return changed.tolist() if isinstance(value, list | tuple | np.ndarray) else float(changed[0])


NUMBERS = ("vector", "number", "probability")


class Noise(Changed):
    """Adds normal noise to numbers that are seen or done."""

    dose = "size"

    def __init__(self, size: float = 0.1, what: str = "seen") -> None:
        self.size, self.what = _number(size, "size", low=0), seen_or_done(what)

    def idle(self) -> bool:
        return self.size == 0

    def change(self, numbers: Any, rng: np.random.Generator) -> Any:
        return numbers + self.size * rng.standard_normal(numbers.shape)


class Distort(Changed):
    """Stretches and shifts numbers that are seen or done: x becomes (1 + stretch) · x + shift."""

    dose = "stretch"

    def __init__(self, stretch: float = 0.1, shift: float = 0.0, what: str = "seen") -> None:
        self.stretch, self.shift, self.what = _number(stretch, "stretch"), _number(shift, "shift"), seen_or_done(what)

    def idle(self) -> bool:
        return self.stretch == 0 and self.shift == 0

    def change(self, numbers: Any, rng: np.random.Generator) -> Any:
        return (1 + self.stretch) * numbers + self.shift


class Dead(Changed):
    """Lets one entry of what is seen or done be dead: it is always `value`; an act that is dead is not done."""

    dose = "part"
    none = -1

    def __init__(self, part: int = 0, what: str = "seen", value: float = 0.0) -> None:
        if type(part) is not int:
            raise BadParameter(f"part is the number of an entry, from 0, or -1 for none; got {part!r}.")
        self.part, self.what, self.value = part, seen_or_done(what), _number(value, "value")

    def idle(self) -> bool:
        return self.part < 0

    def change(self, numbers: Any, rng: np.random.Generator) -> Any:
        if self.part >= numbers.size:
            raise SubjectCrashed(f"There is no part {self.part}: there are {numbers.size}, from 0.")
        numbers.flat[self.part] = self.value
        return numbers

    def answered(self, ask: Ask, value: Any, rng: np.random.Generator) -> Any:
        if self.what == "seen" or self.idle() or ask.space.kind in NUMBERS:  # type: ignore[union-attr]
            return super().answered(ask, value, rng)
        names = getattr(ask.space, ask.space.alternatives, ()) if ask.space.alternatives else ()  # type: ignore[union-attr]
        return LOST if value == self.part or value in names[self.part : self.part + 1] else value


def _number(value: Any, name: str, *, low: float = -np.inf) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value < np.inf:
        least = "" if low == -np.inf else f" of {low:g} or more"
        raise BadParameter(f"{name} is a number{least}; got {value!r}.")
    return float(value)
