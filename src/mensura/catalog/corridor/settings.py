"""Conditions of the corridor that a result can name."""

SETTINGS = {
    "sure": {"slip": 0.0},
    "slippery": {"slip": 0.3},
    "long": {"length": 31, "most_steps": 1000},
}
