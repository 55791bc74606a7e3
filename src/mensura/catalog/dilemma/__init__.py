"""The iterated prisoner's dilemma: the smallest game between two subjects."""
