"""Models: several factors or levels at once."""
