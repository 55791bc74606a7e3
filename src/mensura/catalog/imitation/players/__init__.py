"""Reference subjects of the game: witnesses, judges, and the host."""
