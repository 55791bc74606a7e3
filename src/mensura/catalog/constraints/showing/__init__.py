"""Showing: constraint runs as people watch them, on a page, in a film, or live."""
