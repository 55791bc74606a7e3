"""Verbs that read what was stored."""
