"""Benchmarks of the arcade."""
