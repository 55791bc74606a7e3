"""Conditions of the dilemma that a result can name."""

SETTINGS = {
    # Axelrod (1980), Journal of Conflict Resolution 24, 3-25: 200 moves, payoffs 5, 3, 1, 0, no noise.
    "axelrod": {"rounds": 200, "noise": 0.0},
    "noisy": {"rounds": 200, "noise": 0.05},
}
