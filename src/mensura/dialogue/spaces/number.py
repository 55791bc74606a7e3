"""Number, Probability, Likert: answers that are one number."""

from collections.abc import Mapping
from dataclasses import dataclass
from operator import index
from typing import Any, ClassVar

import numpy as np

from mensura.dialogue.spaces.base import Json, Space, as_number, gymnasium_spaces, read_number, shown, typed
from mensura.dialogue.spaces.percent import read_percent
from mensura.errors import Invalid
from mensura.phrase import phrase


@dataclass(frozen=True)
class Number(Space):
    """A number, between bounds if there are any.

    >>> Number(low=0, high=10, integer=True).check(3.0)
    3
    """

    kind: ClassVar[str] = "number"
    natural: ClassVar[str] = "mensura.scores.natural:ERROR"
    pools: ClassVar[bool] = True
    low: float | None = None
    high: float | None = None
    integer: bool = False
    unit: str = ""

    def check(self, answer: Any) -> float | int:
        number = as_number(answer, phrase("The answer"))
        if (self.low is not None and number < self.low) or (self.high is not None and number > self.high):
            raise Invalid("The answer must be {range}; got {got}.", range=self._range(), got=answer)
        if not self.integer:
            return number
        if number != int(number):
            raise Invalid("The answer must be a whole number; got {got}.", got=answer)
        return int(number)

    def schema(self) -> Json:
        bounds = {"minimum": self.low, "maximum": self.high}
        return {
            "type": "integer" if self.integer else "number",
            **{name: bound for name, bound in bounds.items() if bound is not None},
        }

    def draw(self, rng: np.random.Generator) -> float | int:
        low = self.low if self.low is not None else (self.high - 1 if self.high is not None else 0.0)
        high = self.high if self.high is not None else low + 1
        return int(rng.integers(int(low), int(high) + 1)) if self.integer else float(rng.uniform(low, high))

    def parse(self, form: Mapping[str, str]) -> float:
        if self.percent:
            return round(100 * read_percent(typed(form), phrase("The answer")), 10)
        return read_number(typed(form), phrase("The answer"))

    @property
    def percent(self) -> bool:
        return (self.low, self.high, self.unit) == (0, 100, "%")

    def hint(self) -> str:
        return f"A {'whole ' if self.integer else ''}number {self._range()}{' ' + self.unit if self.unit else ''}."

    def gym(self) -> Any:
        low = -np.inf if self.low is None else self.low
        high = np.inf if self.high is None else self.high
        return gymnasium_spaces().Box(low, high, shape=(), dtype=np.float64)

    def _range(self) -> str:
        if self.low is not None and self.high is not None:
            return phrase("between {low} and {high}", low=f"{self.low:g}", high=f"{self.high:g}")
        if self.low is not None:
            return phrase("at least {low}", low=f"{self.low:g}")
        return phrase("of any size") if self.high is None else phrase("at most {high}", high=f"{self.high:g}")


@dataclass(frozen=True)
class Probability(Space):
    """A probability of one event.

    >>> Probability().check(1.7)
    Traceback (most recent call last):
    mensura.errors.Invalid: A probability lies between 0 and 1; got 1.7.
    """

    kind: ClassVar[str] = "probability"
    natural: ClassVar[str] = "mensura.scores.natural:PROBABILITY"
    pools: ClassVar[bool] = True

    def check(self, answer: Any) -> float:
        if type(answer) is float and 0.0 <= answer <= 1.0:
            return answer
        number = as_number(answer, "A probability")
        if not 0 <= number <= 1:
            raise Invalid("A probability lies between 0 and 1; got {got}.", got=answer)
        return number

    def outcome(self, answer: Any) -> int:
        """Read whether it happened."""
        if isinstance(answer, bool):
            return int(answer)
        if isinstance(answer, (int, float)) and answer in (0, 1):
            return int(answer)
        raise Invalid(f"The truth of a probability is whether it happened, true or false; got {shown(answer)}.")

    def misfit(self, truth: Any) -> str:
        return "" if truth in (0, 1) else "What happens is 0 or 1."

    def schema(self) -> Json:
        return {"type": "number", "minimum": 0, "maximum": 1}

    def draw(self, rng: np.random.Generator) -> float:
        return float(rng.random())

    def parse(self, form: Mapping[str, str]) -> float:
        return read_percent(typed(form))

    @property
    def percent(self) -> bool:
        return True

    def hint(self) -> str:
        return "A probability between 0 and 1."

    def hint_for_people(self) -> str:
        return "A percent, from 0 to 100."

    def gym(self) -> Any:
        return gymnasium_spaces().Box(0.0, 1.0, shape=(), dtype=np.float64)


@dataclass(frozen=True)
class Likert(Space):
    """A point on a rating scale from 1 to `points`, with words at its ends and, where wanted, at its middle.

    >>> Likert(7).check(8)
    Traceback (most recent call last):
    mensura.errors.Invalid: Choose a whole number from 1 to 7; got 8.
    """

    kind: ClassVar[str] = "likert"
    natural: ClassVar[str] = "mensura.scores.natural:ERROR"
    pools: ClassVar[bool] = True
    integer: ClassVar[bool] = True
    points: int = 7
    low_label: str = "strongly disagree"
    high_label: str = "strongly agree"
    middle_label: str = ""

    def data(self) -> Json:
        data = super().data()
        if not self.middle_label:
            # Scales without it are written as they were before there was one.
            del data["middle_label"]
        return data

    def check(self, answer: Any) -> int:
        number = as_number(answer, phrase("The rating"))
        if number != int(number) or not 1 <= number <= self.points:
            raise Invalid("Choose a whole number from 1 to {most}; got {got}.", most=self.points, got=answer)
        return int(number)

    def schema(self) -> Json:
        return {"type": "integer", "minimum": 1, "maximum": self.points}

    def draw(self, rng: np.random.Generator) -> int:
        return int(rng.integers(1, self.points + 1))

    def parse(self, form: Mapping[str, str]) -> float:
        return read_number(typed(form), phrase("The rating"))

    def hint(self) -> str:
        middle = f" over {(self.points + 1) // 2} ({self.middle_label})" if self.middle_label else ""
        return f"A whole number from 1 ({self.low_label}){middle} to {self.points} ({self.high_label})."

    def gym(self) -> Any:
        return gymnasium_spaces().Discrete(self.points, start=1)

    def from_gym(self, action: Any) -> int:
        return index(action)
