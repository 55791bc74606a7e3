"""Families of problems, each drawn from a few numbers."""
