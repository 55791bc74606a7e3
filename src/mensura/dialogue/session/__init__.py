"""One administration of a test: its state, its log, its limits and its replay."""
