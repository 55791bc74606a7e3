"""Leaks: whether anything a subject sees tells the truth early."""
