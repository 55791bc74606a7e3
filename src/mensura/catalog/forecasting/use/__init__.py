"""Use: what probabilities are good for once they are numbers."""
