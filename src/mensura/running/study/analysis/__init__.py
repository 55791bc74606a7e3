"""The analysis of a study: its cells as they were taken, its hypotheses as tested, and all of it together."""
