"""The total score that stated probabilities imply, and how likely so low a one was."""
