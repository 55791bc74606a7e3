"""Physics: one compiled step for dialogue, batch and environments."""
