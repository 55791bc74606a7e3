"""Conditions of the bargain that a result can name."""

SETTINGS: dict[str, dict[str, object]] = {
    "silent": {"talk": "none"},
    "turns": {"talk": "turns"},
    "typing": {"typing": True},
}
