"""Runs as experimenters see them: progress, estimates, comparisons, exports."""
