"""Reference subjects of forecasting: ignorance, climatology, a realist, and people who play games of their own."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mensura.catalog.forecasting.urns import COLUMNS, posterior
from mensura.dialogue import Ask, Density, Distribution, TableView, prompt_text
from mensura.scores.alternatives import Floats

DRAWN = re.compile(r"(\d+) red and (\d+) black")


class Ignorance:
    """Gives every alternative the same, and a flat density to a quantity: scores exactly zero."""

    recomputes = True

    def __call__(self, ask: Ask) -> Any:
        if isinstance(ask.space, Density):
            return self.quantiles(ask.space)
        assert isinstance(ask.space, Distribution)
        shares = self.shares(ask, len(ask.space.options))
        return dict(zip(ask.space.options, _exact(shares), strict=True))

    def shares(self, ask: Ask, alternatives: int) -> Floats:
        """Return the probabilities of the alternatives."""
        return np.full(alternatives, 1 / alternatives)

    def quantiles(self, space: Density) -> list[float]:
        """Return the quantiles of a flat density."""
        if space.bins:
            return [1 / space.bins] * space.bins
        return [space.low + level * (space.high - space.low) for level in space.levels]


class Climatology(Ignorance):
    """Says the base rates where they are told, and knows nothing else."""

    def shares(self, ask: Ask, alternatives: int) -> Floats:
        table = _urns(ask.prompt)
        return super().shares(ask, alternatives) if table is None else table[0]


class Realistic(Ignorance):
    """Knows exactly what the evidence tells, and says it: nobody can expect to score better."""

    def shares(self, ask: Ask, alternatives: int) -> Floats:
        table, drawn = _urns(ask.prompt), DRAWN.search(prompt_text(ask.prompt))
        if table is None or drawn is None:
            return super().shares(ask, alternatives)
        return posterior(base_rates=table[0], reds=table[1], red=int(drawn[1]), black=int(drawn[2]))


class Valuing(Realistic):
    """Over- or undervalues its information so that the realism function has a known slope: true = a · stated + b."""

    def __init__(self, slope: float) -> None:
        self.slope = slope

    def shares(self, ask: Ask, alternatives: int) -> Floats:
        true = super().shares(ask, alternatives)
        stated = np.clip((true - (1 - self.slope) / alternatives) / self.slope, 0, 1)
        shares: Floats = stated / stated.sum()
        return shares


class Caesar(Realistic):
    """Stakes far beyond what is known, as if only the first place paid."""

    def shares(self, ask: Ask, alternatives: int) -> Floats:
        odds = super().shares(ask, alternatives) ** 6
        shares: Floats = odds / odds.sum()
        return shares


class GainMaximiser(Realistic):
    """Stakes everything on the likeliest alternative: the largest gain that is possible."""

    def shares(self, ask: Ask, alternatives: int) -> Floats:
        true = super().shares(ask, alternatives)
        shares: Floats = np.eye(alternatives)[int(true.argmax())]
        return shares


class LossAvoider(Realistic):
    """Knows what the realist knows, and hardly leaves ignorance, where nothing can be lost."""

    def shares(self, ask: Ask, alternatives: int) -> Floats:
        shares: Floats = 0.85 / alternatives + 0.15 * super().shares(ask, alternatives)
        return shares


def _urns(prompt: Any) -> tuple[Floats, Floats] | None:
    """Find base rates and shares of red in what is shown."""
    parts: Sequence[Any] = prompt if isinstance(prompt, Sequence) and not isinstance(prompt, str) else [prompt]
    for part in parts:
        if isinstance(part, TableView) and tuple(part.columns) == COLUMNS:
            numbers = np.array([[float(row[1]), float(row[2])] for row in part.rows])
            return numbers[:, 0] / numbers[:, 0].sum(), numbers[:, 1]
    return None


def _exact(shares: Floats) -> list[float]:
    values = [float(value) for value in shares]
    values[int(np.argmax(shares))] += 1 - sum(values)
    return values


SUBJECTS: dict[str, Callable[[], Any]] = {
    "ignorance": Ignorance,
    "climatology": Climatology,
    "realistic": Realistic,
    "overvaluing": lambda: Valuing(0.6),
    "undervaluing": lambda: Valuing(1.6),
    "caesar": Caesar,
    "gain-maximiser": GainMaximiser,
    "loss-avoider": LossAvoider,
}
