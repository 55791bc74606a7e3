"""Showing: pictures of graphs, of mappings, and of how close texts are."""
