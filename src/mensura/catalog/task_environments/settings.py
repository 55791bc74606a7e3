"""Conditions of task environments that a result can name."""

from collections.abc import Mapping
from typing import Any

SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "rewarded": {"told": "reward"},
    "untold": {"told": "neither"},
    "as-printed": {"physics": "paper"},
    "as-programmed": {"physics": "original"},
}
