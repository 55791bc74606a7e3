"""Comparisons: two subjects, or many, and whether they differ."""
