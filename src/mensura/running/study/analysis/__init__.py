"""What a study found: its cells as they were taken, its hypotheses as tested, and all of it together."""
