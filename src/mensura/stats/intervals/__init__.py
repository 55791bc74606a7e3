"""Intervals: from values to a number with its bounds."""
