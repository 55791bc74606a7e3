"""Prompts: what is shown, as data first, one noun per file."""
