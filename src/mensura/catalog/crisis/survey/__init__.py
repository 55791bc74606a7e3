"""The survey after a session: 28 items whose categories are hidden, and an open question."""
