"""Taking tests: sessions, runs, courses, executors."""
