"""Conditions of the coin test that a result can name."""

SETTINGS = {"short": {"flips": 5}, "long": {"flips": 200}}
