"""Distribution and Allocation: amounts over named alternatives that must sum to a whole."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from mensura.dialogue.spaces.base import Json, Space, as_number, gymnasium_spaces, read_number, shares_in, shown, typed
from mensura.dialogue.spaces.choice import alternative
from mensura.dialogue.spaces.percent import read_shares, scale_to, split_percents
from mensura.errors import Invalid
from mensura.phrase import phrase


@dataclass(frozen=True)
class Shares(Space):
    """Amounts over named alternatives; the two children say what the whole is."""

    pools: ClassVar[bool] = True
    alternatives: ClassVar[str] = "options"
    options: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", tuple(self.options))

    @property
    def whole(self) -> float:
        """Return the sum of the amounts."""
        return 1.0

    def check(self, answer: Any) -> dict[str, float]:
        if not isinstance(answer, Mapping):
            raise Invalid(
                "Give one amount for each of {options}; got {got}.", options=", ".join(self.options), got=shown(answer)
            )
        if stray := [name for name in answer if name not in self.options]:
            raise Invalid(f"There is no alternative {shown(stray[0])}; they are {', '.join(self.options)}.")
        if missing := [name for name in self.options if name not in answer]:
            raise Invalid("The amount for {name} is missing.", name=missing[0])
        amounts = {name: as_number(answer[name], phrase("The amount for {name}", name=name)) for name in self.options}
        for name, amount in amounts.items():
            if amount < 0:
                raise Invalid("The amount for {name} is negative: {amount}.", name=name, amount=f"{amount:g}")
        scaled = scale_to(self.whole, list(amounts.values()), percent=self.percent)
        return dict(zip(amounts, scaled, strict=True))

    def schema(self) -> Json:
        amount = {"type": "number", "minimum": 0, "maximum": self.whole}
        return {
            "type": "object",
            "description": f"amounts that sum to {self.whole:g}",
            "properties": dict.fromkeys(self.options, amount),
            "required": list(self.options),
            "additionalProperties": False,
        }

    def draw(self, rng: np.random.Generator) -> dict[str, float]:
        parts = rng.dirichlet(np.ones(len(self.options))) * self.whole
        return dict(zip(self.options, parts.tolist(), strict=True))

    def parse(self, form: Mapping[str, str]) -> dict[str, float]:
        """Read fields "answer.<option>", or one line "20 30 50" in the order of the options."""
        named = self.written(form)
        if self.percent:
            return read_shares(named, whole=self.whole)
        return {
            name: read_number(text or "0", phrase("The amount for {name}", name=name)) for name, text in named.items()
        }

    def written(self, form: Mapping[str, str]) -> dict[str, str]:
        """Return what a person wrote for each alternative."""
        named = {name: form.get(f"answer.{name}", "").strip() for name in self.options}
        if any(named.values()):
            return named
        parts = split_percents(typed(form))
        if len(parts) != len(self.options):
            wanted = f"{len(self.options)} numbers, for {', '.join(self.options)}"
            raise Invalid(f"Give {wanted}; got {len(parts)}.")
        return dict(zip(self.options, parts, strict=True))

    @property
    def percent(self) -> bool:
        return True

    def hint(self) -> str:
        return f"Numbers for {', '.join(self.options)}, in this order, that sum to {self.whole:g}."

    def hint_for_people(self) -> str:
        if not self.percent:
            return self.hint()
        return f"Percents for {', '.join(self.options)}, in this order, together 100."

    def gym(self) -> Any:
        return gymnasium_spaces().Box(0.0, 1.0, shape=(len(self.options),), dtype=np.float64)

    def from_gym(self, action: Any) -> dict[str, float]:
        """Scale weights to the whole; all zero means even shares."""
        shares = shares_in(len(self.options), action) * self.whole
        return dict(zip(self.options, shares.tolist(), strict=True))


@dataclass(frozen=True)
class Distribution(Shares):
    """Probabilities over exclusive alternatives that sum to one.

    >>> Distribution(("a", "b")).check({"a": 0.25, "b": 0.75})
    {'a': 0.25, 'b': 0.75}
    >>> Distribution(("a", "b")).check({"a": 0.5, "b": 0.75})
    Traceback (most recent call last):
    mensura.errors.Invalid: The amounts must sum to 1; they sum to 1.25.
    """

    kind: ClassVar[str] = "distribution"
    natural: ClassVar[str] = "mensura.scores.natural:DISTRIBUTION"

    def outcome(self, answer: Any) -> str:
        """Read which alternative is true."""
        return alternative(self.options, answer)

    def misfit(self, truth: Any) -> str:
        index = isinstance(truth, int) and not isinstance(truth, bool) and 0 <= truth < len(self.options)
        return "" if index or truth in self.options else f"It is not one of {', '.join(self.options)}."


@dataclass(frozen=True)
class Allocation(Shares):
    """A total divided among alternatives: percent, points, money, patrols."""

    kind: ClassVar[str] = "allocation"
    natural: ClassVar[str] = "mensura.scores.natural:ALLOCATION"
    total: float = 100.0
    unit: str = "%"

    def misfit(self, truth: Any) -> str:
        if isinstance(truth, Mapping):
            return "" if set(truth) <= set(self.options) else f"Its alternatives are {', '.join(self.options)}."
        return "" if len(truth) == len(self.options) else f"There are {len(self.options)} alternatives."

    @property
    def whole(self) -> float:
        return self.total

    @property
    def percent(self) -> bool:
        return (self.total, self.unit) in ((100, "%"), (1, "%"), (1, ""))
