"""Conditions of PAGI World that a result can name."""

from collections.abc import Mapping
from typing import Any

SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "paper": {"physics": "paper"},
    "original": {"physics": "original"},
    "nameless": {"names": False},
    "slow": {"latency": 250},
}
