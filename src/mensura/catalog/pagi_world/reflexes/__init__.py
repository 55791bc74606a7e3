"""Reflexes and states: conditions on sensors that act on the side of the world."""
