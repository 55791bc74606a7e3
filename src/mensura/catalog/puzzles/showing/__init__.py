"""Showing puzzles: presentations, which vary apart from structure, and the prompt of a puzzle."""
