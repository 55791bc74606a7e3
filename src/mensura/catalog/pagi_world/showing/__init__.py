"""Showing: what pages and films draw of a room."""
