"""Conditions of the detection test that a result can name."""

from typing import Any

SETTINGS: dict[str, dict[str, Any]] = {
    "tiny": {"individuals": 120, "days": 120, "attacks_per_threat_group": 3.0},
    "clear": {"corruption": 0.0, "threat_secrecy": 0.0, "observability": 1.4, "threat_alias_share": 0.0},
    "murky": {"corruption": 3.0, "threat_secrecy": 0.5, "observability": 0.7, "threat_alias_share": 0.6},
    "retrospective": {"batch_days": 100_000},
    "town": {"individuals": 1000, "days": 365, "clutter_per_individual": 11.0, "groups_per_thousand": 50.0},
}
