"""Environments of Λ*: the torus, movement patterns and their complexity."""
