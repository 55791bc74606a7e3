"""Simulated persons of different abilities who take the sums: the larger a sum, the harder it is."""

from math import exp

from tests.sums import addends


class Somebody:
    """Know a sum with a chance that grows with the ability, which each session draws anew."""

    def begin(self, rng):
        self.rng, self.ability = rng, rng.normal()

    def __call__(self, ask):
        first, second = addends(ask.prompt)
        knows = self.rng.random() < 1 / (1 + exp(-1.5 * (self.ability - (first + second - 20) / 12)))
        return str(first + second) if knows else next(o for o in ask.space.options if o != str(first + second))
