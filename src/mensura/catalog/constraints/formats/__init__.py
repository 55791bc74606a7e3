"""Formats in which problems are saved and loaded."""
