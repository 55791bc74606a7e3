"""Algorithms that look for the least cost, one file each."""
