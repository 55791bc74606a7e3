"""Conditions of the sensemaking test that a result can name."""

from collections.abc import Mapping
from typing import Any

SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "demo": {"tasks": "456", "trials": 2, "breaks": False},
    "people": {"tutorial": True},
    "assessed": {"tasks": "123456", "breaks": False},
    "learning": {"tasks": "123", "breaks": False},
    "fusing": {"tasks": "56", "breaks": False},
    "waves": {"tasks": "7", "breaks": False},
    "reverse": {"order": "reverse"},
    "seen": {"pictures": True},
    "original-words": {"wording": "original"},
}
