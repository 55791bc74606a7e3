"""What the dialogue costs, beside the plainest thing that could do the same."""
