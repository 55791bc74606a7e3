"""Scoring structured hypotheses: specification, comparison, pairing, metrics."""
