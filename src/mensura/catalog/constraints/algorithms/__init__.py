"""Algorithms by which agents agree, one in each file."""
