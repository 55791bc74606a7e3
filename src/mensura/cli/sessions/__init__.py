"""Verbs by which tests are taken."""
