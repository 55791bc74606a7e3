"""The laboratory under load."""
