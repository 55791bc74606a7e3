"""The emulator, its games, and the rules they are played by."""
