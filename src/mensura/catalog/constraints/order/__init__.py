"""Orders of agents and pseudo-trees."""
