"""Compiled forms: the same algorithms on arrays, equal to the plain ones run by run."""
