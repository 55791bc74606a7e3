"""People in runs: those who wait, whose time is over, and who approve of what programs do."""
