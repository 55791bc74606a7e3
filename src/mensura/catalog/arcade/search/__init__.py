"""Search for places in a game without a human: go back, explore, keep what is new."""
