"""A corridor to be walked to its goal: the smallest environment with rewards."""
