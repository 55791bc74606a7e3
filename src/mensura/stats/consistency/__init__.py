"""Consistency: whether raters and items say the same."""
