"""Runs summed up and compared."""
