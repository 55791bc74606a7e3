"""Mapping: the largest common structure of two graphs, one to one, by one objective and three ways to reach it."""
