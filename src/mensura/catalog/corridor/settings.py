"""Conditions of the corridor that a result can name."""

from collections.abc import Mapping
from typing import Any

SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "sure": {"slip": 0.0},
    "slippery": {"slip": 0.3},
    "long": {"length": 31, "most_steps": 1000},
}
