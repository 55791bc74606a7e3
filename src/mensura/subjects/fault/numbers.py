"""Faults of what is seen and done: noise, distortion, a dead part, and acts that slip.

Numbers are seen in readings, alone or among other parts of a prompt, and by policies in every test that declares what
agents see. Numbers are done in answers that are one number or several, named or not. Elsewhere only `slip` and the dead
part of what is done have a meaning, and a sentence says why.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mensura.dialogue import Ask, Readings, Sees
from mensura.errors import BadParameter, SubjectCrashed
from mensura.subjects.fault.fault import LOST, Disturbance, share
from mensura.subjects.fault.messages import seen_or_done
from mensura.subjects.policy import SeenArray


class Slip(Disturbance):
    """Does something else than was answered: in a share of the asks, any answer at random."""

    def __init__(self, rate: float = 0.1) -> None:
        self.rate = share(rate)

    def answered(self, ask: Ask, value: Any, rng: np.random.Generator) -> Any:
        return ask.space.draw(rng) if rng.random() < self.rate else value  # type: ignore[union-attr]


class Changed(Disturbance):
    """Changes numbers that are seen or done; a subclass says how."""

    what = "seen"
    sees: Sees | None = None
    """The part of a prompt that the subject sees, where it is a policy."""

    def change(self, numbers: Any, rng: np.random.Generator) -> Any:
        """Return other numbers in place of these."""
        raise NotImplementedError

    def idle(self) -> bool:
        """Return whether nothing is changed at this dose."""
        return False

    def asked(self, ask: Ask, rng: np.random.Generator) -> list[Ask]:
        if self.what == "done" or self.idle():
            return [ask]
        return [replace(ask, prompt=self._shown(ask.prompt, rng))]

    def _shown(self, prompt: Any, rng: np.random.Generator) -> Any:
        """Return a prompt with other readings; for a policy, what it sees of any prompt."""
        listed = isinstance(prompt, list | tuple)
        parts = list(prompt) if listed else [prompt]
        if any(isinstance(part, Readings) for part in parts):
            changed = [self._read(part, rng) if isinstance(part, Readings) else part for part in parts]
            return changed if listed else changed[0]
        if self.sees is None:
            kinds = ", ".join(str(getattr(part, "kind", "text")) for part in parts)
            raise SubjectCrashed(
                f"This fault changes the numbers of a prompt, and there are none: the prompt is {kinds}. "
                "Where a test declares what agents see, it can be put round a policy: policy:./mine.py:act."
            )
        seen = np.asarray(self.sees.view(prompt), dtype=self.sees.dtype)
        changed = self.change(seen.astype(float), rng)
        return SeenArray(_typed(np.clip(changed, self.sees.low, self.sees.high), seen.dtype))

    def _read(self, readings: Readings, rng: np.random.Generator) -> Readings:
        values = np.asarray(readings.values)
        return replace(readings, values=_typed(self.change(values.astype(float), rng), values.dtype))

    def told(self, told: Ask, rng: np.random.Generator) -> list[Ask]:
        return [told]

    def answered(self, ask: Ask, value: Any, rng: np.random.Generator) -> Any:
        if self.what == "seen" or self.idle():
            return value
        numbers = AnswerNumbers.of(ask.space)
        if numbers is None:
            kind = ask.space.kind  # type: ignore[union-attr]
            raise SubjectCrashed(
                f"This fault changes numbers that are done, and there are none: the answer is of kind {kind}. "
                "fault:slip does something else at random, and fault:dead with a part of what is done leaves it undone."
            )
        return numbers.put_back(value, self.change(numbers.read(value), rng))


@dataclass(frozen=True)
class AnswerNumbers:
    """The numbers that an answer is made of, read off the JSON schema of its space, and their bounds."""

    low: tuple[float, ...]
    high: tuple[float, ...]
    whole: tuple[bool, ...]
    total: float | None = None
    """The sum of the numbers, if it is fixed."""

    @classmethod
    def of(cls, space: Any) -> "AnswerNumbers | None":
        """Read a space; None where its answers are not made of numbers.

        >>> from mensura.dialogue import Likert, Text
        >>> AnswerNumbers.of(Likert(5)), AnswerNumbers.of(Text())
        (AnswerNumbers(low=(1,), high=(5,), whole=(True,), total=None), None)
        """
        schema = space.schema()
        named = schema.get("properties", {}).values() if schema.get("type") == "object" else None
        listed = schema.get("prefixItems") if schema.get("type") == "array" else None
        parts = list(named if named is not None else [schema] if listed is None else listed)
        if not parts or any(part.get("type") not in ("number", "integer") for part in parts):
            return None
        low, high = (
            tuple(part.get(side, limit) for part in parts)
            for side, limit in (("minimum", -np.inf), ("maximum", np.inf))
        )
        return cls(low, high, tuple(part["type"] == "integer" for part in parts), space.whole)

    def read(self, value: Any) -> Any:
        """Return the numbers of an answer."""
        listed = list(value.values()) if isinstance(value, dict) else value
        return np.atleast_1d(np.asarray(listed, dtype=float))

    def put_back(self, value: Any, numbers: Any) -> Any:
        """Return an answer of the same form with other numbers."""
        # A motor cannot do more than it can, whatever it is told.
        kept = np.clip(numbers, self.low, self.high)
        if self.total is not None:
            kept = kept * (self.total / kept.sum()) if kept.sum() > 0 else np.full(kept.shape, self.total / kept.size)
        kept = np.where(self.whole, np.rint(kept), kept)
        plain = [int(one) if whole else float(one) for one, whole in zip(kept, self.whole, strict=True)]
        if isinstance(value, dict):
            return dict(zip(value, plain, strict=True))
        return plain if isinstance(value, list | tuple | np.ndarray) else plain[0]


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
        if self.what == "seen" or self.idle() or AnswerNumbers.of(ask.space) is not None:
            return super().answered(ask, value, rng)
        names = getattr(ask.space, ask.space.alternatives, ()) if ask.space.alternatives else ()  # type: ignore[union-attr]
        return LOST if value == self.part or value in names[self.part : self.part + 1] else value


def _typed(numbers: Any, kind: Any) -> Any:
    """Return numbers as a sensor of this type shows them: whole ones are rounded, and stay within what it can show."""
    if kind.kind not in "iu":
        return numbers.astype(kind)
    most = np.iinfo(kind)
    return np.clip(np.rint(numbers), most.min, most.max).astype(kind)


def _number(value: Any, name: str, *, low: float = -np.inf) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value < np.inf:
        least = "" if low == -np.inf else f" of {low:g} or more"
        raise BadParameter(f"{name} is a number{least}; got {value!r}.")
    return float(value)
