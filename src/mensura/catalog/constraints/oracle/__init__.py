"""Truth about a problem, found by other means than agents: brute force and CP-SAT."""
