"""Spaces: where answers lie, one noun per file."""
