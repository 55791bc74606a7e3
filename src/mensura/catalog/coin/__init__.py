"""Coins of known bias: probabilities in their simplest form."""
