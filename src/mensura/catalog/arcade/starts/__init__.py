"""Sets of starts: states of the emulator from which games are begun, and where each comes from."""
