"""Scoring of the crisis: what of the office is good, what was lost and why, and what was done when."""
