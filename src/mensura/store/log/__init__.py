"""What a store keeps of runs and sessions: heads, events, truths, results, exclusions and deeds."""
