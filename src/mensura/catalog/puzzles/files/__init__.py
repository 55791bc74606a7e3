"""Files of puzzles: one JSONL format, written and read, and foreign sets that are turned into it."""
