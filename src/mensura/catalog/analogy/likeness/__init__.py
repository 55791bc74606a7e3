"""Likeness of texts by their words alone: the plain measures that stand beside every mapping."""
