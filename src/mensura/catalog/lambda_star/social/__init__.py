"""Λ* where agents matter to one another: coordination, coverage, a world that reacts, agents that differ."""
