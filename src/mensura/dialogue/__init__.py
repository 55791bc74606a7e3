"""The contract: a test is a dialogue."""
