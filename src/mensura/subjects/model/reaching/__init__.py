"""Probes of whether a model can be reached, and waits for it."""
