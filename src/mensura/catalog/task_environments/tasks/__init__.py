"""The tasks that come with it, as data."""
