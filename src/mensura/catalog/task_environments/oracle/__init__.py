"""What a task needs at least: time, energy, and the curve of every best trade between them."""
