"""The survey's card of every program that takes intelligence tests, theirs and ours in one form."""
