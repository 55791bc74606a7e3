"""The kinds of puzzles, one module each; found by name, so that only those that are asked for are loaded."""
