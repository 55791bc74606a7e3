"""Conditions of constraint problems that a result can name."""

from typing import Any

SETTINGS: dict[str, dict[str, Any]] = {
    "four-queens": {"problem": "queens:n=4", "order": "lex", "execution": "sync", "reading": "packet"},
    "lossy": {"problem": "queens:n=8", "loss": 0.1, "channel": "acknowledged", "delay": "uniform:1,5"},
}
