"""What a sentence is there for: background, approach, challenge, outcome, future work."""
