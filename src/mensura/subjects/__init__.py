"""Who takes a test."""
