"""Verbs for studies and laboratories with people."""
