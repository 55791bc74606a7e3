"""Crisis: an office in trouble, with or without a learning assistant."""
