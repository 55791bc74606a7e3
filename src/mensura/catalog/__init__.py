"""The tests, one folder each."""
