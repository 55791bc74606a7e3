"""Tasks and logs of Inspect AI, taken as tests."""
