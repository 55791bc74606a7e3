"""Contents of a store on runs and sessions: heads, events, truths, results, exclusions and deeds."""
