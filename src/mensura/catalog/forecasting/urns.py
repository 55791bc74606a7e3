"""Urns: questions whose true probabilities are known, so that realism itself can be checked."""

from dataclasses import dataclass

import numpy as np

from mensura.dialogue import PromptLike, TableView
from mensura.scores.alternatives import Floats

NAMES = "ABCDEFGH"
COLUMNS = ("urn", "base rate", "share of red")


@dataclass(frozen=True)
class Draw:
    """One hidden urn: base rates, shares of red, what was drawn, and which urn it was."""

    base_rates: tuple[float, ...]
    reds: tuple[float, ...]
    red: int
    black: int
    truth: int

    @property
    def options(self) -> tuple[str, ...]:
        """Names of the urns."""
        return tuple(NAMES[: len(self.reds)])

    def prompt(self) -> PromptLike:
        """Show everything that is known."""
        rows = [
            (name, f"{p:.2f}", f"{r:.2f}") for name, p, r in zip(self.options, self.base_rates, self.reds, strict=True)
        ]
        words = (
            "One of these urns was picked by chance, each as often as its base rate says. Balls were drawn from it, "
            f"each put back: **{self.red} red and {self.black} black**. Which urn is it? Give a probability for each."
        )
        return [TableView(COLUMNS, rows), words]


def draw_urn(rng: np.random.Generator, *, alternatives: int, draws: int, contrast: float) -> Draw:
    """Pick urns, one of them, and balls from it.

    More `draws`, and a larger `contrast` (how far shares of red lie from one half, up to 0.5), carry more information.
    """
    rates = np.round(rng.dirichlet(np.full(alternatives, 8.0)), 2)
    rates[-1] = 1 - rates[:-1].sum()
    reds = np.round(0.5 + contrast * rng.uniform(-1, 1, alternatives), 2)
    truth = int(rng.choice(alternatives, p=rates))
    red = int(rng.binomial(draws, reds[truth]))
    return Draw(tuple(rates.round(2).tolist()), tuple(reds.tolist()), red, draws - red, truth)


def posterior(*, base_rates: Floats, reds: Floats, red: int, black: int) -> Floats:
    """Return the true probabilities of the urns by Bayes' rule.

    >>> posterior(base_rates=np.array([0.5, 0.5]), reds=np.array([0.75, 0.25]), red=1, black=0)
    array([0.75, 0.25])
    """
    weights = base_rates * reds**red * (1 - reds) ** black
    shares: Floats = weights / weights.sum()
    return shares
