"""The cost of the dialogue, beside the plainest code that could do the same."""
