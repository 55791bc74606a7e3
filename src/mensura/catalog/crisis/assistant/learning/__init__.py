"""Learning: what the assistant has learned, the sessions it learns from, and where that is kept."""
