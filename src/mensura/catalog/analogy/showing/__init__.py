"""Showing: pictures and pages of what was compared."""
