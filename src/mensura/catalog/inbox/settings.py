"""Conditions of the inbox that a result can name."""

SETTINGS = {
    "short": {"phases": 1, "messages": 3, "phase_ticks": 60},
    "busy": {"messages": 20, "patience": 20},
}
