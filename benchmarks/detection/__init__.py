"""Measurements of generation and scoring."""
