"""Detection: worlds with hidden threats, and structured hypotheses about them scored against the truth."""
