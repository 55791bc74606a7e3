"""Raters: who they are, what they rate and how far they are."""
