"""How often the intervals of `mensura.stats` cover the truth, by simulation."""
