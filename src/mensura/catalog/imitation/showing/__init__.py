"""What reports show of games: judgements, beliefs over time, and how they were conducted."""
